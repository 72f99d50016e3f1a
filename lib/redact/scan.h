/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scan - anchors, then confirmation, then checks, over one text: one thread's tools for it.
 */
#ifndef OPLEDGER_LIB_REDACT_SCAN_H
#define OPLEDGER_LIB_REDACT_SCAN_H

#include "anchors.h"
#include "confirm.h"
#include "rule.h"

/* One confirmed value. Where the engine failed, `match` is NULL and the range is the candidate. */
struct scan_hit {
    const struct rule *rule;
    size_t index; /* of the rule */
    size_t from, to;
    const struct confirm_match *match;
};

typedef void (*scan_fn)(void *ctx, const struct scan_hit *hit);

struct scanner {
    const struct opl_rules *rules;
    unsigned classes;  /* OPL_RULES_BITs to look for */
    bool break_engine; /* a test's wish */
    uint64_t errors;
    struct anchor_scratch scratch;
    struct confirm confirm;
    size_t *done;   /* per rule: where the search goes on */
    uint64_t *hits; /* per rule: confirmed values, before spans are merged */

    /* of the scan that is on */
    const char *bytes;
    size_t len;
    scan_fn found;
    void *ctx;
};

/* For the set that learns; for the others after scanner_ready, which waits for them. */
OPL_MUST_CHECK bool scanner_open(struct scanner *scanner, const struct opl_rules *rules,
                                 unsigned classes, struct opl_err *err);
OPL_MUST_CHECK bool scanner_ready(struct scanner *scanner, struct opl_err *err);
void scanner_close(struct scanner *scanner);

/* Calls `found` for every hit; anchors are one of the sets of the rules. */
OPL_MUST_CHECK bool scanner_scan(struct scanner *scanner, const struct anchors *anchors,
                                 const char *bytes, size_t len, scan_fn found, void *ctx,
                                 struct opl_err *err);

#endif

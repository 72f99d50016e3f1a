/* SPDX-License-Identifier: Apache-2.0 */
/* account - what a run did, for its manifest: hits by rule, spans, what could not be scanned. */
#ifndef OPLEDGER_LIB_REDACT_ACCOUNT_H
#define OPLEDGER_LIB_REDACT_ACCOUNT_H

#include <stdint.h>

#include <opledger/err.h>

#define ACCOUNT_SPANS 100000
#define ACCOUNT_GAPS 1000

struct account_span {
    uint64_t from, to;         /* in the source */
    uint64_t out_from, out_to; /* in the output */
    uint32_t rule;
};

struct account_gap {
    uint64_t from, to;
    const char *why;
};

struct account {
    uint64_t *hits; /* per rule, builtins after */
    size_t rules;
    struct account_span *list;
    size_t count, kept; /* kept: from earlier rounds */
    uint64_t spans;
    struct account_gap *gaps;
    size_t gap_count;
    uint64_t unscannable;
};

OPL_MUST_CHECK bool account_open(struct account *account, size_t rules, struct opl_err *err);
void account_close(struct account *account);

void account_add(struct account *account, const struct account_span *span);
void account_gap(struct account *account, uint64_t from, uint64_t to, const char *why);

/*
 * A further round replaced parts of the output: the spans added since `account_round` hold output
 * places of the round before in from and to. Puts all of them into terms of source and new output.
 */
void account_round(struct account *account);
void account_settle(struct account *account);

#endif

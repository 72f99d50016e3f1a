/* SPDX-License-Identifier: Apache-2.0 */
/* run - the state of one run, and its passes over input and output. */
#ifndef OPLEDGER_LIB_REDACT_RUN_H
#define OPLEDGER_LIB_REDACT_RUN_H

#include "account.h"
#include "lexer.h"
#include "mask.h"
#include "pseudonym.h"
#include "window.h"

#define RUN_ROUNDS 4 /* of the verify pass */

struct opl_redact {
    const struct opl_rules *rules;
    struct opl_redact_options options;
    char key_id[33];
    char *context, *destination;
    unsigned classes; /* that are masked */
    struct scanner scanner;
    struct names names;
    struct anchors *learned, *values;
    struct vault vault;
    struct lexer lexer;
    size_t oversize; /* bytes at the window's beginning that belong to a record it cannot hold */
    struct view view, hidden; /* hidden: what this window's formats mask whole */
    struct spans spans;
    struct opl_buf out;
    struct pseudonyms pseudonyms;
    struct account account;
    struct opl_sha256_ctx *source_hash, *out_hash;
    struct opl_redact_result result;
    bool verified; /* the mask pass verified its output while it was made, and found nothing */
    bool rules_verified; /* the same but for the secrets, which are all known only after it */
};

OPL_MUST_CHECK bool run_learn(struct opl_redact *redact, const struct opl_redact_io *io,
                              struct opl_err *err);
OPL_MUST_CHECK bool run_mask(struct opl_redact *redact, const struct opl_redact_io *io,
                             struct opl_err *err);

/* Goes over the output in its spool; *found counts what must not be there. */
OPL_MUST_CHECK bool run_verify(struct opl_redact *redact, const struct opl_redact_io *io,
                               uint64_t *found, struct opl_err *err);

/* Masks what verify found, from one spool into the other. */
OPL_MUST_CHECK bool run_mend(struct opl_redact *redact, const struct opl_redact_io *io,
                             struct opl_err *err);

/* The anchors of all rules, scanned over the rules' own examples before anything else is. */
OPL_MUST_CHECK bool run_selftest_learn(struct opl_redact *redact, struct opl_err *err);
OPL_MUST_CHECK bool run_selftest_mask(struct opl_redact *redact, struct opl_err *err);

/* Fills view from a window of output: independent of the lexers, everything decoded. */
void verify_view(struct view *view, enum opl_format format, const char *raw, size_t len);

#endif

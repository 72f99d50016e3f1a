/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scrub_pass - the filter's verify pass over a stored blob, with rules compiled once per adoption.
 */
#ifndef OPLEDGER_SERVER_SCRUB_PASS_H
#define OPLEDGER_SERVER_SCRUB_PASS_H

#include "blob.h"

#define SCRUB_FILES_MAX 64

/* An adopted rule file. */
struct scrub_file {
    char name[65];
    struct opl_hash sha256; /* of its blob */
};

struct scrub_rules; /* compiled, kept until other files are adopted; any thread */

struct scrub_rules *scrub_rules_new(void);        /* NULL: no memory */
void scrub_rules_free(struct scrub_rules *rules); /* accepts NULL */

/*
 * Runs the pass. `unmasked` (OPL_RULES_BITs) are the classes that may stand in the output.
 * OPL_E_INVALID: what was found, by rule and place, never its text.
 */
OPL_MUST_CHECK bool scrub_pass(struct scrub_rules *rules, const struct scrub_file *files,
                               size_t count, unsigned unmasked, const struct blob_info *output,
                               struct db *db, struct opl_err *err);

#endif

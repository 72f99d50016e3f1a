/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scrubbed_pass - the filter's verify pass over a stored blob, with rules compiled once per
 * adoption.
 */
#ifndef OPLEDGER_SERVER_SCRUBBED_PASS_H
#define OPLEDGER_SERVER_SCRUBBED_PASS_H

#include "blob.h"

#define SCRUBBED_FILES_MAX 64

/* An adopted rule file. */
struct scrubbed_file {
    char name[65];
    struct opl_hash sha256; /* of its blob */
};

struct scrubbed_rules; /* compiled, kept until other files are adopted; any thread */

struct scrubbed_rules *scrubbed_rules_new(void);        /* NULL: no memory */
void scrubbed_rules_free(struct scrubbed_rules *rules); /* accepts NULL */

/*
 * Runs the pass. `unmasked` (OPL_RULES_BITs) are the classes that may stand in the output.
 * OPL_E_INVALID: what was found, by rule and place, never its text.
 */
OPL_MUST_CHECK bool scrubbed_pass(struct scrubbed_rules *rules, const struct scrubbed_file *files,
                                  size_t count, unsigned unmasked, const struct blob_info *output,
                                  struct db *db, struct opl_err *err);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * redact - one run of the filter over a file or stdin, from rules and key to a verified output.
 *
 * Nothing is written anywhere before the whole output has verified: redact_run leaves it in an
 * encrypted spool, and redact_release copies it from there. What is recorded in the ledger, and
 * whether, is the caller's.
 */
#ifndef OPLEDGER_CLIENT_REDACT_H
#define OPLEDGER_CLIENT_REDACT_H

#include <opledger/models.h>
#include <opledger/redact.h>

#include "redact_spool.h"

#define REDACT_RULE_FILES 256

/* Borrowed for the run. */
struct redact_options {
    const char *policy;       /* a rule file or a folder of them, over those in force; or NULL */
    const char *const *learn; /* files to learn names from */
    size_t learn_count;
    const char *format;      /* NULL: auto */
    const char *destination; /* NULL: everything is masked, in the site's context */
    const char *model;       /* PROVIDER/NAME, checked against the destination; or NULL */
    const char *incident;    /* whose context it is where the destination's is the incident's */
    const char *key_file;    /* NULL: where redact_key finds one */
    const struct opl_rule_file *adopted; /* the cached adopted set, or NULL: the built-in one */
    size_t adopted_count;
    const char *models; /* adopted models.yaml, or NULL: the built-in one */
    size_t models_len;
    bool output_only;            /* neither manifest nor map is wanted */
    enum opl_redact_fault fault; /* for tests */
};

struct redact_outcome {
    struct opl_redact_result result;
    struct opl_hash rules;           /* the rules digest */
    const char *rules_from;          /* "adopted", "built in", or with "and --policy", for stderr */
    struct opl_buf manifest;         /* canonical, without a newline */
    struct opl_hash manifest_sha256; /* of those bytes */
    struct opl_buf map;              /* canonical; identity, network and site only: secret */
    struct opl_key map_key;          /* what seals it */
    struct redact_spool spools[2];   /* result.spool holds the output */
};

/*
 * Reads path, or `in` where it is NULL or "-". On failure the outcome holds nothing to release.
 * OPL_E_WRONG_STATE: the destination may not have this. OPL_E_VERIFY: the output did not verify.
 */
OPL_MUST_CHECK bool redact_run(const struct redact_options *options, const char *path, int in,
                               struct redact_outcome *outcome, struct opl_err *err);
void redact_outcome_close(struct redact_outcome *outcome);

/* Copies the verified output to a descriptor. */
OPL_MUST_CHECK bool redact_release(struct redact_outcome *outcome, int out, struct opl_err *err);

/* The manifest as it is recorded, and the map sealed, 0600. */
OPL_MUST_CHECK bool redact_write_manifest(const struct redact_outcome *outcome, const char *path,
                                          struct opl_err *err);
OPL_MUST_CHECK bool redact_write_map(const struct redact_outcome *outcome, const char *path,
                                     struct opl_err *err);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * adopted - the redaction rules and models that are in force in the log, for this host to go by.
 *
 * Which ones they are is folded from the signed log itself (registry_view), not taken from a page,
 * and each text is checked against its digest. They are remembered for when the ledger is away;
 * what was remembered wrongly is an error, never a reason to go by other rules.
 */
#ifndef OPLEDGER_CLIENT_ADOPTED_H
#define OPLEDGER_CLIENT_ADOPTED_H

#include <jansson.h>

#include <opledger/rules.h>

#include "redact.h"

struct client;

struct adopted {
    json_t *document; /* owned: as it is remembered; the texts below are its own */
    struct opl_rule_file files[REDACT_RULE_FILES];
    size_t count;
    const char *models;
    size_t models_len;
    struct opl_hash digest; /* the rules digest of all of these */
    int64_t read_at;        /* when they were read from the log */
};

/*
 * Reads what is in force at the newest head, and remembers it for this ledger's URL.
 * OPL_E_WRONG_STATE when no rules or no models are adopted.
 */
OPL_MUST_CHECK bool adopted_refresh(struct client *client, struct adopted *out,
                                    struct opl_err *err);

/* What was remembered; *found false when nothing was. OPL_E_VERIFY when it is not what it says. */
OPL_MUST_CHECK bool adopted_recall(struct client *client, struct adopted *out, bool *found,
                                   struct opl_err *err);

/*
 * For a run that can do without the ledger: what it says now, where there is a login and it answers
 * at once; else, and saying so on stderr, what was remembered. A ledger whose answer does not
 * verify fails it.
 */
OPL_MUST_CHECK bool adopted_newest(struct client *client, struct adopted *out, bool *found,
                                   struct opl_err *err);

/* Has a run of the filter go by them; they must outlive it. */
void adopted_use(const struct adopted *adopted, struct redact_options *options);
void adopted_close(struct adopted *adopted);

/* How long ago they were read: "just now", "5 minutes ago", "3 days ago". */
#define ADOPTED_AGE_SIZE 40
void adopted_age(const struct adopted *adopted, char out[static ADOPTED_AGE_SIZE]);

#endif

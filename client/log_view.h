/* SPDX-License-Identifier: Apache-2.0 */
/*
 * log_view - the log as this client has verified it.
 *
 * A head is believed when its note verifies with the key pinned for the origin and its tree
 * contains, as a prefix, the last tree that was believed. Consistency is computed here, from tiles.
 */
#ifndef OPLEDGER_CLIENT_LOG_VIEW_H
#define OPLEDGER_CLIENT_LOG_VIEW_H

#include <opledger/checkpoint.h>
#include <opledger/merkle.h>

struct client;

/* Asks the ledger for its key; pins it, and says so, at first contact. OPL_E_VERIFY for another one
 * than was pinned. */
OPL_MUST_CHECK bool log_view_meet(struct client *client, struct opl_vkey *out, struct opl_err *err);

/* Before anything of ours goes out: whoever answers at this URL must name the pinned key. Once a
 * run. */
OPL_MUST_CHECK bool log_view_before_sending(struct client *client, struct opl_err *err);

/* The pinned key of the log at this URL; only where there is none the ledger is asked. */
OPL_MUST_CHECK bool log_view_key(struct client *client, struct opl_vkey *out, struct opl_err *err);

/* Fetches /checkpoint, verifies it, proves it consistent with the remembered one, remembers it. */
OPL_MUST_CHECK bool log_view_head(struct client *client, struct opl_head *out, struct opl_err *err);

/* The head last remembered for an origin; *found false when there is none. */
OPL_MUST_CHECK bool log_view_known(struct client *client, const struct opl_vkey *vkey,
                                   struct opl_head *out, bool *found, struct opl_err *err);

/*
 * Believes a head whose note came some other way (a receipt, a gate reply): verified, consistent
 * with the remembered one by `proof`, or by tiles when that is NULL; then remembered if newer.
 */
OPL_MUST_CHECK bool log_view_believe(struct client *client, const char *note,
                                     const struct opl_proof *proof, struct opl_head *out,
                                     struct opl_err *err);

/* OPL_E_VERIFY unless a head that somebody else saw is a prefix of a verified one; by tiles. */
OPL_MUST_CHECK bool log_view_contains(struct client *client, const struct opl_head *head,
                                      const struct opl_head *older, struct opl_err *err);

#endif

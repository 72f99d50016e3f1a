/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ledger - this log's name and key: DIR/log.key (0600) and DIR/origin.
 *
 * Both are drawn at the first start over an empty log and never again: a log that is not empty and
 * a folder without its key do not fit, and nothing is signed. The key signs checkpoints and nothing
 * else; what else must be keyed is derived from it.
 *
 * DIR/beginning stands from before the key is drawn until the log has its first entries. Without it
 * a key over an empty log means that the log was lost: a second one of the same name, signed by the
 * same key, would contradict what everybody remembers of the first.
 */
#ifndef OPLEDGER_SERVER_LEDGER_H
#define OPLEDGER_SERVER_LEDGER_H

#include <opledger/checkpoint.h>

#include "db.h"

struct ledger {
    char origin[OPL_NOTE_NAME_SIZE];
    struct opl_sign_seed *seed; /* secret memory */
    struct opl_vkey vkey;
    struct opl_key idempotency; /* keys the stored digests of requests */
    struct opl_key challenge;   /* keys login challenges */
};

/*
 * Reads key and origin from data_dir, or makes them when the log in `db` is empty; `origin` names a
 * new log ("": drawn) and must be that of a log that is there. OPL_E_CONFIG when folder, log and
 * origin do not fit.
 */
OPL_MUST_CHECK bool ledger_open(struct ledger *ledger, const char *data_dir, const char *origin,
                                struct db *db, struct opl_err *err);

/* Whether a log may begin in this folder: OPL_E_CONFIG where one has begun before. */
OPL_MUST_CHECK bool ledger_may_begin(const char *data_dir, struct opl_err *err);

/* The log has its first entries: from now on it is never begun again. */
OPL_MUST_CHECK bool ledger_has_begun(const char *data_dir, struct opl_err *err);

void ledger_close(struct ledger *ledger);

/* Appends the signed checkpoint of a head of ours. */
OPL_MUST_CHECK bool ledger_sign(const struct ledger *ledger, const struct opl_head *head,
                                struct opl_buf *note, struct opl_err *err);

#endif

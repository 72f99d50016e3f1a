/* SPDX-License-Identifier: Apache-2.0 */
/*
 * logstate - what the sequencer's process knows of the log: head, edge, counters, world.
 *
 * It is as the log was after the last group that this process saw. Every group begins by comparing
 * it with the database under the lock; a smaller or another log there is OPL_E_LOG, and nothing is
 * signed any more. The world's subjects are loaded when asked for and forgotten again.
 */
#ifndef OPLEDGER_SERVER_LOGSTATE_H
#define OPLEDGER_SERVER_LOGSTATE_H

#include <opledger/world.h>

#include "db.h"
#include "frontier.h"
#include "ledger.h"
#include "signed_head.h"
#include "world_source.h"

struct logstate {
    const struct ledger *ledger;
    struct db *db;
    bool known;           /* false: nothing seen yet, or thrown away after a failure */
    struct opl_edge edge; /* its size is the log's */
    struct opl_hash root;
    uint64_t counters[OPL_PREFIXES];
    int64_t at;                 /* of the last entry */
    struct signed_head *head;   /* NULL while the log is empty */
    struct world_reader reader; /* the world's; it points at edge.size */
    struct opl_world *world;
    struct frontier *frontier;
    uint64_t groups;
    bool registry_changed; /* since the last logstate_registry */

    /* What stays when the rest is thrown away: this process never accepts a smaller or other log */
    uint64_t seen_size;
    struct opl_hash seen_root;
};

/* Empty; `db` is the sequencer's connection. */
OPL_MUST_CHECK bool logstate_init(struct logstate *state, const struct ledger *ledger,
                                  struct db *db, struct opl_err *err);
void logstate_close(struct logstate *state);

/* Brings it to the row of sql_checkpoint_last (no row: an empty log), under the lock. OPL_E_LOG. */
OPL_MUST_CHECK bool logstate_sync(struct logstate *state, struct db_rows *last,
                                  struct opl_err *err);

/* Throws away what a failed group may have spoiled; the next sync reads it again. */
void logstate_forget(struct logstate *state);

/* Makes a committed group's head the state's own; takes the head over. */
void logstate_advance(struct logstate *state, const struct opl_edge *edge,
                      const uint64_t counters[static OPL_PREFIXES], struct signed_head *head);

/* The registry for others to share when it changed since the last call, else NULL. */
struct opl_registry *logstate_registry(struct logstate *state);

/* Forgets subjects when too many are held. Between groups. */
void logstate_trim(struct logstate *state);

#endif

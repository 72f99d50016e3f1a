/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sequencer - the one thread that appends: takes all writes that wait as one group, makes them
 * durable, publishes the new checkpoint and then tells each.
 */
#ifndef OPLEDGER_SERVER_SEQUENCER_H
#define OPLEDGER_SERVER_SEQUENCER_H

#include "ledger.h"
#include "metrics.h"
#include "published.h"
#include "write.h"

struct sequencer;

struct sequencer_options {
    struct db_options db;
    const struct ledger *ledger;
    struct published *published;
    struct metrics *metrics;
    size_t queue; /* writes that may wait */
    size_t group; /* entries in one group at most, unless one batch has more */
};

/* Reads the head and the registry, publishes both and starts the thread. */
OPL_MUST_CHECK bool sequencer_start(struct sequencer **sequencer,
                                    const struct sequencer_options *options, struct opl_err *err);

/* Queues a write; its `done` is called once. OPL_E_UNAVAILABLE: queue full or stopped. */
OPL_MUST_CHECK bool sequencer_submit(struct sequencer *sequencer, struct write *write,
                                     struct opl_err *err);

/* The same, waiting for the end. False with the write's error. Not for HTTP threads. */
OPL_MUST_CHECK bool sequencer_write(struct sequencer *sequencer, struct write *write,
                                    struct opl_err *err);

/* Whether the last group, at most seconds ago, could be compared and committed. */
OPL_MUST_CHECK bool sequencer_is_well(struct sequencer *sequencer, struct opl_err *err);

/* Takes no more, finishes what waits and ends the thread; later submits are refused. NULL is fine.
 */
void sequencer_stop(struct sequencer *sequencer);

/* Stops and frees, once nobody can submit any more. Accepts NULL. */
void sequencer_free(struct sequencer *sequencer);

#endif

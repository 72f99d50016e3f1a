/* SPDX-License-Identifier: Apache-2.0 */
/*
 * group - the writes of one transaction: compared, folded in memory, inserted, signed, committed.
 *
 * One round trip under the lock tells the head and the keys used before; a second carries every row
 * and the COMMIT. What does not hold is refused before any SQL; what fails after that takes the
 * whole group back.
 */
#ifndef OPLEDGER_SERVER_GROUP_H
#define OPLEDGER_SERVER_GROUP_H

#include "logstate.h"
#include "metrics.h"
#include "rows.h"
#include "subject.h"
#include "write.h"

/* Memory that a sequencer's groups use one after the other. */
struct group {
    struct logstate *state;
    struct metrics *metrics;
    struct write *writes;    /* of this group, in order */
    struct opl_world *world; /* the state's */
    struct opl_buf bytes;    /* of the entry at hand */
    struct rows rows;
    struct opl_edge edge; /* of the log before the group */
    uint64_t size;        /* the next sequence number */
    uint64_t counters[OPL_PREFIXES];
    int64_t now;
    struct opl_hash *leaves; /* of the group */
    size_t leaf_count, leaf_size;
    struct write *current;        /* the one that is being folded */
    char (*touched)[OPL_ID_SIZE]; /* subjects whose status may have moved */
    size_t touched_count, touched_size;
    char (*nonces)[OPL_NONCE_SIZE]; /* used by the group */
    size_t nonce_count, nonce_size;
    bool is_spoiled; /* the world holds what will not be written */
    int64_t clock_checked_us;
    int64_t clock_offset_us; /* of the system's clock to the monotonic one, at start */
};

void group_init(struct group *group, struct logstate *state, struct metrics *metrics);
void group_close(struct group *group);

/*
 * Runs a group (writes may be NULL: only compares). True: what could be decided is durable or
 * refused, each write says which. False: nothing of it is in the log, each write has an error.
 * Calls no `done`.
 */
bool group_run(struct group *group, struct write *writes, struct opl_err *err);

#endif

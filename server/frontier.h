/* SPDX-License-Identifier: Apache-2.0 */
/*
 * frontier - the tiles at the right edge of the log that are not full yet, in memory.
 *
 * Appending leaves fills them; a tile that becomes full is handed out once, to be stored once.
 */
#ifndef OPLEDGER_SERVER_FRONTIER_H
#define OPLEDGER_SERVER_FRONTIER_H

#include "history.h"

struct frontier {
    uint64_t size; /* leaves */
    struct opl_hash hash[HISTORY_LEVELS][OPL_TILE_WIDTH];
};

/* Reads the partial tiles of a log of history->size entries. */
OPL_MUST_CHECK bool frontier_load(struct frontier *frontier, struct history *history,
                                  struct opl_err *err);

typedef void (*frontier_full_fn)(void *ctx, unsigned level, uint64_t index,
                                 const struct opl_hash hash[static OPL_TILE_WIDTH]);

/* Appends one leaf; calls `full` for each tile that it completes, the lowest first. */
void frontier_append(struct frontier *frontier, const struct opl_hash *leaf, frontier_full_fn full,
                     void *ctx);

#endif

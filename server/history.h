/* SPDX-License-Identifier: Apache-2.0 */
/*
 * history - the log's tree as the database keeps it: full tiles as rows, the rest from leaf hashes.
 *
 * Any past size can be asked for roots, proofs and tiles; each call reads a few rows.
 */
#ifndef OPLEDGER_SERVER_HISTORY_H
#define OPLEDGER_SERVER_HISTORY_H

#include <opledger/merkle_tree.h>
#include <opledger/tile.h>

#include "db.h"

struct history_tile {
    bool filled;
    unsigned level;
    uint64_t index;
    unsigned width;
    struct opl_hash hash[OPL_TILE_WIDTH];
};

#define HISTORY_LEVELS 8

/* A view of the first `size` entries over one connection; the last tile of each level is kept. */
struct history {
    struct db *db;
    uint64_t size;
    struct history_tile cache[HISTORY_LEVELS];
};

/* On the heap (a view is 64 KiB). NULL: no memory. */
struct history *history_new(struct db *db, uint64_t size);
void history_free(struct history *history);
void history_freep(struct history **history);

/* The same as the library sees it; valid as long as the view. */
struct opl_tree history_tree(struct history *history);

/* The hashes of tile (level, index) up to `width`, appended. */
OPL_MUST_CHECK bool history_tile_bytes(struct history *history, const struct opl_tile *tile,
                                       struct opl_buf *out, struct opl_err *err);

/* Whether the first head->size entries have head->root; the origin is the caller's to compare. */
OPL_MUST_CHECK bool history_has_root(struct history *history, uint64_t size,
                                     const struct opl_hash *root, bool *yes, struct opl_err *err);

#endif

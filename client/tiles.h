/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tiles - nodes of the ledger's tree, read from its hash tiles (C2SP tlog-tiles).
 *
 * One tile per level is kept: proofs walk up one path, so each is asked for once.
 */
#ifndef OPLEDGER_CLIENT_TILES_H
#define OPLEDGER_CLIENT_TILES_H

#include <opledger/merkle_tree.h>
#include <opledger/tile.h>

struct api;

#define TILES_LEVELS 8

struct tiles {
    struct api *api;
    uint64_t size; /* of the tree whose tiles are read */

    struct {
        bool held;
        uint64_t index;
        unsigned width;
        struct opl_hash hash[OPL_TILE_WIDTH];
    } level[TILES_LEVELS];
};

/* The tree as opl_tree_* read it; valid as long as the tiles are. */
struct opl_tree tiles_tree(struct tiles *tiles);

#endif

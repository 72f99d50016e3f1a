/* SPDX-License-Identifier: Apache-2.0 */
#include "frontier.h"

bool frontier_load(struct frontier *frontier, struct history *history, struct opl_err *err)
{
    struct opl_tree tree = history_tree(history);

    for (unsigned level = 0; level < HISTORY_LEVELS; level++) {
        uint64_t count = history->size >> (8 * level);
        uint64_t from = count & ~(uint64_t)(OPL_TILE_WIDTH - 1);

        for (uint64_t i = from; i < count; i++) {
            if (!tree.node(tree.ctx, 8 * level, i, &frontier->hash[level][i - from], err))
                return false;
        }
    }
    frontier->size = history->size;
    return true;
}

/* The root of a full tile. */
static void tile_root(const struct opl_hash hash[static OPL_TILE_WIDTH], struct opl_hash *root)
{
    struct opl_hash work[OPL_TILE_WIDTH];

    memcpy(work, hash, sizeof work);
    for (size_t count = OPL_TILE_WIDTH; count > 1; count /= 2) {
        for (size_t i = 0; i < count / 2; i++)
            opl_node_hash(&work[2 * i], &work[2 * i + 1], &work[i]);
    }
    *root = work[0];
}

void frontier_append(struct frontier *frontier, const struct opl_hash *leaf, frontier_full_fn full,
                     void *ctx)
{
    struct opl_hash next = *leaf;
    uint64_t index = frontier->size++;

    for (unsigned level = 0; level < HISTORY_LEVELS; level++) {
        struct opl_hash *tile = frontier->hash[level];

        tile[index % OPL_TILE_WIDTH] = next;
        if ((index + 1) % OPL_TILE_WIDTH != 0)
            return;
        index /= OPL_TILE_WIDTH;
        full(ctx, level, index, tile);
        tile_root(tile, &next);
    }
}

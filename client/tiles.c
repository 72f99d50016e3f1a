/* SPDX-License-Identifier: Apache-2.0 */
#include "tiles.h"

#include "api.h"

static bool fetch(struct tiles *tiles, unsigned level, uint64_t index, struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf bytes = OPL_BUF_INIT(sizeof(struct opl_hash) * 256);
    unsigned width = opl_tile_width(level, index, tiles->size);
    struct opl_tile tile = {.level = level, .index = index, .width = width};
    char path[OPL_TILE_PATH_SIZE + 1] = "/";

    opl_tile_format(&tile, path + 1);
    if (!api_get_bytes(tiles->api, path, &bytes, err))
        return false;
    if (bytes.len != width * sizeof(struct opl_hash))
        return opl_fail(err, OPL_E_VERIFY, "the tile %s has %zu bytes, not %zu", path, bytes.len,
                        width * sizeof(struct opl_hash));
    memcpy(tiles->level[level].hash, bytes.data, bytes.len);
    tiles->level[level].index = index;
    tiles->level[level].width = width;
    tiles->level[level].held = true;
    return true;
}

/* A complete subtree from the 2^height hashes that lie side by side in one tile. */
static void combine(const struct opl_hash *leaves, unsigned height, struct opl_hash *out)
{
    struct opl_hash row[OPL_TILE_WIDTH / 2];
    size_t count = (size_t)1 << height;

    if (height == 0) {
        *out = *leaves;
        return;
    }
    for (size_t i = 0; i < count / 2; i++)
        opl_node_hash(&leaves[2 * i], &leaves[2 * i + 1], &row[i]);
    for (count /= 2; count > 1; count /= 2)
        for (size_t i = 0; i < count / 2; i++) {
            struct opl_hash left = row[2 * i], right = row[2 * i + 1];

            opl_node_hash(&left, &right, &row[i]);
        }
    *out = row[0];
}

static bool node(void *ctx, unsigned level, uint64_t index, struct opl_hash *out,
                 struct opl_err *err)
{
    struct tiles *tiles = ctx;
    unsigned tile_level = level / 8, height = level % 8;
    uint64_t first = index << height; /* among the hashes of that tile level */
    size_t at = first % OPL_TILE_WIDTH;

    if (tile_level >= TILES_LEVELS)
        return opl_fail(err, OPL_E_VERIFY, "the log is too large to be one");
    if ((!tiles->level[tile_level].held ||
         tiles->level[tile_level].index != first / OPL_TILE_WIDTH) &&
        !fetch(tiles, tile_level, first / OPL_TILE_WIDTH, err))
        return false;
    if (at + ((size_t)1 << height) > tiles->level[tile_level].width)
        return opl_fail(err, OPL_E_VERIFY, "a tile of the log is too narrow");
    combine(&tiles->level[tile_level].hash[at], height, out);
    return true;
}

struct opl_tree tiles_tree(struct tiles *tiles)
{
    return (struct opl_tree){.node = node, .ctx = tiles};
}

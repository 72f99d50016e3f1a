/* SPDX-License-Identifier: Apache-2.0 */
#include "history.h"

#include "queries.h"

struct history *history_new(struct db *db, uint64_t size)
{
    struct history *history = calloc(1, sizeof *history);

    if (history != NULL) {
        history->db = db;
        history->size = size;
    }
    return history;
}

void history_free(struct history *history)
{
    free(history);
}

void history_freep(struct history **history)
{
    history_free(*history);
}

static bool missing(const struct history_tile *tile, struct opl_err *err)
{
    return opl_fail(err, OPL_E_LOG, "the database lacks hashes of tile %u/%llu", tile->level,
                    (unsigned long long)tile->index);
}

static bool load_full(struct db *db, struct history_tile *tile, struct opl_err *err)
{
    OPL_CLEANUP(db_rows_close) struct db_rows rows = {0};
    const uint8_t *bytes;
    size_t len;

    if (!db_fetch(db, &sql_tile_get, DB_ARGS(db_i32((int32_t)tile->level), db_u64(tile->index)),
                  &rows, err))
        return false;
    if (!db_rows_next(&rows))
        return missing(tile, err);
    if (!db_get_bytes(&rows, 0, &bytes, &len, err))
        return false;
    if (len != sizeof tile->hash)
        return missing(tile, err);
    memcpy(tile->hash, bytes, len);
    return true;
}

static bool load_leaves(struct db *db, struct history_tile *tile, struct opl_err *err)
{
    OPL_CLEANUP(db_rows_close) struct db_rows rows = {0};
    uint64_t from = tile->index * OPL_TILE_WIDTH;
    unsigned i = 0;

    if (!db_fetch(db, &sql_leaf_range, DB_ARGS(db_u64(from), db_u64(from + tile->width)), &rows,
                  err))
        return false;
    while (i < tile->width && db_rows_next(&rows)) {
        if (!db_get_hash(&rows, 1, &tile->hash[i++], err))
            return false;
    }
    return i == tile->width || missing(tile, err);
}

/* The root of 2^levels hashes; folds in place. */
static void fold(struct opl_hash *hash, unsigned levels)
{
    for (size_t count = (size_t)1 << levels; count > 1; count /= 2) {
        for (size_t i = 0; i < count / 2; i++)
            opl_node_hash(&hash[2 * i], &hash[2 * i + 1], &hash[i]);
    }
}

static bool load_tile(struct history *history, unsigned level, uint64_t index,
                      struct history_tile *tile, struct opl_err *err);

/* A partial tile above the leaves is not stored: each hash is the root of a full tile below. */
static bool load_roots(struct history *history, struct history_tile *tile, struct opl_err *err)
{
    struct history_tile below;

    for (unsigned i = 0; i < tile->width; i++) {
        below = (struct history_tile){0};
        if (!load_tile(history, tile->level - 1, tile->index * OPL_TILE_WIDTH + i, &below, err))
            return false;
        fold(below.hash, 8);
        tile->hash[i] = below.hash[0];
    }
    return true;
}

static bool load_tile(struct history *history, unsigned level, uint64_t index,
                      struct history_tile *tile, struct opl_err *err)
{
    bool ok;

    tile->filled = false;
    tile->level = level;
    tile->index = index;
    tile->width = opl_tile_width(level, index, history->size);
    if (tile->width == OPL_TILE_WIDTH)
        ok = load_full(history->db, tile, err);
    else if (level == 0)
        ok = load_leaves(history->db, tile, err);
    else
        ok = load_roots(history, tile, err);
    tile->filled = ok;
    return ok;
}

static bool cached_tile(struct history *history, unsigned level, uint64_t index,
                        struct history_tile **out, struct opl_err *err)
{
    struct history_tile *tile;

    if (level >= HISTORY_LEVELS)
        return opl_fail(err, OPL_E_NOT_FOUND, "no tile is that high");
    tile = &history->cache[level];
    *out = tile;
    if (tile->filled && tile->index == index)
        return true;
    return load_tile(history, level, index, tile, err);
}

static bool node(void *ctx, unsigned level, uint64_t index, struct opl_hash *out,
                 struct opl_err *err)
{
    struct history *history = ctx;
    unsigned above = level % 8;
    uint64_t first = index << above;
    size_t at = first % OPL_TILE_WIDTH;
    struct opl_hash part[OPL_TILE_WIDTH];
    struct history_tile *tile = NULL;

    if (!cached_tile(history, level / 8, first / OPL_TILE_WIDTH, &tile, err))
        return false;
    if (at + ((size_t)1 << above) > tile->width)
        return opl_fail(err, OPL_E_NOT_FOUND, "no complete subtree %u/%llu", level,
                        (unsigned long long)index);
    memcpy(part, &tile->hash[at], sizeof *part << above);
    fold(part, above);
    *out = part[0];
    return true;
}

struct opl_tree history_tree(struct history *history)
{
    return (struct opl_tree){node, history};
}

bool history_tile_bytes(struct history *history, const struct opl_tile *tile, struct opl_buf *out,
                        struct opl_err *err)
{
    struct history_tile *found;

    if (tile->level >= HISTORY_LEVELS ||
        opl_tile_width(tile->level, tile->index, history->size) < tile->width)
        return opl_fail(err, OPL_E_NOT_FOUND, "the log has no such tile yet");
    if (!cached_tile(history, tile->level, tile->index, &found, err))
        return false;
    opl_buf_add(out, found->hash, tile->width * sizeof *found->hash);
    return opl_buf_ok(out, err);
}

bool history_has_root(struct history *history, uint64_t size, const struct opl_hash *root,
                      bool *yes, struct opl_err *err)
{
    struct opl_tree tree = history_tree(history);
    struct opl_hash found;

    *yes = false;
    if (size > history->size)
        return true;
    if (!opl_tree_root(&tree, size, &found, err))
        return false;
    *yes = opl_hash_equal(&found, root);
    return true;
}

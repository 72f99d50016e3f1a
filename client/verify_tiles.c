/* SPDX-License-Identifier: Apache-2.0 */
/*
 * verify_tiles - the hash tiles that the ledger serves, against those of the entries.
 */
#include "verify.h"

#include <inttypes.h>

#include <opledger/tile.h>

#include "api.h"
#include "client.h"

static bool fetch(struct verify *verify, struct opl_tile *tile, struct opl_buf *out,
                  struct opl_err *err)
{
    char path[OPL_TILE_PATH_SIZE + 1] = "/";

    opl_tile_format(tile, path + 1);
    if (!api_get_bytes(verify->client->api, path, out, err))
        return false;
    return out->len == tile->width * sizeof(struct opl_hash) ||
           opl_fail(err, OPL_E_VERIFY, "%s has %zu bytes", path, out->len);
}

bool verify_tile_leaves(struct verify *verify, uint64_t index,
                        struct opl_hash out[static OPL_TILE_WIDTH], struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf bytes = OPL_BUF_INIT(sizeof(*out) * OPL_TILE_WIDTH);
    struct opl_tile tile = {.index = index};

    tile.width = opl_tile_width(0, index, verify->head.size);
    if (!fetch(verify, &tile, &bytes, err))
        return false;
    memcpy(out, bytes.data, bytes.len);
    return true;
}

static bool check_tile(struct verify *verify, struct opl_tile *tile, const struct opl_hash *want,
                       struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf bytes = OPL_BUF_INIT(sizeof(*want) * OPL_TILE_WIDTH);
    char what[OPL_TILE_PATH_SIZE];
    struct opl_err why = {0};

    opl_tile_format(tile, what);
    if (!fetch(verify, tile, &bytes, &why)) {
        if (!verify_is_finding(&why) && why.code != OPL_E_NOT_FOUND)
            return opl_fail(err, why.code, "%s", why.text);
        verify_wrong_thing(verify, what, "%s", why.text);
    } else if (memcmp(bytes.data, want, bytes.len) != 0) {
        verify_wrong_thing(verify, what, "it does not hold what the entries hash to");
    }
    verify->counts.tiles++;
    return true;
}

static bool check_level(struct verify *verify, unsigned level, struct opl_err *err)
{
    uint64_t count;
    const struct opl_hash *row = verify_tree_level(&verify->tree, level, &count);

    for (uint64_t index = 0; index * OPL_TILE_WIDTH < count && !verify->wrong.found; index++) {
        struct opl_tile tile = {.level = level,
                                .index = index,
                                .width = opl_tile_width(level, index, verify->head.size)};

        if (tile.width > 0 && !check_tile(verify, &tile, &row[index * OPL_TILE_WIDTH], err))
            return false;
    }
    return true;
}

bool verify_tiles(struct verify *verify, struct opl_err *err)
{
    for (unsigned level = 0; level < VERIFY_TREE_LEVELS; level++)
        if (!check_level(verify, level, err))
            return false;
    return true;
}

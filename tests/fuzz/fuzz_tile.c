/* SPDX-License-Identifier: Apache-2.0 */
/* A path that names a tile is the only one that does. */
#include "fuzz.h"

#include <opledger/tile.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf path = {0};
    char again[OPL_TILE_PATH_SIZE];
    struct opl_tile tile;

    opl_buf_add(&path, data, size);
    if (!opl_tile_parse(opl_buf_text(&path), &tile, NULL))
        return 0;
    FUZZ_CHECK(tile.width >= 1 && tile.width <= OPL_TILE_WIDTH);
    opl_tile_format(&tile, again);
    FUZZ_CHECK(strcmp(again, opl_buf_text(&path)) == 0);
    return 0;
}

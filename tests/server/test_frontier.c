/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "server/frontier.h"

struct seen {
    size_t count;
    unsigned level[300];
    uint64_t index[300];
    struct opl_hash first[300];
};

static void note(void *ctx, unsigned level, uint64_t index,
                 const struct opl_hash hash[static OPL_TILE_WIDTH])
{
    struct seen *seen = ctx;

    seen->level[seen->count] = level;
    seen->index[seen->count] = index;
    seen->first[seen->count++] = hash[0];
}

static void tiles_are_handed_out_once_when_full(void **state)
{
    struct frontier *frontier = calloc(1, sizeof *frontier);
    struct seen *seen = calloc(1, sizeof *seen);
    struct opl_edge edge = {0};
    struct opl_hash leaf = {{0}}, root;

    (void)state;
    for (unsigned i = 0; i < 65536; i++) {
        leaf.b[0] = (uint8_t)i;
        leaf.b[1] = (uint8_t)(i >> 8);
        frontier_append(frontier, &leaf, note, seen);
        opl_edge_append(&edge, &leaf);
    }
    assert_int_equal(seen->count, 257); /* 256 of leaves, and the one above them */
    for (size_t i = 0; i < 256; i++) {
        assert_int_equal(seen->level[i], 0);
        assert_int_equal(seen->index[i], i);
    }
    assert_int_equal(seen->level[256], 1);
    /* the tile two levels up begins with the root of all of them */
    opl_edge_root(&edge, &root);
    assert_true(opl_hash_equal(&frontier->hash[2][0], &root));
    assert_int_equal(frontier->size, 65536);
    free(frontier);
    free(seen);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(tiles_are_handed_out_once_when_full),
};

UNIT_MAIN(tests)

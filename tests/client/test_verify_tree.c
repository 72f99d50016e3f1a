/* SPDX-License-Identifier: Apache-2.0 */
#include "client/verify_tree.h"

#include "unit.h"

#define LEAVES 1500 /* several tiles, and a level above them */

static void leaf_of(uint64_t seq, struct opl_hash *out)
{
    opl_leaf_hash(&seq, sizeof seq, out);
}

/* Every root by the edge, which knows nothing of tiles. */
static void the_root_at_every_earlier_size_is_that_of_the_leaves(void **state)
{
    OPL_CLEANUP(verify_tree_close) struct verify_tree tree = {0};
    static struct opl_hash roots[LEAVES + 1];
    struct opl_edge edge = {0};
    struct opl_hash leaf, root;

    (void)state;
    opl_edge_root(&edge, &roots[0]);
    for (uint64_t seq = 0; seq < LEAVES; seq++) {
        leaf_of(seq, &leaf);
        assert_ok(verify_tree_append(&tree, &leaf, err));
        opl_edge_append(&edge, &leaf);
        opl_edge_root(&edge, &roots[seq + 1]);
    }
    for (uint64_t size = 0; size <= LEAVES; size++) {
        assert_ok(verify_tree_root(&tree, size, &root, err));
        assert_true(opl_hash_equal(&root, &roots[size]));
    }
}

static void a_head_of_another_root_or_a_larger_size_is_no_prefix(void **state)
{
    OPL_CLEANUP(verify_tree_close) struct verify_tree tree = {0};
    struct opl_head head = {.size = 3};
    struct opl_hash leaf;
    bool same;

    (void)state;
    for (uint64_t seq = 0; seq < 5; seq++) {
        leaf_of(seq, &leaf);
        assert_ok(verify_tree_append(&tree, &leaf, err));
    }
    assert_ok(verify_tree_root(&tree, 3, &head.root, err));
    assert_ok(verify_tree_has(&tree, &head, &same, err));
    assert_true(same);
    head.root.b[0] ^= 1;
    assert_ok(verify_tree_has(&tree, &head, &same, err));
    assert_false(same);
    head.size = 6;
    assert_ok(verify_tree_has(&tree, &head, &same, err));
    assert_false(same);
}

static void levels_hold_the_hashes_of_tiles(void **state)
{
    OPL_CLEANUP(verify_tree_close) struct verify_tree tree = {0};
    struct opl_hash leaf, root;
    const struct opl_hash *row;
    uint64_t count;

    (void)state;
    for (uint64_t seq = 0; seq < 600; seq++) {
        leaf_of(seq, &leaf);
        assert_ok(verify_tree_append(&tree, &leaf, err));
    }
    (void)verify_tree_level(&tree, 0, &count);
    assert_int_equal(count, 600);
    row = verify_tree_level(&tree, 1, &count);
    assert_int_equal(count, 2);
    assert_ok(verify_tree_root(&tree, 256, &root, err));
    assert_true(opl_hash_equal(&root, &row[0]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_root_at_every_earlier_size_is_that_of_the_leaves),
        cmocka_unit_test(a_head_of_another_root_or_a_larger_size_is_no_prefix),
        cmocka_unit_test(levels_hold_the_hashes_of_tiles),
    };

    return cmocka_run_group_tests(tests, unit_start, NULL);
}

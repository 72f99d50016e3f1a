/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include <opledger/merkle_group.h>

#define LARGE 20000

static void make_leaves(struct opl_hash *leaves, size_t count)
{
    for (size_t i = 0; i < count; i++)
        opl_leaf_hash(&i, sizeof i, &leaves[i]);
}

static struct opl_edge edge_of(const struct opl_hash *leaves, size_t count)
{
    struct opl_edge edge = {0};

    for (size_t i = 0; i < count; i++)
        opl_edge_append(&edge, &leaves[i]);
    return edge;
}

static void assert_same_edge(const struct opl_edge *a, const struct opl_edge *b)
{
    assert_int_equal(a->size, b->size);
    assert_memory_equal(a->hash, b->hash, opl_edge_count(a->size) * sizeof *a->hash);
}

static void assert_group(const struct opl_hash *leaves, size_t before, size_t count)
{
    struct opl_edge old = edge_of(leaves, before), new = edge_of(leaves, before + count);
    OPL_CLEANUP(opl_group_freep)
    struct opl_merkle_group *group = opl_group_new(&old, leaves + before, count);
    struct opl_proof proof;
    struct opl_hash root;

    assert_non_null(group);
    assert_same_edge(opl_group_edge(group), &new);
    opl_edge_root(&new, &root);
    for (size_t i = 0; i < count; i++) {
        opl_group_proof(group, i, &proof);
        assert_ok(opl_inclusion_verify(&leaves[before + i], before + i, before + count, &proof,
                                       &root, err));
    }
}

static void every_small_group_proves_its_leaves(void **state)
{
    struct opl_hash leaves[80];

    (void)state;
    make_leaves(leaves, 80);
    for (size_t before = 0; before <= 40; before++) {
        for (size_t count = 0; count <= 40; count++)
            assert_group(leaves, before, count);
    }
}

static void a_large_group_proves_its_leaves(void **state)
{
    struct opl_hash *leaves = malloc((LARGE + 5003) * sizeof *leaves);

    (void)state;
    make_leaves(leaves, LARGE + 5003);
    assert_group(leaves, 5003, LARGE);
    free(leaves);
}

static void an_old_and_huge_log_costs_nothing_more(void **state)
{
    struct opl_edge edge = {.size = OPL_TREE_MAX - 1000};
    struct opl_hash leaves[700], root;
    struct opl_proof proof;

    (void)state;
    make_leaves(leaves, 700);
    for (size_t i = 0; i < opl_edge_count(edge.size); i++)
        edge.hash[i] = leaves[i]; /* any hashes will do */
    OPL_CLEANUP(opl_group_freep)
    struct opl_merkle_group *group = opl_group_new(&edge, leaves, 700);
    assert_non_null(group);
    opl_edge_root(opl_group_edge(group), &root);
    for (size_t i = 0; i < 700; i++) {
        opl_group_proof(group, i, &proof);
        assert_ok(
            opl_inclusion_verify(&leaves[i], edge.size + i, edge.size + 700, &proof, &root, err));
    }
}

static void the_group_as_a_tree_proves_consistency(void **state)
{
    struct opl_hash leaves[90], old_root, new_root;
    struct opl_proof proof;

    (void)state;
    make_leaves(leaves, 90);
    for (size_t before = 1; before < 45; before++) {
        struct opl_edge old = edge_of(leaves, before);
        OPL_CLEANUP(opl_group_freep)
        struct opl_merkle_group *group = opl_group_new(&old, leaves + before, 45);
        struct opl_tree tree = opl_group_tree(group);

        opl_edge_root(&old, &old_root);
        opl_edge_root(opl_group_edge(group), &new_root);
        assert_ok(opl_tree_consistency(&tree, before, before + 45, &proof, err));
        assert_ok(opl_consistency_verify(before, &old_root, before + 45, &new_root, &proof, err));
    }
}

static void nodes_before_the_group_are_not_invented(void **state)
{
    struct opl_hash leaves[9], node;
    struct opl_edge old;

    (void)state;
    make_leaves(leaves, 9);
    old = edge_of(leaves, 6);
    OPL_CLEANUP(opl_group_freep)
    struct opl_merkle_group *group = opl_group_new(&old, leaves + 6, 3);
    struct opl_tree tree = opl_group_tree(group);
    assert_fails(tree.node(tree.ctx, 0, 0, &node, err), OPL_E_NOT_FOUND);
    assert_fails(tree.node(tree.ctx, 0, 9, &node, err), OPL_E_NOT_FOUND);
    assert_fails(tree.node(tree.ctx, 64, 0, &node, err), OPL_E_NOT_FOUND);
    assert_ok(tree.node(tree.ctx, 2, 0, &node, err));
    assert_ok(tree.node(tree.ctx, 3, 0, &node, err));
}

static void too_many_leaves_are_refused(void **state)
{
    struct opl_edge none = {0}, full = {.size = OPL_TREE_MAX - 1};
    struct opl_hash leaf = {{0}};

    (void)state;
    assert_null(opl_group_new(&none, &leaf, OPL_GROUP_MAX + 1));
    assert_null(opl_group_new(&full, &leaf, 1));
    opl_group_free(NULL);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_small_group_proves_its_leaves),
    cmocka_unit_test(a_large_group_proves_its_leaves),
    cmocka_unit_test(an_old_and_huge_log_costs_nothing_more),
    cmocka_unit_test(the_group_as_a_tree_proves_consistency),
    cmocka_unit_test(nodes_before_the_group_are_not_invented),
    cmocka_unit_test(too_many_leaves_are_refused),
};

UNIT_MAIN(tests)

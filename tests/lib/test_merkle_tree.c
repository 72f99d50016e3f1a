/* SPDX-License-Identifier: Apache-2.0 */
#include "vectors.h"

#include <opledger/merkle_tree.h>

#define LEAVES 70

/* The plainest tree there is: a node is worked out anew from its leaves. */
struct plain {
    struct opl_hash leaves[LEAVES];
    size_t reads;
};

static bool plain_node(void *ctx, unsigned level, uint64_t index, struct opl_hash *out,
                       struct opl_err *err)
{
    struct plain *plain = ctx;
    struct opl_hash left, right;

    plain->reads++;
    if ((index + 1) << level > LEAVES)
        return opl_fail(err, OPL_E_NOT_FOUND, "no node %u/%u", level, (unsigned)index);
    if (level == 0) {
        *out = plain->leaves[index];
        return true;
    }
    if (!plain_node(ctx, level - 1, 2 * index, &left, err) ||
        !plain_node(ctx, level - 1, 2 * index + 1, &right, err))
        return false;
    opl_node_hash(&left, &right, out);
    return true;
}

static void fill(struct plain *plain)
{
    for (size_t i = 0; i < LEAVES; i++)
        opl_leaf_hash(&i, sizeof i, &plain->leaves[i]);
}

static void every_inclusion_proof_verifies(void **state)
{
    struct plain plain;
    struct opl_tree tree = {plain_node, &plain};

    (void)state;
    fill(&plain);
    for (uint64_t size = 1; size <= LEAVES; size++) {
        struct opl_hash root;

        assert_ok(opl_tree_root(&tree, size, &root, err));
        for (uint64_t i = 0; i < size; i++) {
            struct opl_proof proof;

            assert_ok(opl_tree_inclusion(&tree, i, size, &proof, err));
            assert_ok(opl_inclusion_verify(&plain.leaves[i], i, size, &proof, &root, err));
        }
    }
}

static void every_consistency_proof_verifies(void **state)
{
    struct plain plain;
    struct opl_tree tree = {plain_node, &plain};

    (void)state;
    fill(&plain);
    for (uint64_t to = 0; to <= LEAVES; to++) {
        for (uint64_t from = 0; from <= to; from++) {
            struct opl_hash old, new;
            struct opl_proof proof;

            assert_ok(opl_tree_root(&tree, from, &old, err));
            assert_ok(opl_tree_root(&tree, to, &new, err));
            assert_ok(opl_tree_consistency(&tree, from, to, &proof, err));
            assert_ok(opl_consistency_verify(from, &old, to, &new, &proof, err));
        }
    }
}

static void an_edge_read_from_the_tree_is_the_appended_one(void **state)
{
    struct plain plain;
    struct opl_tree tree = {plain_node, &plain};
    struct opl_edge grown = {0}, got;

    (void)state;
    fill(&plain);
    for (uint64_t size = 0; size < LEAVES; size++) {
        assert_ok(opl_tree_edge(&tree, size, &got, err));
        assert_memory_equal(&got, &grown, 8 + 32 * opl_edge_count(size));
        opl_edge_append(&grown, &plain.leaves[size]);
    }
}

/* The seven-leaf example of RFC 9162 section 2.1.5. */
static void proofs_have_the_shapes_of_rfc_9162(void **state)
{
    struct plain plain;
    struct opl_tree tree = {plain_node, &plain};
    struct opl_hash g, h, i, j, k, l;
    struct opl_proof proof;

    (void)state;
    fill(&plain);
    assert_true(plain_node(&plain, 1, 0, &g, NULL) && plain_node(&plain, 1, 1, &h, NULL));
    assert_true(plain_node(&plain, 1, 2, &i, NULL) && plain_node(&plain, 2, 0, &k, NULL));
    j = plain.leaves[6];
    opl_node_hash(&i, &j, &l);
    assert_ok(opl_tree_inclusion(&tree, 0, 7, &proof, err));
    assert_int_equal(proof.count, 3);
    assert_memory_equal(&proof.hash[0], &plain.leaves[1], 32);
    assert_memory_equal(&proof.hash[1], &h, 32);
    assert_memory_equal(&proof.hash[2], &l, 32);
    assert_ok(opl_tree_inclusion(&tree, 6, 7, &proof, err));
    assert_int_equal(proof.count, 2);
    assert_memory_equal(&proof.hash[0], &i, 32);
    assert_memory_equal(&proof.hash[1], &k, 32);
    assert_ok(opl_tree_consistency(&tree, 3, 7, &proof, err));
    assert_int_equal(proof.count, 4);
    assert_memory_equal(&proof.hash[0], &plain.leaves[2], 32);
    assert_memory_equal(&proof.hash[1], &plain.leaves[3], 32);
    assert_memory_equal(&proof.hash[2], &g, 32);
    assert_memory_equal(&proof.hash[3], &l, 32);
    assert_ok(opl_tree_consistency(&tree, 4, 7, &proof, err));
    assert_int_equal(proof.count, 1);
    assert_memory_equal(&proof.hash[0], &l, 32);
    assert_ok(opl_tree_consistency(&tree, 6, 7, &proof, err));
    assert_int_equal(proof.count, 3);
}

static bool count_node(void *ctx, unsigned level, uint64_t index, struct opl_hash *out,
                       struct opl_err *err)
{
    (void)err;
    (void)level;
    (void)index;
    (*(size_t *)ctx)++;
    *out = (struct opl_hash){{0}};
    return true;
}

static void the_largest_tree_needs_few_nodes(void **state)
{
    size_t reads = 0;
    struct opl_tree tree = {count_node, &reads};
    struct opl_proof proof;

    (void)state;
    assert_ok(opl_tree_inclusion(&tree, 0, OPL_TREE_MAX - 1, &proof, err));
    assert_int_equal(proof.count, 62);
    assert_ok(opl_tree_consistency(&tree, OPL_TREE_MAX / 2 + 1, OPL_TREE_MAX - 1, &proof, err));
    assert_true(proof.count <= OPL_PROOF_MAX);
    assert_true(reads < 400);
}

static void what_lies_outside_the_tree_is_refused(void **state)
{
    size_t reads = 0;
    struct opl_tree tree = {count_node, &reads};
    struct opl_proof proof;
    struct opl_hash root;

    (void)state;
    assert_fails(opl_tree_inclusion(&tree, 7, 7, &proof, err), OPL_E_RANGE);
    assert_fails(opl_tree_inclusion(&tree, 0, 0, &proof, err), OPL_E_RANGE);
    assert_fails(opl_tree_consistency(&tree, 8, 7, &proof, err), OPL_E_RANGE);
    assert_fails(opl_tree_root(&tree, OPL_TREE_MAX, &root, err), OPL_E_RANGE);
    assert_int_equal(reads, 0);
}

static void a_reader_that_fails_stops_the_proof(void **state)
{
    struct plain plain;
    struct opl_tree tree = {plain_node, &plain};
    struct opl_proof proof;

    (void)state;
    fill(&plain);
    assert_fails(opl_tree_inclusion(&tree, 0, LEAVES + 2, &proof, err), OPL_E_NOT_FOUND);
    assert_fails(opl_tree_consistency(&tree, 3, LEAVES + 2, &proof, err), OPL_E_NOT_FOUND);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_inclusion_proof_verifies),
    cmocka_unit_test(every_consistency_proof_verifies),
    cmocka_unit_test(an_edge_read_from_the_tree_is_the_appended_one),
    cmocka_unit_test(proofs_have_the_shapes_of_rfc_9162),
    cmocka_unit_test(the_largest_tree_needs_few_nodes),
    cmocka_unit_test(what_lies_outside_the_tree_is_refused),
    cmocka_unit_test(a_reader_that_fails_stops_the_proof),
};

UNIT_MAIN(tests)

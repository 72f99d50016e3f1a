/* SPDX-License-Identifier: Apache-2.0 */
#include "vectors.h"

#include <opledger/merkle.h>

static json_t *eight(json_t *root, const char *key)
{
    return json_object_get(json_object_get(root, "eight"), key);
}

static struct opl_hash root_of(json_t *root, size_t size)
{
    return vectors_hash(json_array_get(eight(root, "roots"), size));
}

static struct opl_hash leaf_of(json_t *root, size_t index)
{
    const char *hex = json_string_value(json_array_get(eight(root, "leaves"), index));
    size_t len = strlen(hex) / 2;
    struct opl_hash leaf;
    uint8_t bytes[16];

    assert_true(opl_hex_decode(hex, bytes, len, NULL));
    opl_leaf_hash(bytes, len, &leaf);
    return leaf;
}

static struct opl_proof proof_of(const json_t *probe)
{
    const json_t *hashes = json_object_get(probe, "proof");
    struct opl_proof proof = {.count = json_array_size(hashes)};

    for (size_t i = 0; i < proof.count; i++)
        proof.hash[i] = vectors_hash(json_array_get(hashes, i));
    return proof;
}

static void edges_give_the_classic_roots(void **state)
{
    OPL_CLEANUP(opl_json_freep) json_t *vectors = vectors_load("merkle.json");
    struct opl_edge edge = {0};

    (void)state;
    for (size_t size = 0; size <= 8; size++) {
        struct opl_hash got, want = root_of(vectors, size), leaf;

        opl_edge_root(&edge, &got);
        assert_true(opl_hash_equal(&got, &want));
        if (size == 8)
            break;
        leaf = leaf_of(vectors, size);
        opl_edge_append(&edge, &leaf);
    }
}

static void edges_give_the_roots_of_a_large_tree(void **state)
{
    OPL_CLEANUP(opl_json_freep) json_t *vectors = vectors_load("merkle.json");
    const json_t *probe;
    struct opl_edge edge = {0};
    size_t i;

    (void)state;
    json_array_foreach(json_object_get(vectors, "numbers"), i, probe)
    {
        struct opl_hash got, want = vectors_hash(json_object_get(probe, "root"));
        uint64_t size = (uint64_t)opl_json_int(probe, "size", 0);

        while (edge.size < size) {
            char text[24];
            int len = snprintf(text, sizeof text, "%llu", (unsigned long long)edge.size);

            opl_leaf_hash(text, (size_t)len, &got);
            opl_edge_append(&edge, &got);
        }
        opl_edge_root(&edge, &got);
        assert_true(opl_hash_equal(&got, &want));
    }
}

static void an_edge_survives_the_round_trip(void **state)
{
    struct opl_edge edge = {0}, again;
    struct opl_hash leaf = {{7}}, a, b;

    (void)state;
    for (uint64_t size = 0; size < 40; size++) {
        OPL_CLEANUP(opl_buf_close) struct opl_buf bytes = {0};

        opl_edge_write(&edge, &bytes);
        assert_ok(opl_edge_read(size, opl_buf_text(&bytes), bytes.len, &again, err));
        opl_edge_root(&edge, &a);
        opl_edge_root(&again, &b);
        assert_true(opl_hash_equal(&a, &b));
        opl_edge_append(&edge, &leaf);
    }
}

static void an_edge_of_the_wrong_length_is_refused(void **state)
{
    uint8_t bytes[64 * 32] = {0};
    struct opl_edge edge;

    (void)state;
    assert_fails(opl_edge_read(3, bytes, 32, &edge, err), OPL_E_LOG);
    assert_fails(opl_edge_read(3, bytes, 65, &edge, err), OPL_E_LOG);
    assert_fails(opl_edge_read(0, bytes, 32, &edge, err), OPL_E_LOG);
    assert_fails(opl_edge_read(UINT64_MAX, bytes, sizeof bytes, &edge, err), OPL_E_LOG);
    assert_fails(opl_edge_read(OPL_TREE_MAX, bytes, 32, &edge, err), OPL_E_LOG);
}

/* Every way to change one part of a good probe must make it fail. */
static void assert_inclusion_only(const struct opl_hash *leaf, uint64_t index, uint64_t size,
                                  struct opl_proof *proof, const struct opl_hash *root)
{
    struct opl_hash other = {{1}};

    assert_ok(opl_inclusion_verify(leaf, index, size, proof, root, err));
    assert_fails(opl_inclusion_verify(&other, index, size, proof, root, err), OPL_E_VERIFY);
    assert_fails(opl_inclusion_verify(leaf, index, size, proof, &other, err), OPL_E_VERIFY);
    assert_fails(opl_inclusion_verify(leaf, size, size, proof, root, err), OPL_E_VERIFY);
    assert_fails(opl_inclusion_verify(leaf, index, 0, proof, root, err), OPL_E_VERIFY);
    assert_fails(opl_inclusion_verify(leaf, index + 256, size, proof, root, err), OPL_E_VERIFY);
    if (size > 1)
        assert_fails(opl_inclusion_verify(leaf, index ^ 1, size, proof, root, err), OPL_E_VERIFY);
    for (size_t i = 0; i < proof->count; i++) {
        proof->hash[i].b[31] ^= 1;
        assert_fails(opl_inclusion_verify(leaf, index, size, proof, root, err), OPL_E_VERIFY);
        proof->hash[i].b[31] ^= 1;
    }
    proof->hash[proof->count++] = *root;
    assert_fails(opl_inclusion_verify(leaf, index, size, proof, root, err), OPL_E_VERIFY);
    proof->count--;
    if (proof->count > 0) {
        proof->count--;
        assert_fails(opl_inclusion_verify(leaf, index, size, proof, root, err), OPL_E_VERIFY);
    }
}

static void inclusion_holds_for_the_vectors_and_no_mutation(void **state)
{
    OPL_CLEANUP(opl_json_freep) json_t *vectors = vectors_load("merkle.json");
    const json_t *probe;
    size_t i;

    (void)state;
    json_array_foreach(eight(vectors, "inclusion"), i, probe)
    {
        size_t index = (size_t)opl_json_int(probe, "index", 0);
        size_t size = (size_t)opl_json_int(probe, "size", 0);
        struct opl_hash leaf = leaf_of(vectors, index), root = root_of(vectors, size);
        struct opl_proof proof = proof_of(probe);

        assert_inclusion_only(&leaf, index, size, &proof, &root);
    }
}

static void assert_consistency_only(uint64_t from, const struct opl_hash *old, uint64_t to,
                                    const struct opl_hash *new, struct opl_proof *proof)
{
    struct opl_hash other = {{1}};

    assert_ok(opl_consistency_verify(from, old, to, new, proof, err));
    assert_fails(opl_consistency_verify(from, &other, to, new, proof, err), OPL_E_VERIFY);
    assert_fails(opl_consistency_verify(from, old, to, &other, proof, err), OPL_E_VERIFY);
    assert_fails(opl_consistency_verify(to + 1, old, to, new, proof, err), OPL_E_VERIFY);
    for (size_t i = 0; i < proof->count; i++) {
        proof->hash[i].b[0] ^= 1;
        assert_fails(opl_consistency_verify(from, old, to, new, proof, err), OPL_E_VERIFY);
        proof->hash[i].b[0] ^= 1;
    }
    proof->hash[proof->count++] = *old;
    assert_fails(opl_consistency_verify(from, old, to, new, proof, err), OPL_E_VERIFY);
    proof->count--;
    if (proof->count > 0) {
        proof->count--;
        assert_fails(opl_consistency_verify(from, old, to, new, proof, err), OPL_E_VERIFY);
    }
}

static void consistency_holds_for_the_vectors_and_no_mutation(void **state)
{
    OPL_CLEANUP(opl_json_freep) json_t *vectors = vectors_load("merkle.json");
    const json_t *probe;
    size_t i;

    (void)state;
    json_array_foreach(eight(vectors, "consistency"), i, probe)
    {
        size_t from = (size_t)opl_json_int(probe, "from", 0);
        size_t to = (size_t)opl_json_int(probe, "to", 0);
        struct opl_hash old = root_of(vectors, from), new = root_of(vectors, to);
        struct opl_proof proof = proof_of(probe);

        assert_consistency_only(from, &old, to, &new, &proof);
    }
}

static void the_empty_tree_is_a_prefix_without_a_proof(void **state)
{
    struct opl_edge none = {0};
    struct opl_hash empty, root = {{5}};
    struct opl_proof proof = {0};

    (void)state;
    opl_edge_root(&none, &empty);
    assert_ok(opl_consistency_verify(0, &empty, 9, &root, &proof, err));
    assert_ok(opl_consistency_verify(0, &empty, 0, &empty, &proof, err));
    assert_fails(opl_consistency_verify(0, &root, 9, &root, &proof, err), OPL_E_VERIFY);
    proof.count = 1;
    assert_fails(opl_consistency_verify(0, &empty, 9, &root, &proof, err), OPL_E_VERIFY);
}

static void sizes_beyond_any_tree_are_refused(void **state)
{
    struct opl_hash root = {{5}};
    struct opl_proof proof = {.count = OPL_PROOF_MAX + 1};

    (void)state;
    assert_fails(opl_inclusion_verify(&root, 1, UINT64_MAX, &proof, &root, err), OPL_E_VERIFY);
    assert_fails(opl_consistency_verify(1, &root, UINT64_MAX, &root, &proof, err), OPL_E_VERIFY);
    assert_fails(opl_consistency_verify(3, &root, 5, &root, &proof, err), OPL_E_VERIFY);
    assert_fails(opl_inclusion_verify(&root, 0, OPL_TREE_MAX - 1, &proof, &root, err),
                 OPL_E_VERIFY);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(edges_give_the_classic_roots),
    cmocka_unit_test(edges_give_the_roots_of_a_large_tree),
    cmocka_unit_test(an_edge_survives_the_round_trip),
    cmocka_unit_test(an_edge_of_the_wrong_length_is_refused),
    cmocka_unit_test(inclusion_holds_for_the_vectors_and_no_mutation),
    cmocka_unit_test(consistency_holds_for_the_vectors_and_no_mutation),
    cmocka_unit_test(the_empty_tree_is_a_prefix_without_a_proof),
    cmocka_unit_test(sizes_beyond_any_tree_are_refused),
};

UNIT_MAIN(tests)

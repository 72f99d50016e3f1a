/* SPDX-License-Identifier: Apache-2.0 */
/* Names and steps of the verifiers are those of RFC 9162 sections 2.1.3.2 and 2.1.4.2. */
#include <opledger/merkle.h>

#define LEAF_PREFIX 0x00
#define NODE_PREFIX 0x01

void opl_leaf_hash(const void *entry, size_t len, struct opl_hash *out)
{
    const uint8_t prefix = LEAF_PREFIX;

    opl_sha256_pair(&prefix, 1, entry, len, out);
}

void opl_node_hash(const struct opl_hash *left, const struct opl_hash *right, struct opl_hash *out)
{
    uint8_t bytes[1 + 2 * sizeof left->b] = {NODE_PREFIX};

    memcpy(bytes + 1, left->b, sizeof left->b);
    memcpy(bytes + 1 + sizeof left->b, right->b, sizeof right->b);
    opl_sha256(bytes, sizeof bytes, out);
}

size_t opl_edge_count(uint64_t size)
{
    return (size_t)__builtin_popcountll(size);
}

/* Each trailing 1-bit of the size is a subtree as large as the one that just became complete. */
void opl_edge_append(struct opl_edge *edge, const struct opl_hash *leaf)
{
    size_t count = opl_edge_count(edge->size);
    struct opl_hash node = *leaf;

    for (uint64_t bits = edge->size; (bits & 1) != 0; bits >>= 1)
        opl_node_hash(&edge->hash[--count], &node, &node);
    edge->hash[count] = node;
    edge->size++;
}

void opl_edge_root(const struct opl_edge *edge, struct opl_hash *root)
{
    size_t count = opl_edge_count(edge->size);

    if (count == 0) {
        opl_sha256("", 0, root);
        return;
    }
    *root = edge->hash[--count];
    while (count > 0)
        opl_node_hash(&edge->hash[--count], root, root);
}

void opl_edge_write(const struct opl_edge *edge, struct opl_buf *out)
{
    opl_buf_add(out, edge->hash, opl_edge_count(edge->size) * sizeof *edge->hash);
}

bool opl_edge_read(uint64_t size, const void *bytes, size_t len, struct opl_edge *out,
                   struct opl_err *err)
{
    size_t want = opl_edge_count(size) * sizeof *out->hash;

    if (size >= OPL_TREE_MAX || len != want)
        return opl_fail(err, OPL_E_LOG, "an edge of %zu bytes is not that of %llu leaves", len,
                        (unsigned long long)size);
    *out = (struct opl_edge){.size = size};
    memcpy(out->hash, bytes, len);
    return true;
}

static bool fail_proof(struct opl_err *err, const char *what)
{
    return opl_fail(err, OPL_E_VERIFY, "the proof does not hold: %s", what);
}

/* Where a verifier stands: node fn of its level, whose last node is sn. */
struct climb {
    uint64_t fn, sn;
};

/* Whether the proof's next hash is a left sibling; then climbs past the levels without any. */
static bool joins_left(struct climb *at)
{
    if ((at->fn & 1) == 0 && at->fn != at->sn)
        return false;
    while ((at->fn & 1) == 0 && at->fn != 0) {
        at->fn >>= 1;
        at->sn >>= 1;
    }
    return true;
}

static void climb(struct climb *at)
{
    at->fn >>= 1;
    at->sn >>= 1;
}

bool opl_inclusion_verify(const struct opl_hash *leaf, uint64_t index, uint64_t size,
                          const struct opl_proof *proof, const struct opl_hash *root,
                          struct opl_err *err)
{
    struct climb at = {index, size - 1};
    struct opl_hash node = *leaf;

    if (size >= OPL_TREE_MAX || index >= size)
        return fail_proof(err, "the entry lies outside the tree");
    for (size_t i = 0; i < proof->count && i < OPL_PROOF_MAX; i++) {
        if (at.sn == 0)
            return fail_proof(err, "it is too long");
        if (joins_left(&at))
            opl_node_hash(&proof->hash[i], &node, &node);
        else
            opl_node_hash(&node, &proof->hash[i], &node);
        climb(&at);
    }
    if (at.sn != 0)
        return fail_proof(err, "it is too short");
    return opl_hash_equal(&node, root) || fail_proof(err, "it leads to another root");
}

struct roots {
    struct opl_hash old_root, new_root;
};

/* Follows the proof from hash `i` on; both trees' roots grow out of the one node they share. */
static bool follow(struct climb at, const struct opl_proof *proof, size_t i, struct roots *roots,
                   struct opl_err *err)
{
    for (; i < proof->count; i++) {
        if (at.sn == 0)
            return fail_proof(err, "it is too long");
        if (joins_left(&at)) {
            opl_node_hash(&proof->hash[i], &roots->old_root, &roots->old_root);
            opl_node_hash(&proof->hash[i], &roots->new_root, &roots->new_root);
        } else {
            opl_node_hash(&roots->new_root, &proof->hash[i], &roots->new_root);
        }
        climb(&at);
    }
    return at.sn == 0 || fail_proof(err, "it is too short");
}

static bool grows(uint64_t old_size, const struct opl_hash *old_root, uint64_t new_size,
                  const struct opl_proof *proof, struct roots *roots, struct opl_err *err)
{
    bool is_node =
        (old_size & (old_size - 1)) == 0; /* then the old root itself is the first hash */
    struct climb at = {old_size - 1, new_size - 1};

    if (proof->count == 0 || proof->count > OPL_PROOF_MAX)
        return fail_proof(err, "it is too short");
    while ((at.fn & 1) != 0)
        climb(&at);
    roots->old_root = roots->new_root = is_node ? *old_root : proof->hash[0];
    return follow(at, proof, is_node ? 0 : 1, roots, err);
}

/* Size 0 is the prefix of every tree, and a tree of its own: what is left to compare are roots. */
static bool verify_trivial(const struct opl_hash *a, const struct opl_hash *b,
                           const struct opl_proof *proof, struct opl_err *err)
{
    if (proof->count != 0)
        return fail_proof(err, "it is too long");
    return opl_hash_equal(a, b) || fail_proof(err, "one size has two roots");
}

bool opl_consistency_verify(uint64_t old_size, const struct opl_hash *old_root, uint64_t new_size,
                            const struct opl_hash *new_root, const struct opl_proof *proof,
                            struct opl_err *err)
{
    struct opl_hash empty;
    struct roots roots;

    if (new_size >= OPL_TREE_MAX || old_size > new_size)
        return fail_proof(err, "the tree has shrunk");
    if (old_size == new_size)
        return verify_trivial(old_root, new_root, proof, err);
    if (old_size == 0) {
        opl_sha256("", 0, &empty);
        return verify_trivial(old_root, &empty, proof, err);
    }
    if (!grows(old_size, old_root, new_size, proof, &roots, err))
        return false;
    if (!opl_hash_equal(&roots.old_root, old_root))
        return fail_proof(err, "it does not start at the earlier root");
    return opl_hash_equal(&roots.new_root, new_root) || fail_proof(err, "it leads to another root");
}

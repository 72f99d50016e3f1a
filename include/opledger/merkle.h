/* SPDX-License-Identifier: Apache-2.0 */
/*
 * merkle - the hashes, edges and proofs of RFC 6962 / RFC 9162 section 2.1.
 *
 * A node (level, index) is the complete subtree over leaves [index * 2^level, (index + 1) *
 * 2^level). An edge (compact range) is the roots of the complete subtrees that make up a tree, the
 * largest first: one per 1-bit of its size. It is all that appending needs.
 */
#ifndef OPLEDGER_MERKLE_H
#define OPLEDGER_MERKLE_H

#include <opledger/buf.h>
#include <opledger/crypto.h>

#define OPL_TREE_MAX ((uint64_t)1 << 62) /* more leaves than any tree may have */
#define OPL_EDGE_MAX 62
#define OPL_PROOF_MAX 63

void opl_leaf_hash(const void *entry, size_t len, struct opl_hash *out);
void opl_node_hash(const struct opl_hash *left, const struct opl_hash *right, struct opl_hash *out);

struct opl_edge { /* `= {0}` is the empty tree's */
    uint64_t size;
    struct opl_hash hash[OPL_EDGE_MAX]; /* opl_edge_count of them are in use */
};

size_t opl_edge_count(uint64_t size); /* 1-bits of size */
void opl_edge_append(struct opl_edge *edge, const struct opl_hash *leaf);
void opl_edge_root(const struct opl_edge *edge, struct opl_hash *root);

/* The hashes one after the other, as a database column keeps them; the size stands beside it. */
void opl_edge_write(const struct opl_edge *edge, struct opl_buf *out);

/* OPL_E_LOG unless len fits the size. */
OPL_MUST_CHECK bool opl_edge_read(uint64_t size, const void *bytes, size_t len,
                                  struct opl_edge *out, struct opl_err *err);

/* An inclusion proof from the leaf's sibling upwards, or a consistency proof. */
struct opl_proof {
    size_t count;
    struct opl_hash hash[OPL_PROOF_MAX];
};

/* OPL_E_VERIFY unless the proof leads from the leaf at `index` to the root of a tree of `size`. */
OPL_MUST_CHECK bool opl_inclusion_verify(const struct opl_hash *leaf, uint64_t index, uint64_t size,
                                         const struct opl_proof *proof, const struct opl_hash *root,
                                         struct opl_err *err);

/*
 * OPL_E_VERIFY unless the tree of old_size and old_root is a prefix of the new one. Equal sizes
 * want equal roots and an empty proof; so does size 0, whose root is that of the empty tree.
 */
OPL_MUST_CHECK bool opl_consistency_verify(uint64_t old_size, const struct opl_hash *old_root,
                                           uint64_t new_size, const struct opl_hash *new_root,
                                           const struct opl_proof *proof, struct opl_err *err);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * merkle_tree - proofs out of a tree whose complete subtrees a reader can look up.
 *
 * Each call reads O(log size) nodes. The reader is the only door to wherever the nodes are kept:
 * tiles, a database, an array.
 */
#ifndef OPLEDGER_MERKLE_TREE_H
#define OPLEDGER_MERKLE_TREE_H

#include <opledger/merkle.h>

/* The hash of the complete subtree (level, index). */
typedef bool opl_node_fn(void *ctx, unsigned level, uint64_t index, struct opl_hash *out,
                         struct opl_err *err);

struct opl_tree {
    opl_node_fn *node;
    void *ctx;
};

/* The root of the first `size` leaves. */
OPL_MUST_CHECK bool opl_tree_root(const struct opl_tree *tree, uint64_t size, struct opl_hash *root,
                                  struct opl_err *err);

/* The edge of the first `size` leaves. */
OPL_MUST_CHECK bool opl_tree_edge(const struct opl_tree *tree, uint64_t size, struct opl_edge *edge,
                                  struct opl_err *err);

/* PATH(index, size); OPL_E_RANGE unless index < size. */
OPL_MUST_CHECK bool opl_tree_inclusion(const struct opl_tree *tree, uint64_t index, uint64_t size,
                                       struct opl_proof *out, struct opl_err *err);

/* PROOF(from, to), empty for 0 and for equal sizes; OPL_E_RANGE unless from <= to. */
OPL_MUST_CHECK bool opl_tree_consistency(const struct opl_tree *tree, uint64_t from, uint64_t to,
                                         struct opl_proof *out, struct opl_err *err);

#endif

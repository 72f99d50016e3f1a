/* SPDX-License-Identifier: Apache-2.0 */
/*
 * verify_tree - the tree that the entries themselves hash to, built while they are read.
 *
 * Kept as hash tiles: level l holds the roots of complete subtrees of 256^l leaves, so that the
 * root at any earlier size costs a few hundred hashes. 32 bytes an entry, and no word of the
 * server's.
 */
#ifndef OPLEDGER_CLIENT_VERIFY_TREE_H
#define OPLEDGER_CLIENT_VERIFY_TREE_H

#include <opledger/checkpoint.h>
#include <opledger/merkle_tree.h>

#define VERIFY_TREE_LEVELS 8

struct verify_tree { /* `= {0}` is the empty one */
    struct opl_buf level[VERIFY_TREE_LEVELS];
    uint64_t size;
};

void verify_tree_close(struct verify_tree *tree);

OPL_MUST_CHECK bool verify_tree_append(struct verify_tree *tree, const struct opl_hash *leaf,
                                       struct opl_err *err);

/* The hashes of a level, and how many there are; borrowed until the next append. */
const struct opl_hash *verify_tree_level(const struct verify_tree *tree, unsigned level,
                                         uint64_t *count);

/* The root of the first `size` leaves, at most tree->size. */
OPL_MUST_CHECK bool verify_tree_root(const struct verify_tree *tree, uint64_t size,
                                     struct opl_hash *root, struct opl_err *err);

/* Whether (size, root) is a prefix of it; *same false too when it is larger. */
OPL_MUST_CHECK bool verify_tree_has(const struct verify_tree *tree, const struct opl_head *head,
                                    bool *same, struct opl_err *err);

#endif

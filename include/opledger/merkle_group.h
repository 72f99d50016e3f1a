/* SPDX-License-Identifier: Apache-2.0 */
/*
 * merkle_group - leaves that join a log together: the edge after them, and each one's proof.
 *
 * All proofs of new leaves follow from the edge before the group and the group itself, so that no
 * tile is read while a group commits.
 */
#ifndef OPLEDGER_MERKLE_GROUP_H
#define OPLEDGER_MERKLE_GROUP_H

#include <opledger/merkle_tree.h>

#define OPL_GROUP_MAX 1048576 /* leaves */

struct opl_merkle_group;

/* Copies what it is given. NULL: no memory, or more leaves than OPL_GROUP_MAX. */
struct opl_merkle_group *opl_group_new(const struct opl_edge *before, const struct opl_hash *leaves,
                                       size_t count);
void opl_group_free(struct opl_merkle_group *group);
void opl_group_freep(struct opl_merkle_group **group); /* cleanup function */

/* The edge of the tree with the group in it; borrowed. */
const struct opl_edge *opl_group_edge(const struct opl_merkle_group *group);

/* The inclusion proof of the group's leaf i, at index before->size + i, in that tree; i < count. */
void opl_group_proof(const struct opl_merkle_group *group, size_t i, struct opl_proof *out);

/*
 * The group as a tree: it knows the complete subtrees that hold one of its leaves, and those of the
 * edge before it; OPL_E_NOT_FOUND for others. Valid as long as the group. Enough for consistency
 * from the size before.
 */
struct opl_tree opl_group_tree(struct opl_merkle_group *group);

#endif

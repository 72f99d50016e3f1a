/* SPDX-License-Identifier: Apache-2.0 */
#include "verify_tree.h"

#include <opledger/tile.h>

#define TILE_BITS 8

void verify_tree_close(struct verify_tree *tree)
{
    for (size_t i = 0; i < VERIFY_TREE_LEVELS; i++)
        opl_buf_close(&tree->level[i]);
    memset(tree, 0, sizeof(*tree));
}

/* The root of 2^bits hashes. */
static void fold(const struct opl_hash *from, unsigned bits, struct opl_hash *out)
{
    struct opl_hash row[OPL_TILE_WIDTH];

    memcpy(row, from, sizeof(*row) << bits);
    for (size_t count = (size_t)1 << bits; count > 1; count /= 2)
        for (size_t i = 0; i < count / 2; i++) {
            const struct opl_hash left = row[2 * i], right = row[2 * i + 1];

            opl_node_hash(&left, &right, &row[i]);
        }
    *out = row[0];
}

const struct opl_hash *verify_tree_level(const struct verify_tree *tree, unsigned level,
                                         uint64_t *count)
{
    *count = tree->level[level].len / sizeof(struct opl_hash);
    return (const struct opl_hash *)tree->level[level].data;
}

bool verify_tree_append(struct verify_tree *tree, const struct opl_hash *leaf, struct opl_err *err)
{
    struct opl_hash next = *leaf;
    uint64_t count;

    for (unsigned level = 0; level < VERIFY_TREE_LEVELS; level++) {
        const struct opl_hash *row;

        opl_buf_add(&tree->level[level], &next, sizeof(next));
        if (!opl_buf_ok(&tree->level[level], err))
            return false;
        row = verify_tree_level(tree, level, &count);
        if (count % OPL_TILE_WIDTH != 0)
            break;
        fold(&row[count - OPL_TILE_WIDTH], TILE_BITS, &next);
    }
    tree->size++;
    return true;
}

static bool node(void *ctx, unsigned level, uint64_t index, struct opl_hash *out,
                 struct opl_err *err)
{
    const struct verify_tree *tree = ctx;
    unsigned height = level % TILE_BITS;
    uint64_t first = index << height, count;
    const struct opl_hash *row;

    if (level / TILE_BITS >= VERIFY_TREE_LEVELS)
        return opl_fail(err, OPL_E_RANGE, "no tree is that high");
    row = verify_tree_level(tree, level / TILE_BITS, &count);
    if (first + ((uint64_t)1 << height) > count)
        return opl_fail(err, OPL_E_RANGE, "the tree has no such subtree");
    fold(&row[first], height, out);
    return true;
}

bool verify_tree_root(const struct verify_tree *tree, uint64_t size, struct opl_hash *root,
                      struct opl_err *err)
{
    const struct opl_tree view = {.node = node, .ctx = (void *)tree};

    return opl_tree_root(&view, size, root, err);
}

bool verify_tree_has(const struct verify_tree *tree, const struct opl_head *head, bool *same,
                     struct opl_err *err)
{
    struct opl_hash root;

    *same = false;
    if (head->size > tree->size)
        return true;
    if (!verify_tree_root(tree, head->size, &root, err))
        return false;
    *same = opl_hash_equal(&root, &head->root);
    return true;
}

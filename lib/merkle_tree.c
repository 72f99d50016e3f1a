/* SPDX-License-Identifier: Apache-2.0 */
/*
 * RFC 6962 section 2.1 splits a tree at the largest power of two below its size. Going down from
 * the root, PATH and PROOF note the half that they leave aside; their order is from below upwards.
 * Only one noted half can be incomplete, so a proof reads O(log size) nodes.
 */
#include <opledger/merkle_tree.h>

struct range { /* leaves [begin, end) of the tree */
    uint64_t begin, end;
};

/* Halves left aside on the way down, at most one per level. */
struct descent {
    struct range aside[64];
    size_t count;
};

static unsigned log2_below(uint64_t count)
{
    return 63 - (unsigned)__builtin_clzll(count);
}

/* The first and largest complete subtree of a range, which it shortens. */
static bool take_subtree(const struct opl_tree *tree, struct range *range, struct opl_hash *out,
                         struct opl_err *err)
{
    unsigned level = log2_below(range->end - range->begin);
    uint64_t index = range->begin >> level;

    range->begin += (uint64_t)1 << level;
    return tree->node(tree->ctx, level, index, out, err);
}

static bool read_edge(const struct opl_tree *tree, struct range range, struct opl_edge *edge,
                      struct opl_err *err)
{
    size_t count = 0;

    edge->size = range.end - range.begin;
    while (range.begin < range.end) {
        if (!take_subtree(tree, &range, &edge->hash[count++], err))
            return false;
    }
    return true;
}

static bool range_root(const struct opl_tree *tree, struct range range, struct opl_hash *out,
                       struct opl_err *err)
{
    uint64_t count = range.end - range.begin;
    struct opl_edge edge;

    if (count != 0 && (count & (count - 1)) == 0)
        return take_subtree(tree, &range, out, err);
    if (!read_edge(tree, range, &edge, err))
        return false;
    opl_edge_root(&edge, out);
    return true;
}

/* Goes down to the half in which `leaf` lies; says whether that is the left one. */
static bool descend(struct descent *descent, struct range *at, uint64_t leaf)
{
    uint64_t middle = at->begin + ((uint64_t)1 << log2_below(at->end - at->begin - 1));
    struct range left = {at->begin, middle}, right = {middle, at->end};
    bool is_left = leaf < middle;

    descent->aside[descent->count++] = is_left ? right : left;
    *at = is_left ? left : right;
    return is_left;
}

static bool add_hash(const struct opl_tree *tree, struct range range, struct opl_proof *out,
                     struct opl_err *err)
{
    if (out->count == OPL_PROOF_MAX)
        return opl_fail(err, OPL_E_RANGE, "a proof has at most %d hashes", OPL_PROOF_MAX);
    return range_root(tree, range, &out->hash[out->count++], err);
}

static bool add_aside(const struct opl_tree *tree, const struct descent *descent,
                      struct opl_proof *out, struct opl_err *err)
{
    for (size_t i = descent->count; i > 0; i--) {
        if (!add_hash(tree, descent->aside[i - 1], out, err))
            return false;
    }
    return true;
}

static bool check_size(uint64_t size, struct opl_err *err)
{
    if (size >= OPL_TREE_MAX)
        return opl_fail(err, OPL_E_RANGE, "no tree has %llu leaves", (unsigned long long)size);
    return true;
}

bool opl_tree_edge(const struct opl_tree *tree, uint64_t size, struct opl_edge *edge,
                   struct opl_err *err)
{
    return check_size(size, err) && read_edge(tree, (struct range){0, size}, edge, err);
}

bool opl_tree_root(const struct opl_tree *tree, uint64_t size, struct opl_hash *root,
                   struct opl_err *err)
{
    return check_size(size, err) && range_root(tree, (struct range){0, size}, root, err);
}

bool opl_tree_inclusion(const struct opl_tree *tree, uint64_t index, uint64_t size,
                        struct opl_proof *out, struct opl_err *err)
{
    struct range at = {0, size};
    struct descent descent = {0};

    out->count = 0;
    if (!check_size(size, err))
        return false;
    if (index >= size)
        return opl_fail(err, OPL_E_RANGE, "entry %llu is not among the first %llu",
                        (unsigned long long)index, (unsigned long long)size);
    while (at.end - at.begin > 1)
        (void)descend(&descent, &at, index);
    return add_aside(tree, &descent, out, err);
}

bool opl_tree_consistency(const struct opl_tree *tree, uint64_t from, uint64_t to,
                          struct opl_proof *out, struct opl_err *err)
{
    struct range at = {0, to};
    struct descent descent = {0};
    bool is_old_root = true; /* the flag b of SUBPROOF(m, D_n, b) */

    out->count = 0;
    if (!check_size(to, err))
        return false;
    if (from > to)
        return opl_fail(err, OPL_E_RANGE, "a tree of %llu leaves has no earlier one of %llu",
                        (unsigned long long)to, (unsigned long long)from);
    if (from == 0 || from == to)
        return true;
    while (at.end != from) {
        if (!descend(&descent, &at, from - 1))
            is_old_root = false;
    }
    return (is_old_root || add_hash(tree, at, out, err)) && add_aside(tree, &descent, out, err);
}

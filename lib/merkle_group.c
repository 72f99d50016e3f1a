/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Per level, the complete subtrees that hold a new leaf lie side by side, from index
 * before.size >> level on. Left of the first stands, where bit `level` of before.size is set, one
 * that the edge before the group holds; nothing further left is ever needed.
 */
#include <opledger/merkle_group.h>

#include <assert.h>

#define LEVELS 63

struct level {
    uint64_t first; /* index of nodes[0] */
    size_t count;
    struct opl_hash *nodes; /* into the group's array */
};

struct opl_merkle_group {
    struct opl_edge before, after;
    struct level levels[LEVELS];
    struct opl_hash nodes[]; /* all levels, the leaves first */
};

static struct level level_at(uint64_t before, uint64_t after, unsigned level)
{
    struct level out = {.first = before >> level};

    out.count = (size_t)((after >> level) - out.first);
    return out;
}

static size_t count_nodes(uint64_t before, uint64_t after)
{
    size_t count = 0;

    for (unsigned level = 0; level < LEVELS; level++)
        count += level_at(before, after, level).count;
    return count;
}

static const struct opl_hash *find(const struct opl_merkle_group *group, unsigned level,
                                   uint64_t index)
{
    const struct level *at;
    uint64_t bits;

    if (level >= LEVELS)
        return NULL;
    at = &group->levels[level];
    if (index >= at->first)
        return index - at->first < at->count ? &at->nodes[index - at->first] : NULL;
    bits = group->before.size >> level;
    if ((bits & 1) == 0 || index != at->first - 1)
        return NULL;
    return &group->before.hash[opl_edge_count(bits) - 1];
}

/* Level 0 is there; each further one follows from the one below it. */
static void build_level(struct opl_merkle_group *group, unsigned level)
{
    const struct level *at = &group->levels[level];

    for (size_t i = 0; i < at->count; i++) {
        uint64_t left = 2 * (at->first + i);

        opl_node_hash(find(group, level - 1, left), find(group, level - 1, left + 1),
                      &at->nodes[i]);
    }
}

static void build_edge(struct opl_merkle_group *group)
{
    struct opl_edge *after = &group->after;
    size_t count = 0;

    for (unsigned level = LEVELS; level-- > 0;) {
        uint64_t bits = after->size >> level;

        if ((bits & 1) != 0)
            after->hash[count++] = *find(group, level, bits - 1);
    }
}

static void build(struct opl_merkle_group *group, const struct opl_hash *leaves)
{
    struct opl_hash *nodes = group->nodes;

    for (unsigned level = 0; level < LEVELS; level++) {
        struct level *at = &group->levels[level];

        *at = level_at(group->before.size, group->after.size, level);
        at->nodes = nodes;
        nodes += at->count;
        if (level > 0)
            build_level(group, level);
        else if (at->count > 0)
            memcpy(at->nodes, leaves, at->count * sizeof *leaves);
    }
    build_edge(group);
}

struct opl_merkle_group *opl_group_new(const struct opl_edge *before, const struct opl_hash *leaves,
                                       size_t count)
{
    struct opl_merkle_group *group;
    size_t nodes;

    if (count > OPL_GROUP_MAX || before->size >= OPL_TREE_MAX - count)
        return NULL;
    nodes = count_nodes(before->size, before->size + count);
    group = malloc(sizeof *group + nodes * sizeof *group->nodes);
    if (group == NULL)
        return NULL;
    group->before = *before;
    group->after = (struct opl_edge){.size = before->size + count};
    build(group, leaves);
    return group;
}

void opl_group_free(struct opl_merkle_group *group)
{
    free(group);
}

void opl_group_freep(struct opl_merkle_group **group)
{
    opl_group_free(*group);
    *group = NULL;
}

const struct opl_edge *opl_group_edge(const struct opl_merkle_group *group)
{
    return &group->after;
}

static bool read_node(void *ctx, unsigned level, uint64_t index, struct opl_hash *out,
                      struct opl_err *err)
{
    const struct opl_hash *node = find(ctx, level, index);

    if (node == NULL)
        return opl_fail(err, OPL_E_NOT_FOUND, "node %u/%llu is older than the group", level,
                        (unsigned long long)index);
    *out = *node;
    return true;
}

struct opl_tree opl_group_tree(struct opl_merkle_group *group)
{
    return (struct opl_tree){read_node, group};
}

void opl_group_proof(const struct opl_merkle_group *group, size_t i, struct opl_proof *out)
{
    const struct opl_tree tree = {read_node, (void *)group}; /* only read through */
    bool found = opl_tree_inclusion(&tree, group->before.size + i, group->after.size, out, NULL);

    assert(found && "a group holds every node of its proofs");
    (void)found;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "proven.h"

#include "client.h"
#include "log_view.h"
#include "tiles.h"

static void tiles_freep(struct tiles **tiles)
{
    free(*tiles);
}

/* One head serves a whole run, until an entry turns up that is newer. */
static bool head_beyond(struct client *client, uint64_t seq, struct opl_head *out,
                        struct opl_err *err)
{
    if (!client->head_known || client->head.size <= seq) {
        if (!log_view_head(client, &client->head, err))
            return false;
        client->head_known = true;
    }
    *out = client->head;
    return seq < out->size || opl_fail(err, OPL_E_VERIFY, "entry %llu is beyond the end of the log",
                                       (unsigned long long)seq);
}

static bool prove(const struct opl_tree *tree, const struct opl_head *head,
                  const struct subject_entry *entry, struct opl_err *err)
{
    struct opl_proof proof;
    struct opl_err why = {0};

    if (!opl_tree_inclusion(tree, entry->entry.seq, head->size, &proof, err))
        return false;
    return opl_inclusion_verify(&entry->leaf, entry->entry.seq, head->size, &proof, &head->root,
                                &why) ||
           opl_fail(err, OPL_E_VERIFY, "entry %llu, as it was shown, is not in the signed log",
                    (unsigned long long)entry->entry.seq);
}

bool proven_entries(struct client *client, const struct subject_entry *entries, size_t count,
                    struct opl_err *err)
{
    OPL_CLEANUP(tiles_freep) struct tiles *tiles = calloc(1, sizeof(*tiles));
    uint64_t newest = 0;
    struct opl_head head;
    struct opl_tree tree;

    if (tiles == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for tiles");
    for (size_t i = 0; i < count; i++)
        if (entries[i].entry.seq > newest)
            newest = entries[i].entry.seq;
    if (count == 0)
        return true;
    if (!head_beyond(client, newest, &head, err))
        return false;
    tiles->api = client->api;
    tiles->size = head.size;
    tree = tiles_tree(tiles);
    for (size_t i = 0; i < count; i++)
        if (!prove(&tree, &head, &entries[i], err))
            return false;
    return true;
}

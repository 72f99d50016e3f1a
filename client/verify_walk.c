/* SPDX-License-Identifier: Apache-2.0 */
/*
 * verify_walk - every entry once, in order.
 *
 * A ledger that notices damage refuses a whole page. Then its entries are asked for one by one, so
 * that the damaged one is named and the rest is still looked at.
 */
#include "verify.h"

#include <inttypes.h>
#include <unistd.h>

#include <opledger/json.h>
#include <opledger/tile.h>

#include "api.h"
#include "client.h"

static void show_progress(const struct verify *verify, bool last)
{
    FILE *to = verify->client->out.messages;

    if (isatty(fileno(to)) != 1)
        return;
    fprintf(to, "\rlog verify: %" PRIu64 " of %" PRIu64 " entries%s", verify->tree.size,
            verify->head.size, last ? "\n" : "");
    fflush(to);
}

/* An entry that cannot be had: the tree goes on with the leaf that the tile names. */
static bool skip_entry(struct verify *verify, const char *why, struct opl_err *err)
{
    struct opl_hash leaves[OPL_TILE_WIDTH];
    uint64_t seq = verify->tree.size;
    struct opl_err ignored = {0};

    verify_wrong(verify, seq, "the ledger does not serve it: %s", why);
    verify->unread = !verify_tile_leaves(verify, seq / OPL_TILE_WIDTH, leaves, &ignored);
    return verify->unread || verify_tree_append(&verify->tree, &leaves[seq % OPL_TILE_WIDTH], err);
}

static bool walk_one(struct verify *verify, struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *item = NULL;
    struct opl_err why = {0};
    char path[64];

    snprintf(path, sizeof(path), "/v1/entries/%" PRIu64, verify->tree.size);
    if (api_get(verify->client->api, path, &item, &why))
        return verify_entry(verify, item, err);
    if (why.code == OPL_E_NOT_FOUND || verify_is_finding(&why))
        return skip_entry(verify, why.text, err);
    return opl_fail(err, why.code, "%s", why.text);
}

static bool walk_singly(struct verify *verify, uint64_t to, struct opl_err *err)
{
    while (verify->tree.size < to && !verify->unread)
        if (!walk_one(verify, err))
            return false;
    return true;
}

static bool walk_items(struct verify *verify, const json_t *items, uint64_t to, struct opl_err *err)
{
    size_t i;
    const json_t *item;

    json_array_foreach(items, i, item)
    {
        if (verify->tree.size < to && !verify_entry(verify, item, err))
            return false;
    }
    return true;
}

static bool walk_page(struct verify *verify, struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *page = NULL;
    uint64_t from = verify->tree.size;
    uint64_t to =
        from + OPL_TILE_WIDTH < verify->head.size ? from + OPL_TILE_WIDTH : verify->head.size;
    struct opl_err why = {0};
    char path[96];

    snprintf(path, sizeof(path), "/v1/entries?from=%" PRIu64 "&limit=%" PRIu64, from, to - from);
    if (!api_get(verify->client->api, path, &page, &why)) {
        if (verify_is_finding(&why))
            return walk_singly(verify, to, err);
        return opl_fail(err, why.code, "%s", why.text);
    }
    if (!walk_items(verify, json_object_get(page, "items"), to, err))
        return false;
    return walk_singly(verify, to, err); /* what the page left out */
}

bool verify_walk(struct verify *verify, struct opl_err *err)
{
    while (verify->tree.size < verify->head.size && !verify->unread) {
        show_progress(verify, false);
        if (!walk_page(verify, err))
            return false;
    }
    show_progress(verify, true);
    return true;
}

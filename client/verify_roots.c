/* SPDX-License-Identifier: Apache-2.0 */
/*
 * verify_roots - the tree of the entries against every head that the log key is known to have
 * signed, and from them the place of what was rewritten.
 *
 * A head that is a prefix of the tree proves every entry below it; one that is not proves that one
 * of them is wrong. So the largest that fits and the smallest that does not are the bounds, and the
 * notes that the ledger signed in between narrow them: one per group of writes. Where several
 * entries were written in one group, the stored hash tile may name the one; else a range is all
 * that can be said.
 */
#include "verify.h"

#include <inttypes.h>

#include <opledger/json.h>
#include <opledger/tile.h>

#include "api.h"
#include "client.h"

#define PROBES 64 /* notes asked for around one middle */

/* Entries below `good` are proven; one below `bad` is wrong. */
struct bounds {
    uint64_t good;
    uint64_t bad; /* UINT64_MAX: nothing is known to be wrong */
};

static bool narrow(struct verify *verify, struct bounds *bounds, const struct opl_head *head,
                   struct opl_err *err)
{
    bool same;

    if (head->size > verify->tree.size)
        return true;
    if (!verify_tree_has(&verify->tree, head, &same, err))
        return false;
    if (same && head->size > bounds->good)
        bounds->good = head->size;
    if (!same && head->size < bounds->bad)
        bounds->bad = head->size;
    verify->counts.heads += same;
    return true;
}

/* The head that was signed at exactly this size; *found false where none was. */
static bool fetch_head(struct verify *verify, uint64_t size, struct opl_head *head, bool *found,
                       struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *reply = NULL;
    struct opl_err why = {0};
    const char *note;
    char path[96];

    *found = false;
    snprintf(path, sizeof(path), "/v1/entries/%" PRIu64 "/proof?size=%" PRIu64, size - 1, size);
    if (!api_get(verify->client->api, path, &reply, &why))
        return verify_is_finding(&why) || opl_fail(err, why.code, "%s", why.text);
    note = opl_json_str(reply, "note");
    *found = note != NULL && opl_checkpoint_open(note, strlen(note), &verify->vkey, head, NULL) &&
             head->size == size;
    return true;
}

/* Asks for the sizes from `size` on, in steps of `step`, that lie strictly between the bounds. */
static bool probe(struct verify *verify, const struct bounds *bounds, uint64_t size, int step,
                  struct opl_head *head, bool *found, struct opl_err *err)
{
    for (unsigned tries = 0; tries < PROBES && size > bounds->good && size < bounds->bad && !*found;
         tries++, size += (uint64_t)(int64_t)step)
        if (!fetch_head(verify, size, head, found, err))
            return false;
    return true;
}

/* Some signed head strictly between: near the middle, or near the ends of a large group. */
static bool find_between(struct verify *verify, const struct bounds *bounds, struct opl_head *head,
                         bool *found, struct opl_err *err)
{
    uint64_t middle = bounds->good + (bounds->bad - bounds->good) / 2;

    *found = false;
    return probe(verify, bounds, middle, 1, head, found, err) &&
           probe(verify, bounds, middle - 1, -1, head, found, err) &&
           probe(verify, bounds, bounds->bad - 1, -1, head, found, err) &&
           probe(verify, bounds, bounds->good + 1, 1, head, found, err);
}

static bool bisect(struct verify *verify, struct bounds *bounds, struct opl_err *err)
{
    bool found = true;

    while (found && bounds->bad - bounds->good > 1) {
        struct opl_head head;

        if (!find_between(verify, bounds, &head, &found, err) ||
            (found && !narrow(verify, bounds, &head, err)))
            return false;
    }
    return true;
}

/* The first entry within the bounds whose leaf is not the one in the stored tile. */
static bool tile_differs(struct verify *verify, const struct bounds *bounds, uint64_t *entry)
{
    struct opl_hash stored[OPL_TILE_WIDTH];
    uint64_t count;
    const struct opl_hash *leaves = verify_tree_level(&verify->tree, 0, &count);

    for (uint64_t seq = bounds->good; seq < bounds->bad && seq < count; seq++) {
        struct opl_err ignored = {0};
        size_t at = seq % OPL_TILE_WIDTH;

        if ((at == 0 || seq == bounds->good) &&
            !verify_tile_leaves(verify, seq / OPL_TILE_WIDTH, stored, &ignored))
            return false;
        if (opl_hash_equal(&stored[at], &leaves[seq]))
            continue;
        *entry = seq;
        return true;
    }
    return false;
}

/* The rewritten entry comes before anything that only follows from it. */
static void place(struct verify *verify, const struct bounds *bounds)
{
    struct verify_finding *wrong = &verify->wrong;
    uint64_t entry = bounds->good, last = bounds->bad - 1;
    const char *how = "the tree that the log key signed holds another one in its place";

    if (last > entry && tile_differs(verify, bounds, &entry)) {
        how = "the stored hash tile holds another one in its place";
        last = entry;
    }
    if (last > entry && wrong->found && wrong->entry >= entry && wrong->entry <= last) {
        wrong->good = bounds->good; /* what was found there says more than the range */
        return;
    }
    wrong->found = false;
    verify_wrong(verify, entry, "%s", how);
    wrong->last = last;
    wrong->good = bounds->good;
}

/* ---- what this client keeps ---- */

struct gathering {
    struct verify *verify;
    struct bounds *bounds;
};

/* A kept head that is larger than what was read: the log grew meanwhile, or it has shrunk. */
static bool check_larger(struct verify *verify, const struct opl_head *head, struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf note = OPL_BUF_INIT(OPL_NOTE_MAX);
    struct opl_head now;

    if (!api_get_bytes(verify->client->api, "/checkpoint", &note, err) ||
        !opl_checkpoint_open(opl_buf_text(&note), note.len, &verify->vkey, &now, err))
        return false;
    if (now.size < head->size)
        verify_wrong(verify, now.size,
                     "it was in the log of %" PRIu64 " entries of which this client keeps a proof, "
                     "and is not in the %" PRIu64 " that the ledger shows now",
                     head->size, now.size);
    return true;
}

static bool add_head(void *ctx, const struct opl_head *head, struct opl_err *err)
{
    struct gathering *gathering = ctx;

    if (head->size > gathering->verify->head.size)
        return check_larger(gathering->verify, head, err);
    return narrow(gathering->verify, gathering->bounds, head, err);
}

static bool add_receipt(void *ctx, const struct opl_receipt *receipt, struct opl_err *err)
{
    struct gathering *gathering = ctx;

    verify_receipt(gathering->verify, receipt);
    return add_head(ctx, &receipt->checkpoint, err);
}

bool verify_roots(struct verify *verify, struct opl_err *err)
{
    struct bounds bounds = {.good = 0, .bad = UINT64_MAX};
    struct gathering gathering = {verify, &bounds};
    bool early = verify->wrong.found && verify->unread;

    if (!verify_memory(verify, add_receipt, add_head, &gathering, err) ||
        !narrow(verify, &bounds, &verify->head, err) ||
        (verify->has_known && !narrow(verify, &bounds, &verify->known, err)))
        return false;
    if (bounds.bad == UINT64_MAX) {
        if (early && bounds.good < verify->wrong.good)
            verify->wrong.good = bounds.good; /* what lies between could not be proven */
        return true;
    }
    if (!bisect(verify, &bounds, err))
        return false;
    place(verify, &bounds);
    return true;
}

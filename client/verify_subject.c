/* SPDX-License-Identifier: Apache-2.0 */
/*
 * verify_subject - the page of a subject: all entries about it, found through the indexes, against
 * the chain that the entries themselves form by `prev`.
 */
#include "verify.h"

#include <inttypes.h>

#include <opledger/encode.h>
#include <opledger/json.h>
#include <opledger/time.h>

#include "api.h"
#include "client.h"
#include "subject.h"

static bool is_in_tree(const struct verify *verify, const struct subject_entry *shown)
{
    uint64_t count;
    const struct opl_hash *leaves = verify_tree_level(&verify->tree, 0, &count);

    return shown->entry.seq < count && opl_hash_equal(&shown->leaf, &leaves[shown->entry.seq]);
}

/* `last` is the entry before it on the page, VERIFY_NO_ENTRY at its beginning. */
static bool is_next(const struct opl_fold *fold, const struct opl_entry *entry, uint64_t last)
{
    if (last == VERIFY_NO_ENTRY)
        return entry->seq == fold->created && entry->id != NULL && strcmp(entry->id, fold->id) == 0;
    return entry->on != NULL && strcmp(entry->on, fold->id) == 0 && entry->prev >= 0 &&
           (uint64_t)entry->prev == last;
}

static void check_chain(struct verify *verify, const struct opl_fold *fold,
                        const struct subject *page)
{
    uint64_t last = VERIFY_NO_ENTRY;

    for (size_t i = 0; i < page->count; i++) {
        const struct opl_entry *entry = &page->entries[i].entry;

        if (!is_in_tree(verify, &page->entries[i])) {
            verify_wrong(verify, entry->seq, "the page of %s shows another one", fold->id);
            return;
        }
        if (!is_next(fold, entry, last)) {
            verify_wrong_thing(verify, fold->id,
                               "its page lacks an entry before %" PRIu64
                               ", or shows one that is not its own",
                               entry->seq);
            return;
        }
        last = entry->seq;
    }
    if (last != fold->last_seq)
        verify_wrong_thing(verify, fold->id, "its page lacks entry %" PRIu64, fold->last_seq);
}

static bool grew(const struct verify *verify, const struct subject *page)
{
    return opl_json_int(json_object_get(page->reply, "log"), "size", -1) !=
           (int64_t)verify->head.size;
}

/* Hashed and unsealed again; that each stands in the log the tree at hand says, without proofs. */
static bool load(struct verify *verify, const char *noun, const char *id, struct subject *page,
                 struct opl_err *err)
{
    const json_t *items;
    char path[80];

    snprintf(path, sizeof(path), "/v1/%s/%s", noun, id);
    if (!api_get(verify->client->api, path, &page->reply, err))
        return false;
    items = json_object_get(page->reply, "entries");
    page->entries = calloc(json_array_size(items) + 1, sizeof(*page->entries));
    if (page->entries == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for a page");
    for (; page->count < json_array_size(items); page->count++)
        if (!subject_entry_read(json_array_get(items, page->count), &page->entries[page->count],
                                err))
            return false;
    return true;
}

bool verify_subject(struct verify *verify, const char *noun, const struct opl_fold *fold,
                    struct opl_err *err)
{
    OPL_CLEANUP(subject_close) struct subject page = {0};
    struct opl_err why = {0};
    const char *status, *now;

    if (!load(verify, noun, fold->id, &page, &why)) {
        if (!verify_is_finding(&why) && why.code != OPL_E_NOT_FOUND)
            return opl_fail(err, why.code, "%s", why.text);
        verify_wrong_thing(verify, fold->id, "its page cannot be had: %s", why.text);
        return true;
    }
    if (grew(verify, &page)) {
        verify->counts.subjects_skipped++;
        return true;
    }
    check_chain(verify, fold, &page);
    status = opl_json_str(page.reply, "status");
    now = verify_status(verify, fold, opl_time_now());
    if (now != NULL && (status == NULL || strcmp(status, now) != 0))
        verify_wrong_thing(verify, fold->id, "its page says that it is %s, its entries %s",
                           status != NULL ? status : "nothing", now);
    return true;
}

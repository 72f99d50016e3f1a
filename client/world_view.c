/* SPDX-License-Identifier: Apache-2.0 */
#include "world_view.h"

#include <opledger/hypothesis.h>
#include <opledger/json.h>

#include "api.h"
#include "blobs.h"
#include "client.h"
#include "subject.h"

#define PAGE 1000
#define DOCUMENT_MAX ((size_t)4 << 20)

static bool load_subject(void *ctx, const char *id, struct opl_world *world, struct opl_err *err)
{
    OPL_CLEANUP(subject_close) struct subject subject = {0};
    struct opl_err why = {0};

    if (!subject_load(ctx, id, &subject, &why)) {
        if (why.code == OPL_E_NOT_FOUND)
            return true; /* the world then says that there is no such subject */
        opl_fail(err, why.code, "%s", why.text);
        return opl_hint(err, "%s", why.hint);
    }
    for (size_t i = 0; i < subject.count; i++)
        if (!opl_world_apply(world, &subject.entries[i].entry, err))
            return false;
    return true;
}

static bool load_document(void *ctx, const struct opl_hash *sha256, struct opl_buf *out,
                          bool *found, struct opl_err *err)
{
    struct opl_err why = {0};

    out->max = DOCUMENT_MAX;
    *found = blobs_get(ctx, sha256, out, &why);
    if (*found || why.code == OPL_E_NOT_FOUND)
        return true;
    opl_fail(err, why.code, "%s", why.text);
    return opl_hint(err, "%s", why.hint);
}

static bool apply_page(struct opl_registry *registry, const json_t *items, struct opl_err *err)
{
    size_t i;
    const json_t *item;

    json_array_foreach(items, i, item)
    {
        OPL_CLEANUP(subject_entry_close) struct subject_entry entry = {0};

        if (!subject_entry_read(item, &entry, err) ||
            !opl_registry_apply(registry, &entry.entry, err))
            return false;
    }
    return true;
}

/* Page after page; *from is where the next one begins. */
static bool read_page(struct client *client, struct opl_registry *registry, int64_t *from,
                      bool *more, struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *page = NULL;
    const json_t *items;
    char path[96];

    snprintf(path, sizeof(path), "/v1/entries?from=%lld&limit=%d", (long long)*from, PAGE);
    if (!api_get(client->api, path, &page, err))
        return false;
    items = json_object_get(page, "items");
    if (opl_json_int(page, "size", 0) > WORLD_VIEW_MAX)
        return opl_fail(err, OPL_E_TOO_LARGE, "the log has more than %d entries", WORLD_VIEW_MAX);
    *from += (int64_t)json_array_size(items);
    *more = json_array_size(items) > 0 && *from < opl_json_int(page, "size", 0);
    return apply_page(registry, items, err);
}

static bool read_registry(struct client *client, struct opl_registry *registry, struct opl_err *err)
{
    int64_t from = 0;
    bool more = true;

    while (more)
        if (!read_page(client, registry, &from, &more, err))
            return false;
    return true;
}

bool world_view_new(struct client *client, struct opl_world **out, struct opl_err *err)
{
    struct opl_source source = {.ctx = client, .subject = load_subject, .document = load_document};
    OPL_CLEANUP(opl_registry_freep) struct opl_registry *registry = opl_registry_new();

    if (registry == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for the registry");
    if (!read_registry(client, registry, err))
        return false;
    *out = opl_world_new(&source);
    if (*out == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for the state of the log");
    opl_world_set_registry_take(*out, registry);
    registry = NULL;
    return true;
}

bool world_view_status(struct opl_world *world, const char *id, const char **status,
                       struct opl_err *err)
{
    struct opl_hyp_view view = {.positive_below = UINT64_MAX};
    const struct opl_fold *fold = NULL;
    struct opl_hyp_result *result;
    bool ok;

    if (!opl_world_find(world, id, &fold, err))
        return false;
    if (fold == NULL)
        return opl_fail(err, OPL_E_NOT_FOUND, "there is no %s", id);
    *status = opl_state_name(fold->state);
    if (fold->prefix != OPL_ID_HYP)
        return true;
    result = calloc(1, sizeof(*result));
    if (result == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for a status");
    ok = opl_hypothesis_status(world, fold, &view, result, err);
    if (ok)
        *status = opl_hyp_status_name(result->status);
    free(result);
    return ok;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * apply_drift - was the live base left so by a recorded change, or did somebody go around the gate?
 *
 * A file counts as drifted unless the newest applied change that names it left exactly what lies
 * there. It is shown, not forbidden: the approval was for this base. So what cannot be found out
 * counts as drift.
 */
#include "apply.h"

#include <opledger/json.h>

#include "api.h"
#include "change_manifest.h"
#include "client.h"
#include "subject.h"

#define CHANGES_LOOKED_AT 200

/* Per file of the manifest, whether the newest change that names it was found. */
struct search {
    struct apply *apply;
    bool *settled;
    bool drifted;
};

static bool same_side(const struct opl_file_side *a, const struct opl_file_side *b)
{
    return a->present == b->present &&
           (!a->present || (opl_hash_equal(&a->sha256, &b->sha256) &&
                            strcmp(a->mode, b->mode) == 0 && strcmp(a->owner, b->owner) == 0));
}

static void compare_file(struct search *search, size_t i, const struct opl_manifest *earlier)
{
    const struct opl_manifest_file *file = &search->apply->manifest.files[i];

    for (size_t k = 0; k < earlier->file_count; k++) {
        if (strcmp(earlier->files[k].path, file->path) != 0)
            continue;
        search->settled[i] = true;
        search->drifted = search->drifted || !same_side(&earlier->files[k].next, &file->base);
    }
}

static void compare_change(struct search *search, const char *id)
{
    OPL_CLEANUP(opl_manifest_close) struct opl_manifest earlier = {0};
    char digest[OPL_DIGEST_SIZE];
    struct opl_err why = {0};

    if (!subject_manifest(search->apply->client, id, digest, &why) ||
        !change_manifest_fetch(search->apply->client, digest, &earlier, &why)) {
        search->drifted = true;
        return;
    }
    for (size_t i = 0; i < search->apply->manifest.file_count; i++)
        if (!search->settled[i])
            compare_file(search, i, &earlier);
}

static bool look_back(struct search *search)
{
    OPL_CLEANUP(opl_json_freep) json_t *page = NULL;
    const json_t *item;
    struct opl_err why = {0};
    char path[64];
    size_t i;

    snprintf(path, sizeof(path), "/v1/changes?status=applied&limit=%d", CHANGES_LOOKED_AT);
    if (!api_get(search->apply->client->api, path, &page, &why))
        return false;
    json_array_foreach(json_object_get(page, "items"), i, item)
    {
        const char *target = opl_json_str(item, "target");
        const char *id = opl_json_str(item, "id");

        if (id != NULL && target != NULL && !search->drifted &&
            strcmp(target, search->apply->manifest.target) == 0)
            compare_change(search, id);
    }
    return true;
}

bool apply_has_drifted(struct apply *apply)
{
    size_t count = apply->manifest.file_count;
    struct search search = {.apply = apply, .settled = calloc(count + 1, sizeof(bool))};

    if (search.settled == NULL || !look_back(&search))
        search.drifted = true;
    for (size_t i = 0; i < count && !search.drifted; i++)
        search.drifted = !search.settled[i] && apply->manifest.files[i].base.present;
    free(search.settled);
    return search.drifted;
}

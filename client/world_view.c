/* SPDX-License-Identifier: Apache-2.0 */
#include "world_view.h"

#include <opledger/hypothesis.h>
#include <opledger/json.h>
#include <opledger/time.h>

#include "blobs.h"
#include "client.h"
#include "registry_view.h"
#include "subject.h"

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

bool world_view_new(struct client *client, struct opl_world **out, struct opl_err *err)
{
    struct opl_source source = {.ctx = client, .subject = load_subject, .document = load_document};
    struct opl_registry *registry = NULL;

    if (!registry_view_load(client, &registry, err))
        return false;
    *out = opl_world_new(&source);
    if (*out == NULL) {
        opl_registry_free(registry);
        return opl_fail(err, OPL_E_NOMEM, "no memory for the state of the log");
    }
    opl_world_set_registry_take(*out, registry);
    return true;
}

/* sent, refused or failed: an egress has no other state than what it says. */
static const char *egress_status(const struct opl_fold *fold)
{
    static const char *const words[] = {"sent", "refused", "failed"};
    const struct opl_fact *made = opl_fold_creation(fold);
    const char *said = made != NULL ? opl_json_str(made->body, "outcome") : NULL;

    for (size_t i = 0; said != NULL && i < sizeof(words) / sizeof(words[0]); i++)
        if (strcmp(said, words[i]) == 0)
            return words[i];
    return "recorded";
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
    *status = fold->prefix == OPL_ID_EGR ? egress_status(fold)
                                         : opl_state_name(opl_fold_state(fold, opl_time_now()));
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

bool world_view_accounted(struct opl_world *world, const char *id, bool *yes, struct opl_err *err)
{
    const struct opl_fold *fold = NULL;

    *yes = true;
    if (!opl_world_find(world, id, &fold, err))
        return false;
    if (fold == NULL)
        return opl_fail(err, OPL_E_NOT_FOUND, "there is no %s", id);
    return fold->prefix != OPL_ID_HYP ||
           opl_prompt_accounted(world, fold, opl_fold_creation(fold), yes, err);
}

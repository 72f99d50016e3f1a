/* SPDX-License-Identifier: Apache-2.0 */
#include "subject.h"

#include <opledger/hypothesis.h>
#include <opledger/json.h>

static bool hypothesis_status(struct opl_world *world, const struct opl_fold *fold,
                              const char **status, struct opl_err *err)
{
    /* a list is no authority: the gate loads all that it weighs */
    const struct opl_hyp_view view = {.positive_below = UINT64_MAX, .held_only = true};
    struct opl_hyp_result *result = calloc(1, sizeof *result);
    bool ok;

    if (result == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for a status");
    ok = opl_hypothesis_status(world, fold, &view, result, err);
    if (ok)
        *status = opl_hyp_status_name(result->status);
    free(result);
    return ok;
}

/* sent, refused or failed, as the entry says */
static const char *egress_status(const struct opl_fold *fold)
{
    static const char *const words[] = {"sent", "refused", "failed"};
    const struct opl_fact *made = opl_fold_creation(fold);
    const char *said = made != NULL ? opl_json_str(made->body, "outcome") : NULL;

    for (size_t i = 0; said != NULL && i < sizeof words / sizeof *words; i++) {
        if (strcmp(said, words[i]) == 0)
            return words[i];
    }
    return "recorded";
}

bool subject_status(struct opl_world *world, const struct opl_fold *fold, int64_t now,
                    const char **status, struct opl_err *err)
{
    if (fold->prefix == OPL_ID_HYP)
        return hypothesis_status(world, fold, status, err);
    if (fold->prefix == OPL_ID_EGR)
        *status = egress_status(fold);
    else if (fold->prefix == OPL_ID_CALL)
        *status = "recorded";
    else
        *status = opl_state_name(opl_fold_state(fold, now));
    return true;
}

bool subject_moves(const struct opl_kind *kind)
{
    static const char *const idle[] = {"incident.noted", "evidence.attached", "gate.decided",
                                       "approval.signed", "approval.revoked"};

    if (kind->creates != OPL_ID_NONE)
        return false;
    for (size_t i = 0; i < sizeof idle / sizeof *idle; i++) {
        if (strcmp(kind->name, idle[i]) == 0)
            return false;
    }
    return true;
}

void subject_model(const json_t *body, char *out, size_t size)
{
    const json_t *model = json_object_get(body, "model");
    const char *provider = opl_json_str(model, "provider");
    const char *name = opl_json_str(model, "name");
    const char *version = opl_json_str(model, "version");

    out[0] = '\0';
    if (provider == NULL || name == NULL)
        return;
    snprintf(out, size, "%s/%s%s%s", provider, name, version != NULL ? "@" : "",
             version != NULL ? version : "");
}

const char *subject_noun(enum opl_prefix prefix)
{
    static const char *const nouns[OPL_PREFIXES] = {[OPL_ID_INC] = "incidents",
                                                    [OPL_ID_HYP] = "hypotheses",
                                                    [OPL_ID_CHG] = "changes",
                                                    [OPL_ID_EGR] = "egress",
                                                    [OPL_ID_OVR] = "overrides"};

    return nouns[prefix];
}

/* SPDX-License-Identifier: Apache-2.0 */
/* What left the site: under adopted rules, stored, and clean by the service's own verify pass. */
#include "admit_private.h"

#include <opledger/encode.h>
#include <opledger/gate.h>
#include <opledger/hypothesis.h>
#include <opledger/json.h>

#include "array.h"

struct rules {
    const struct opl_adopted *models; /* the newest */
    struct opl_named_hash *names;
    size_t count;
    size_t size;
};

static void rules_close(struct rules *rules)
{
    free(rules->names);
}

static bool add_rules(struct rules *rules, const struct opl_adopted *policy, struct opl_err *err)
{
    struct opl_named_hash *items;

    if (strcmp(policy->what, "models") == 0 &&
        (rules->models == NULL || policy->seq > rules->models->seq))
        rules->models = policy;
    if (strcmp(policy->what, "redact") != 0)
        return true;
    items = opl_array_room(rules->names, rules->count, &rules->size, sizeof *items, err);
    if (items == NULL)
        return false;
    rules->names = items;
    memcpy(items[rules->count].name, policy->name, sizeof policy->name);
    items[rules->count++].sha256 = policy->sha256;
    return true;
}

bool opl_adopted_rules(const struct opl_registry *registry, struct opl_hash *out,
                       struct opl_err *err)
{
    OPL_CLEANUP(rules_close) struct rules rules = {0};
    const struct opl_adopted *policy;

    for (size_t i = 0; (policy = opl_registry_policy_at(registry, i)) != NULL; i++) {
        if (!add_rules(&rules, policy, err))
            return false;
    }
    return opl_policies_digest("redact", rules.models == NULL ? NULL : &rules.models->sha256,
                               rules.names, rules.count, out, err);
}

static bool check_rules(struct opl_case *ctx, struct opl_err *err)
{
    const char *text = opl_case_str(ctx, "rules");
    struct opl_hash adopted, used;
    char digest[OPL_DIGEST_SIZE];

    if (!opl_adopted_rules(ctx->registry, &adopted, err))
        return false;
    if (text != NULL && opl_hash_from_digest(text, &used, NULL) && opl_hash_equal(&adopted, &used))
        return true;
    opl_hash_digest(&adopted, digest);
    opl_fail_at(err, OPL_E_INVALID, "/body/rules", "these are not the adopted rules, %s", digest);
    return opl_hint(err, "run opledger redact again, without --policy");
}

static bool check_source(struct opl_case *ctx, struct opl_err *err)
{
    const char *source = opl_case_str(ctx, "source_sha256");
    bool attached = false;

    if (source == NULL)
        return true;
    if (!opl_world_has_evidence(ctx->world, ctx->on, source, ctx->seq, &attached, err))
        return false;
    return attached || opl_fail_at(err, OPL_E_INVALID, "/body/source_sha256",
                                   "the source is no attached evidence of %s", ctx->on->id);
}

/* The service looks once more at what it was told is clean. */
static bool check_clean(struct opl_case *ctx, struct opl_err *err)
{
    const char *outcome = opl_case_str(ctx, "outcome"), *text = opl_case_str(ctx, "sent_sha256");
    struct opl_hash sent;

    if (outcome == NULL || strcmp(outcome, "sent") != 0)
        return true;
    if (text == NULL || !opl_hash_from_hex(text, &sent, NULL))
        return opl_fail_at(err, OPL_E_INVALID, "/body/sent_sha256", "is no SHA-256");
    if (ctx->env->clean_output(ctx->env->ctx, &sent, err))
        return true;
    if (err != NULL && err->field[0] == '\0')
        (void)snprintf(err->field, sizeof err->field, "/body/sent_sha256");
    return false;
}

bool opl_admit_egress(struct opl_case *ctx, struct opl_err *err)
{
    return check_rules(ctx, err) && check_source(ctx, err) &&
           opl_case_blob_field(ctx, "sent_sha256", err) &&
           opl_case_blob_field(ctx, "manifest_sha256", err) && check_clean(ctx, err);
}

static bool check_named(struct opl_case *ctx, const char *id, const char *incident,
                        const char *pointer, struct opl_err *err)
{
    const struct opl_fold *egress = NULL;
    bool within = false;

    if (!opl_world_find(ctx->world, id, &egress, err) ||
        (egress != NULL && !opl_egress_within(ctx->world, egress, incident, &within, err)))
        return false;
    if (within)
        return true;
    opl_fail_at(err, OPL_E_INVALID, pointer, "%s is no egress of %s: it accounts for nothing there",
                id, incident);
    return opl_hint(err, "opledger redact --record %s, or leave it out", incident);
}

bool opl_admit_prompt(struct opl_case *ctx, struct opl_err *err)
{
    const json_t *egress = json_object_get(ctx->body, "egress");
    const char *incident = ctx->on->prefix == OPL_ID_INC ? ctx->on->id : ctx->on->on;
    char pointer[48];

    for (size_t i = 0; i < json_array_size(egress); i++) {
        (void)snprintf(pointer, sizeof pointer, "/body/egress/%zu", i);
        if (!check_named(ctx, json_string_value(json_array_get(egress, i)), incident, pointer, err))
            return false;
    }
    return true;
}

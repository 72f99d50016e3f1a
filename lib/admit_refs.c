/* SPDX-License-Identifier: Apache-2.0 */
/* What a draft is about, in which state that is, and what else it names. */
#include "admit_private.h"

#include <opledger/json.h>

static const char *const nouns[OPL_PREFIXES] = {
    "", "incident", "model call", "hypothesis", "change", "egress", "override",
};

bool opl_admit_parent(struct opl_case *ctx, struct opl_err *err)
{
    const char *on = ctx->draft->on;

    if (on[0] == '\0') {
        if ((ctx->kind->on & OPL_ON_NOTHING) != 0)
            return true;
        return opl_fail_at(err, OPL_E_INVALID, "/on", "%s must be about a subject",
                           ctx->kind->name);
    }
    if (!opl_world_find(ctx->world, on, &ctx->on, err))
        return false;
    if (ctx->on == NULL)
        return opl_fail_at(err, OPL_E_INVALID, "/on", "there is no %s", on);
    if ((ctx->kind->on & OPL_ON(ctx->on->prefix)) == 0)
        return opl_fail_at(err, OPL_E_INVALID, "/on", "%s is not about an entry such as %s",
                           ctx->kind->name, on);
    return true;
}

bool opl_admit_state(struct opl_case *ctx, struct opl_err *err)
{
    enum opl_state state;

    if (ctx->kind->from == OPL_FROM_ANY || ctx->on == NULL)
        return true;
    state = opl_fold_state(ctx->on, ctx->now);
    if ((ctx->kind->from & OPL_FROM(state)) != 0)
        return true;
    opl_fail_at(err, OPL_E_WRONG_STATE, "/on", "%s is %s, which %s cannot follow", ctx->on->id,
                opl_state_name(state), ctx->kind->name);
    return opl_hint(err, "opledger %s show %s", nouns[ctx->on->prefix], ctx->on->id);
}

static bool check_id(struct opl_case *ctx, const struct opl_field *field, const json_t *value,
                     const char *pointer, struct opl_err *err)
{
    const char *id = json_string_value(value);
    const struct opl_fold *fold = NULL;

    if (id == NULL || !opl_world_find(ctx->world, id, &fold, err))
        return id != NULL ? false : opl_fail_at(err, OPL_E_INVALID, pointer, "is no id");
    if (fold == NULL)
        return opl_fail_at(err, OPL_E_INVALID, pointer, "there is no %s", id);
    return field->prefix == OPL_ID_NONE || fold->prefix == field->prefix ||
           opl_fail_at(err, OPL_E_INVALID, pointer, "%s is no %s", id, nouns[field->prefix]);
}

static bool check_id_field(struct opl_case *ctx, const struct opl_field *field, struct opl_err *err)
{
    const json_t *value = json_object_get(ctx->body, field->name);
    char pointer[96];

    (void)snprintf(pointer, sizeof pointer, "/body/%s", field->name);
    if (value == NULL || json_is_null(value))
        return true;
    if ((field->flags & OPL_FIELD_LIST) == 0)
        return check_id(ctx, field, value, pointer, err);
    for (size_t i = 0; i < json_array_size(value); i++) {
        (void)snprintf(pointer, sizeof pointer, "/body/%s/%zu", field->name, i);
        if (!check_id(ctx, field, json_array_get(value, i), pointer, err))
            return false;
    }
    return true;
}

bool opl_admit_ids(struct opl_case *ctx, struct opl_err *err)
{
    for (const struct opl_field *field = ctx->kind->fields; field->name != NULL; field++) {
        if (field->type == OPL_F_ID && !check_id_field(ctx, field, err))
            return false;
    }
    return true;
}

static bool check_evidence(struct opl_case *ctx, const char *digest, const char *pointer,
                           struct opl_err *err)
{
    bool attached = false;

    if (!opl_world_has_evidence(ctx->world, ctx->on, digest, ctx->seq, &attached, err))
        return false;
    if (attached)
        return true;
    opl_fail_at(err, OPL_E_INVALID, pointer, "no evidence %s with content is attached within %s",
                digest, ctx->on->id);
    return opl_hint(err, "opledger evidence attach %s FILE", ctx->on->id);
}

bool opl_admit_evidence(struct opl_case *ctx, struct opl_err *err)
{
    const json_t *evidence = json_object_get(ctx->body, "evidence");
    char pointer[48];

    for (size_t i = 0; ctx->on != NULL && i < json_array_size(evidence); i++) {
        (void)snprintf(pointer, sizeof pointer, "/body/evidence/%zu", i);
        if (!check_evidence(ctx, json_string_value(json_array_get(evidence, i)), pointer, err))
            return false;
    }
    return true;
}

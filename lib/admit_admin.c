/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The second signature under administration, policies, and the end of the bootstrap. The fold asks
 * the same of each entry again (registry_second.c); here its writer is told.
 */
#include "admit_private.h"

#include <opledger/encode.h>
#include <opledger/gate_policy.h>

#include "registry_private.h"

static bool fail_unsigned(struct opl_case *ctx, struct opl_err *err)
{
    opl_fail_at(err, OPL_E_FORBIDDEN, "/body/statement",
                "since bootstrap.closed, %s needs the signature of a second approver",
                ctx->kind->name);
    return opl_hint(err, "attach an opledger/admin Statement and sshsig of another approver");
}

/* Once people are there, the service administers nothing but the tokens of those who log in. */
static bool check_self(struct opl_case *ctx, struct opl_err *err)
{
    return ctx->principal != NULL || !opl_registry_bootstrap_closed(ctx->registry) ||
           strncmp(ctx->kind->name, "token.", strlen("token.")) == 0 ||
           opl_fail_at(err, OPL_E_FORBIDDEN, "/kind",
                       "since bootstrap.closed, the service itself may not write %s",
                       ctx->kind->name);
}

bool opl_admit_admin(struct opl_case *ctx, struct opl_err *err)
{
    OPL_CLEANUP(opl_statement_close) struct opl_statement statement = {0};
    const struct opl_admin_act act = {ctx->kind->name, ctx->writer->principal, ctx->body, ctx->now};

    if ((ctx->kind->flags & OPL_KIND_ADMIN) == 0 || ctx->kind->statement == NULL)
        return true;
    if (!check_self(ctx, err))
        return false;
    if (opl_case_str(ctx, "statement") == NULL) {
        if (!opl_admin_needs_second(ctx->registry, act.kind, act.actor, act.body))
            return true;
        return fail_unsigned(ctx, err);
    }
    return opl_case_statement(ctx, &statement, err) &&
           opl_admin_second_fits(ctx->registry, &act, &statement, err);
}

static bool check_replaced(struct opl_case *ctx, struct opl_err *err)
{
    const char *text = opl_case_str(ctx, "replaces");
    const struct opl_adopted *current =
        opl_registry_policy(ctx->registry, opl_case_str(ctx, "what"), opl_case_str(ctx, "name"));
    struct opl_hash replaces;

    if (text == NULL || (current != NULL && opl_hash_from_digest(text, &replaces, NULL) &&
                         opl_hash_equal(&replaces, &current->sha256)))
        return true;
    opl_fail_at(err, OPL_E_WRONG_STATE, "/body/replaces",
                "another policy of this name is in force, or none");
    return opl_hint(err, "opledger policy diff");
}

/* A gate policy that cannot be read, or has another name, would make every decision an error. */
static bool check_gate_policy(struct opl_case *ctx, const struct opl_hash *sha256,
                              struct opl_err *err)
{
    OPL_CLEANUP(opl_gate_policy_close) struct opl_gate_policy policy = {0};
    struct opl_err why = {0};
    const char *text;
    size_t len;

    if (!opl_world_document(ctx->world, sha256, &text, &len, err))
        return false;
    if (text == NULL)
        return opl_fail_at(err, OPL_E_INVALID, "/body/sha256", "the policy is not stored");
    if (!opl_gate_policy_parse(text, len, &policy, &why))
        return opl_fail_at(err, why.code == OPL_E_NOMEM ? OPL_E_NOMEM : OPL_E_INVALID,
                           "/body/sha256", "the policy: %.200s %.200s", why.field, why.text);
    return strcmp(policy.name, opl_case_str(ctx, "name")) == 0 ||
           opl_fail_at(err, OPL_E_INVALID, "/body/name", "the policy names itself %s", policy.name);
}

bool opl_admit_policy(struct opl_case *ctx, struct opl_err *err)
{
    const char *text = opl_case_str(ctx, "sha256"), *what = opl_case_str(ctx, "what");
    struct opl_hash sha256;

    if (!opl_case_blob_field(ctx, "sha256", err) || !check_replaced(ctx, err))
        return false;
    if (strcmp(what, "gate") != 0)
        return true;
    return opl_hash_from_hex(text, &sha256, err) && check_gate_policy(ctx, &sha256, err);
}

bool opl_admit_bootstrap(struct opl_case *ctx, struct opl_err *err)
{
    size_t approvers = opl_registry_approvers(ctx->registry, ctx->now);

    if (opl_registry_bootstrap_closed(ctx->registry))
        return opl_fail_at(err, OPL_E_WRONG_STATE, "/kind", "the bootstrap is closed already");
    if (approvers >= 2)
        return true;
    opl_fail_at(err, OPL_E_WRONG_STATE, "/kind",
                "two people with an approver role and a valid key are needed, there are %zu",
                approvers);
    return opl_hint(err, "opledger principal add NAME --class person --role approver.R");
}

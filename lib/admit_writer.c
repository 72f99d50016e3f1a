/* SPDX-License-Identifier: Apache-2.0 */
/* Who may write what: class, role, and agents under their own model only. */
#include "admit_private.h"

#include <opledger/json.h>

#include "registry_private.h"

#define APPROVER "approver."

/* A token allows what its scope names, and never more than the principal's roles. */
static bool in_scope(const struct opl_writer *writer, const char *role)
{
    return writer->scope == NULL || opl_words_have(writer->scope, role);
}

static bool has_any(const struct opl_principal *principal, const struct opl_writer *writer,
                    const char *prefix)
{
    for (size_t i = 0; principal->roles[i] != NULL; i++) {
        if (strncmp(principal->roles[i], prefix, strlen(prefix)) == 0 &&
            in_scope(writer, principal->roles[i]))
            return true;
    }
    return false;
}

static bool has_one(const struct opl_principal *principal, const struct opl_writer *writer,
                    const char *role)
{
    if (strcmp(role, APPROVER "*") == 0)
        return has_any(principal, writer, APPROVER);
    if (opl_words_have(principal->roles, role) && in_scope(writer, role))
        return true;
    if (strcmp(role, "reader") != 0)
        return false;
    /* every role implies reader, also in a scope */
    return has_any(principal, writer, "") ||
           (principal->roles[0] != NULL && in_scope(writer, "reader"));
}

bool opl_writer_may(const struct opl_registry *registry, const struct opl_writer *writer,
                    const char *roles)
{
    const struct opl_principal *principal = opl_registry_principal(registry, writer->principal);
    char role[80];

    if (principal == NULL || principal->revoked)
        return false;
    while (*roles != '\0') {
        size_t len = strcspn(roles, "|");

        (void)snprintf(role, sizeof role, "%.*s", (int)len, roles);
        if (has_one(principal, writer, role))
            return true;
        roles += len + (roles[len] == '|');
    }
    return false;
}

static bool is_self(const struct opl_writer *writer)
{
    return strcmp(writer->principal, OPL_SELF) == 0;
}

static bool check_class(struct opl_case *ctx, struct opl_err *err)
{
    static const struct {
        unsigned class;
        const char *name;
    } names[] = {
        {OPL_CLASS_PERSON,  "a person"          },
        {OPL_CLASS_SERVICE, "a service"         },
        {OPL_CLASS_AGENT,   "an agent"          },
        {OPL_CLASS_ITSELF,  "the service itself"},
    };
    unsigned class = ctx->principal == NULL ? OPL_CLASS_ITSELF : ctx->principal->class;
    const char *name = "a stranger";

    if ((ctx->kind->writers & class) != 0)
        return true;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (names[i].class == class)
            name = names[i].name;
    }
    return opl_fail_at(err, OPL_E_FORBIDDEN, "/kind", "%s may not write %s", name, ctx->kind->name);
}

/* One's own key may be taken back without a role: whoever lost it is in a hurry. */
static bool is_own_key_revoked(const struct opl_case *ctx)
{
    const char *whose = opl_case_str(ctx, "principal");

    return strcmp(ctx->kind->name, "key.revoked") == 0 && whose != NULL &&
           strcmp(whose, ctx->writer->principal) == 0;
}

static bool check_role(struct opl_case *ctx, struct opl_err *err)
{
    if (ctx->principal == NULL || is_own_key_revoked(ctx) ||
        opl_writer_may(ctx->registry, ctx->writer, ctx->kind->roles))
        return true;
    opl_fail_at(err, OPL_E_FORBIDDEN, "/kind", "%s needs the role %s, which %s does not hold here",
                ctx->kind->name, ctx->kind->roles, ctx->writer->principal);
    return opl_hint(err, "opledger whoami");
}

static bool is_model_of(const struct opl_principal *agent, const json_t *model)
{
    const char *provider = opl_json_str(model, "provider"), *name = opl_json_str(model, "name");

    return provider != NULL && name != NULL && strcmp(provider, agent->model.provider) == 0 &&
           strcmp(name, agent->model.name) == 0;
}

static bool check_agent(struct opl_case *ctx, struct opl_err *err)
{
    const json_t *model = json_object_get(ctx->body, "model");

    if (ctx->principal == NULL || ctx->principal->class != OPL_CLASS_AGENT || model == NULL ||
        is_model_of(ctx->principal, model))
        return true;
    return opl_fail_at(err, OPL_E_FORBIDDEN, "/body/model",
                       "the agent %s writes under its own model only, %s/%s", ctx->principal->name,
                       ctx->principal->model.provider, ctx->principal->model.name);
}

bool opl_admit_writer(struct opl_case *ctx, struct opl_err *err)
{
    if (!is_self(ctx->writer)) {
        ctx->principal = opl_registry_principal(ctx->registry, ctx->writer->principal);
        if (ctx->principal == NULL || ctx->principal->revoked)
            return opl_fail(err, OPL_E_FORBIDDEN, "%s is not enrolled or was revoked",
                            ctx->writer->principal);
    }
    return check_class(ctx, err) && check_role(ctx, err) && check_agent(ctx, err);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Tokens: never more than the principal's roles, and never more than the token that makes them. */
#include "admit_private.h"

#include <opledger/encode.h>
#include <opledger/json.h>

static bool check_scope(struct opl_case *ctx, const struct opl_principal *principal,
                        struct opl_err *err)
{
    const json_t *scope = json_object_get(ctx->body, "scope");
    bool is_own = strcmp(principal->name, ctx->writer->principal) == 0;
    char pointer[48];

    for (size_t i = 0; i < json_array_size(scope); i++) {
        const char *word = json_string_value(json_array_get(scope, i));

        (void)snprintf(pointer, sizeof pointer, "/body/scope/%zu", i);
        if (word == NULL || !opl_principal_has_role(principal, word))
            return opl_fail_at(err, OPL_E_INVALID, pointer, "%s does not hold the role %s",
                               principal->name, word == NULL ? "" : word);
        if (is_own && !opl_writer_may(ctx->registry, ctx->writer, word))
            return opl_fail_at(err, OPL_E_FORBIDDEN, pointer,
                               "the token that asks does not allow %s itself", word);
    }
    return true;
}

static bool check_fresh(struct opl_case *ctx, struct opl_err *err)
{
    const char *id = opl_case_str(ctx, "token_id"), *text = opl_case_str(ctx, "token_sha256");
    struct opl_hash secret;

    if (!opl_hash_from_hex(text, &secret, NULL))
        return opl_fail_at(err, OPL_E_INVALID, "/body/token_sha256", "is no SHA-256");
    if (opl_registry_token_by_id(ctx->registry, id) != NULL)
        return opl_fail_at(err, OPL_E_WRONG_STATE, "/body/token_id", "%s is taken", id);
    return opl_registry_token(ctx->registry, &secret) == NULL ||
           opl_fail_at(err, OPL_E_WRONG_STATE, "/body/token_sha256", "this token exists");
}

static bool check_expires(struct opl_case *ctx, struct opl_err *err)
{
    const char *text = opl_case_str(ctx, "expires");
    int64_t expires;

    return (text != NULL && opl_time_parse(text, &expires, NULL) && expires > ctx->now) ||
           opl_fail_at(err, OPL_E_INVALID, "/body/expires", "lies in the past");
}

bool opl_admit_token(struct opl_case *ctx, struct opl_err *err)
{
    const char *name = opl_case_str(ctx, "principal");
    const struct opl_principal *principal = opl_registry_principal(ctx->registry, name);

    if (principal == NULL || principal->revoked)
        return opl_fail_at(err, OPL_E_INVALID, "/body/principal",
                           "%s is not enrolled or was revoked", name);
    return check_scope(ctx, principal, err) && check_expires(ctx, err) && check_fresh(ctx, err);
}

bool opl_admit_token_revoked(struct opl_case *ctx, struct opl_err *err)
{
    const char *id = opl_case_str(ctx, "token_id");
    const struct opl_token *token = opl_registry_token_by_id(ctx->registry, id);

    if (token == NULL)
        return opl_fail_at(err, OPL_E_INVALID, "/body/token_id", "there is no token %s", id);
    return !token->revoked ||
           opl_fail_at(err, OPL_E_WRONG_STATE, "/body/token_id", "%s is revoked already", id);
}

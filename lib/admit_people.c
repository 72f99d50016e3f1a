/* SPDX-License-Identifier: Apache-2.0 */
/* Principals and keys: who joins, changes and leaves, and that two approvers remain. */
#include "admit_private.h"

#include <opledger/json.h>
#include <opledger/sshkey.h>

#include "registry_private.h"

static bool check_owner(struct opl_case *ctx, bool is_person, struct opl_err *err)
{
    const char *name = opl_case_str(ctx, "owner");
    const struct opl_principal *owner =
        name == NULL ? NULL : opl_registry_principal(ctx->registry, name);

    if (is_person)
        return name == NULL ||
               opl_fail_at(err, OPL_E_INVALID, "/body/owner", "a person has no owner");
    if (name == NULL)
        return opl_fail_at(err, OPL_E_INVALID, "/body/owner",
                           "is missing: the person behind a service or agent");
    return (owner != NULL && owner->class == OPL_CLASS_PERSON && !owner->revoked) ||
           opl_fail_at(err, OPL_E_INVALID, "/body/owner", "%s is no person enrolled here", name);
}

bool opl_admit_enrolment(struct opl_case *ctx, struct opl_err *err)
{
    const char *name = opl_case_str(ctx, "name"), *class = opl_case_str(ctx, "class");

    if (strcmp(name, OPL_SELF) == 0)
        return opl_fail_at(err, OPL_E_INVALID, "/body/name", "%s is the service itself", name);
    if (opl_registry_principal(ctx->registry, name) != NULL)
        return opl_fail_at(err, OPL_E_WRONG_STATE, "/body/name",
                           "%s is enrolled, and a name is given once", name);
    if (strcmp(class, "agent") == 0 && json_object_get(ctx->body, "model") == NULL)
        return opl_fail_at(err, OPL_E_INVALID, "/body/model",
                           "is missing: an agent is bound to a model");
    return check_owner(ctx, strcmp(class, "person") == 0, err);
}

/* The principal that a field names, enrolled and not revoked. */
static bool known(struct opl_case *ctx, const char *field, const struct opl_principal **out,
                  struct opl_err *err)
{
    const char *name = opl_case_str(ctx, field);
    char pointer[48];

    *out = opl_registry_principal(ctx->registry, name);
    if (*out != NULL && !(*out)->revoked)
        return true;
    (void)snprintf(pointer, sizeof pointer, "/body/%s", field);
    return opl_fail_at(err, OPL_E_INVALID, pointer, "%s is not enrolled or was revoked", name);
}

/* After the bootstrap there are always two who can sign for the next one. */
static bool check_two_remain(struct opl_case *ctx, const struct opl_principal *leaving,
                             const char *without, struct opl_err *err)
{
    if (!opl_registry_bootstrap_closed(ctx->registry) ||
        !opl_registry_is_approver(ctx->registry, leaving, ctx->now, NULL) ||
        (without != NULL && opl_registry_is_approver(ctx->registry, leaving, ctx->now, without)) ||
        opl_registry_approvers(ctx->registry, ctx->now) > 2)
        return true;
    opl_fail_at(err, OPL_E_WRONG_STATE, "/body", "fewer than two approvers would remain");
    return opl_hint(err, "enroll another approver first");
}

static bool keeps_approver_role(const json_t *roles)
{
    for (size_t i = 0; i < json_array_size(roles); i++) {
        const char *role = json_string_value(json_array_get(roles, i));

        if (role != NULL && strncmp(role, "approver.", strlen("approver.")) == 0)
            return true;
    }
    return false;
}

bool opl_admit_roles(struct opl_case *ctx, struct opl_err *err)
{
    const struct opl_principal *principal;

    return known(ctx, "name", &principal, err) &&
           (keeps_approver_role(json_object_get(ctx->body, "roles")) ||
            check_two_remain(ctx, principal, NULL, err));
}

bool opl_admit_leaving(struct opl_case *ctx, struct opl_err *err)
{
    const struct opl_principal *principal;

    return known(ctx, "name", &principal, err) && check_two_remain(ctx, principal, NULL, err);
}

static bool check_line(struct opl_case *ctx, struct opl_sshkey *key, struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf line = OPL_BUF_INIT(OPL_SSHKEY_LINE_MAX);
    const char *text = opl_case_str(ctx, "public_key");
    struct opl_err why = {0};

    if (!opl_sshkey_parse(text, key, &why))
        return opl_fail_at(err, OPL_E_INVALID, "/body/public_key", "%.300s", why.text);
    opl_sshkey_line(key, &line);
    if (!opl_buf_ok(&line, err))
        return false;
    return strcmp(opl_buf_text(&line), text) == 0 ||
           opl_fail_at(err, OPL_E_INVALID, "/body/public_key",
                       "must be TYPE and BASE64 alone, without a comment");
}

static bool check_dates(struct opl_case *ctx, struct opl_err *err)
{
    const char *from = opl_case_str(ctx, "not_before"), *until = opl_case_str(ctx, "not_after");

    /* stored forms of one length: their order is that of their bytes */
    return from == NULL || until == NULL || strcmp(from, until) < 0 ||
           opl_fail_at(err, OPL_E_INVALID, "/body/not_after", "is not after not_before");
}

bool opl_admit_key(struct opl_case *ctx, struct opl_err *err)
{
    const struct opl_principal *principal;
    struct opl_sshkey key;
    char fingerprint[OPL_FINGERPRINT_SIZE];

    if (!known(ctx, "principal", &principal, err))
        return false;
    if (principal->class != OPL_CLASS_PERSON)
        return opl_fail_at(err, OPL_E_INVALID, "/body/principal", "%s is no person: people sign",
                           principal->name);
    if (!check_line(ctx, &key, err) || !check_dates(ctx, err))
        return false;
    opl_sshkey_fingerprint(&key, fingerprint);
    return opl_registry_key(ctx->registry, fingerprint) == NULL ||
           opl_fail_at(err, OPL_E_WRONG_STATE, "/body/public_key",
                       "%s was enrolled before, and a key is enrolled once", fingerprint);
}

bool opl_admit_key_revoked(struct opl_case *ctx, struct opl_err *err)
{
    const char *whose = opl_case_str(ctx, "principal");
    const char *fingerprint = opl_case_str(ctx, "fingerprint");
    const struct opl_person_key *key = opl_registry_key(ctx->registry, fingerprint);
    const struct opl_principal *principal = opl_registry_principal(ctx->registry, whose);

    if (key == NULL || principal == NULL || strcmp(key->principal, whose) != 0)
        return opl_fail_at(err, OPL_E_INVALID, "/body/fingerprint", "%s has no key %s", whose,
                           fingerprint);
    if (key->revoked)
        return opl_fail_at(err, OPL_E_WRONG_STATE, "/body/fingerprint", "%s is revoked already",
                           fingerprint);
    return check_two_remain(ctx, principal, fingerprint, err);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The second signature under administration. Admission and the fold ask the same question here, so
 * that neither lets through what the other would not.
 */
#include "registry_private.h"

#include <opledger/encode.h>
#include <opledger/json.h>
#include <opledger/statement.h>

enum second { SECOND_ALWAYS, SECOND_FOR_OTHERS };

static const struct {
    const char *kind;
    enum second second;
    const char *whose; /* the field that says whose it is */
} seconds[] = {
    {"principal.enrolled", SECOND_ALWAYS,     NULL       },
    {"principal.changed",  SECOND_ALWAYS,     NULL       },
    {"principal.revoked",  SECOND_ALWAYS,     NULL       },
    {"key.added",          SECOND_FOR_OTHERS, "principal"},
    {"key.revoked",        SECOND_FOR_OTHERS, "principal"},
    {"token.created",      SECOND_FOR_OTHERS, "principal"},
    {"policy.adopted",     SECOND_ALWAYS,     NULL       },
    {"witness.added",      SECOND_ALWAYS,     NULL       },
    {"witness.removed",    SECOND_ALWAYS,     NULL       },
    {"content.erased",     SECOND_ALWAYS,     NULL       },
    {"epoch.begun",        SECOND_ALWAYS,     NULL       },
    {"clock.corrected",    SECOND_ALWAYS,     NULL       },
};

static bool is_word(const json_t *body, const char *field, const char *word)
{
    const char *value = opl_json_str(body, field);

    return value != NULL && strcmp(value, word) == 0;
}

bool opl_admin_needs_second(const struct opl_registry *registry, const char *kind,
                            const char *actor, const json_t *body)
{
    /* nobody can say alone that somebody else has seen the token */
    if (strcmp(kind, "key.added") == 0 && is_word(body, "hardware", "seen"))
        return registry->bootstrap_closed;
    /* the service gives out a token at login, whose Statement it has checked */
    if (strcmp(kind, "token.created") == 0 && strcmp(actor, OPL_SELF) == 0)
        return false;
    for (size_t i = 0; i < sizeof seconds / sizeof *seconds; i++) {
        if (strcmp(seconds[i].kind, kind) == 0)
            return registry->bootstrap_closed &&
                   (seconds[i].second == SECOND_ALWAYS || !is_word(body, seconds[i].whose, actor));
    }
    return false;
}

/* What the second person has signed: the body as it stands, without the signature itself. */
static bool body_digest(const json_t *body, struct opl_hash *out, struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *bare = json_copy((json_t *)body);

    if (bare == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for a body");
    (void)json_object_del(bare, "statement");
    (void)json_object_del(bare, "sshsig");
    return opl_json_hash(bare, out, err);
}

static bool check_about(const struct opl_admin_act *act, const json_t *about, struct opl_err *err)
{
    static const char field[] = "/body/statement";
    const char *digest = opl_json_str(about, "body_sha256");
    struct opl_hash signed_body, body;

    if (!is_word(about, "kind", act->kind) || !json_is_null(json_object_get(about, "on")))
        return opl_fail_at(err, OPL_E_INVALID, field, "the Statement is not about a %s", act->kind);
    if (!body_digest(act->body, &body, err))
        return false;
    if (digest == NULL || !opl_hash_from_hex(digest, &signed_body, NULL))
        return opl_fail_at(err, OPL_E_INVALID, field, "the Statement names no body");
    if (!opl_hash_equal(&body, &signed_body))
        return opl_fail_at(err, OPL_E_INVALID, field, "the Statement is about another body");
    return true;
}

bool opl_admin_second_fits(const struct opl_registry *registry, const struct opl_admin_act *act,
                           const struct opl_statement *statement, struct opl_err *err)
{
    const struct opl_principal *second = opl_registry_principal(registry, statement->signer);

    if (second == NULL || second->revoked || second->class != OPL_CLASS_PERSON ||
        !opl_principal_has_approver_role(second))
        return opl_fail_at(err, OPL_E_FORBIDDEN, "/body/statement", "%s is no approver",
                           statement->signer);
    if (opl_registry_same_person(registry, statement->signer, act->actor))
        return opl_fail_at(err, OPL_E_FORBIDDEN, "/body/statement",
                           "the second signature is by the same person, %s", statement->signer);
    return check_about(act, statement->about, err);
}

static bool verify_signature(const struct opl_registry *registry, const struct opl_admin_act *act,
                             const struct opl_statement *statement, struct opl_err *err)
{
    const char *text = opl_json_str(act->body, "statement");
    const char *sshsig = opl_json_str(act->body, "sshsig");
    const struct opl_person_key *key;
    char fingerprint[64];

    if (!opl_statement_verify(statement, text, sshsig, fingerprint, err))
        return false;
    key = opl_registry_key(registry, fingerprint);
    if (key == NULL || strcmp(key->principal, statement->signer) != 0 ||
        !opl_registry_key_valid(registry, key, act->at))
        return opl_fail_at(err, OPL_E_SIGNATURE, "/body/sshsig", "%s is no valid key of %s",
                           fingerprint, statement->signer);
    return true;
}

bool opl_admin_second_holds(const struct opl_registry *registry, const struct opl_admin_act *act,
                            struct opl_err *err)
{
    OPL_CLEANUP(opl_statement_close) struct opl_statement statement = {0};
    const char *text = opl_json_str(act->body, "statement");

    if (text == NULL || opl_json_str(act->body, "sshsig") == NULL)
        return opl_fail(err, OPL_E_FORBIDDEN, "no second signature");
    if (!opl_statement_parse(text, strlen(text), &statement, err))
        return false;
    if (strcmp(statement.type->type, "opledger/admin") != 0)
        return opl_fail(err, OPL_E_INVALID, "the Statement is a %s", statement.type->type);
    if (statement.expires < act->at)
        return opl_fail(err, OPL_E_STALE, "the Statement had expired");
    return opl_admin_second_fits(registry, act, &statement, err) &&
           verify_signature(registry, act, &statement, err);
}

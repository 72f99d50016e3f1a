/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What all Statements share, in one place: login, approvals, confirmations and second signatures
 * pass through here. Cheap and certain checks come before those that ask the log.
 */
#include <opledger/admit.h>

#include <opledger/sshkey.h>

#define AHEAD_MAX (300 * OPL_SECOND) /* the signer's clock may be this far ahead of ours */

static const char statement_field[] = "/statement";
static const char sshsig_field[] = "/sshsig";

/* One Statement while it is looked at. */
struct check {
    const struct opl_registry *registry;
    const struct opl_admit_env *env;
    const struct opl_statement *statement;
    int64_t now;
};

static bool check_type(const struct opl_statement *statement, const char *type, struct opl_err *err)
{
    if (strcmp(statement->type->type, type) == 0)
        return true;
    return opl_fail_at(err, OPL_E_INVALID, statement_field, "the Statement is a %s, not a %s",
                       statement->type->type, type);
}

static bool check_key(const struct check *check, const char *fingerprint,
                      const struct opl_person_key **key, struct opl_err *err)
{
    const struct opl_person_key *found = opl_registry_key(check->registry, fingerprint);
    const char *signer = check->statement->signer;

    if (found == NULL) {
        opl_fail_at(err, OPL_E_SIGNATURE, sshsig_field, "the key %s is not enrolled", fingerprint);
        return opl_hint(err, "an admin enrolls it: opledger principal key add %s FILE", signer);
    }
    if (strcmp(found->principal, signer) != 0)
        return opl_fail_at(err, OPL_E_SIGNATURE, sshsig_field,
                           "the key %s belongs to %s, the Statement names %s", fingerprint,
                           found->principal, signer);
    if (!opl_registry_key_valid(check->registry, found, check->now))
        return opl_fail_at(err, OPL_E_SIGNATURE, sshsig_field,
                           "the key %s is revoked or not valid now", fingerprint);
    *key = found;
    return true;
}

static bool check_life(const struct check *check, struct opl_err *err)
{
    const struct opl_statement *statement = check->statement;

    if (statement->issued > check->now + AHEAD_MAX) {
        opl_fail_at(err, OPL_E_INVALID, statement_field, "the Statement is issued in the future");
        return opl_hint(err, "compare the clock of the signer with the server's");
    }
    if (statement->expires <= check->now) {
        opl_fail_at(err, OPL_E_STALE, statement_field, "the Statement has expired");
        return opl_hint(err, "sign again");
    }
    return true;
}

static bool check_history(const struct check *check, struct opl_err *err)
{
    const struct opl_head *head = &check->statement->log;
    bool yes = false;

    if (!check->env->on_history(check->env->ctx, head, &yes, err))
        return false;
    if (yes)
        return true;
    opl_fail_at(err, OPL_E_STALE, statement_field,
                "the log that the Statement names (%s, %llu entries) is not on this history",
                head->origin, (unsigned long long)head->size);
    return opl_hint(err, "opledger log checkpoint");
}

static bool check_nonce(const struct check *check, struct opl_err *err)
{
    bool used = true;

    if (!check->env->nonce_used(check->env->ctx, check->statement->nonce, &used, err))
        return false;
    return !used || opl_fail_at(err, OPL_E_INVALID, statement_field,
                                "the nonce of the Statement was used before");
}

static bool check_signature(const struct check *check, const char *text, const char *sshsig,
                            const struct opl_person_key **key, struct opl_err *err)
{
    char fingerprint[64];

    struct opl_err why = {0};

    if (!opl_statement_verify(check->statement, text, sshsig, fingerprint, &why))
        return opl_fail_at(err, why.code, sshsig_field, "%s", why.text);
    return check_key(check, fingerprint, key, err);
}

bool opl_statement_check(const struct opl_registry *registry, const struct opl_admit_env *env,
                         const char *text, const char *sshsig, const char *type, int64_t now,
                         struct opl_statement *out, const struct opl_person_key **key,
                         struct opl_err *err)
{
    struct check check = {registry, env, out, now};

    *out = (struct opl_statement){0};
    *key = NULL;
    if (!opl_statement_parse(text, strlen(text), out, err)) {
        opl_err_prefix(err, statement_field);
        return false;
    }
    if (check_type(out, type, err) && check_signature(&check, text, sshsig, key, err) &&
        check_life(&check, err) && check_history(&check, err) && check_nonce(&check, err))
        return true;
    opl_statement_close(out);
    *key = NULL;
    return false;
}

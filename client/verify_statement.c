/* SPDX-License-Identifier: Apache-2.0 */
/*
 * verify_statement - each person's signature again, and the checkpoint that it names.
 *
 * The registry is the one at the entry's own place, so a key that was revoked later still holds.
 */
#include "verify.h"

#include <opledger/admit.h>
#include <opledger/json.h>

static bool is_nonce_used(void *ctx, const char *nonce, bool *yes, struct opl_err *err)
{
    const struct verify *verify = ctx;

    (void)err;
    *yes = json_object_get(verify->nonces, nonce) != NULL;
    return true;
}

static bool is_on_history(void *ctx, const struct opl_head *head, bool *yes, struct opl_err *err)
{
    const struct verify *verify = ctx;

    *yes = false;
    if (strcmp(head->origin, verify->head.origin) != 0)
        return true;
    return verify_tree_has(&verify->tree, head, yes, err);
}

static bool check(struct verify *verify, const struct opl_entry *entry, const char *text,
                  struct opl_statement *statement, struct opl_err *err)
{
    const struct opl_admit_env env = {
        .ctx = verify, .nonce_used = is_nonce_used, .on_history = is_on_history};
    const struct opl_person_key *key;

    if (!opl_statement_check(opl_world_registry(verify->world), &env, text,
                             opl_json_str(entry->body, "sshsig"), entry->kind->statement, entry->at,
                             statement, &key, err))
        return false;
    return (entry->kind->flags & OPL_KIND_SIGNED) == 0 ||
           strcmp(statement->signer, entry->actor) == 0 ||
           opl_fail(err, OPL_E_VERIFY, "%s recorded the Statement of %s", entry->actor,
                    statement->signer);
}

bool verify_statement(struct verify *verify, const struct opl_entry *entry, struct opl_err *err)
{
    OPL_CLEANUP(opl_statement_close) struct opl_statement statement = {0};
    const char *text = opl_json_str(entry->body, "statement");
    struct opl_err why = {0};

    if (entry->kind == NULL || entry->kind->statement == NULL || text == NULL ||
        opl_json_str(entry->body, "sshsig") == NULL)
        return true;
    if (!check(verify, entry, text, &statement, &why)) {
        if (why.code == OPL_E_NOMEM)
            return opl_fail(err, OPL_E_NOMEM, "%s", why.text);
        verify_wrong(verify, entry->seq, "%s", why.text);
        return true;
    }
    verify->counts.statements++;
    return json_object_set_new(verify->nonces, statement.nonce, json_true()) == 0 ||
           opl_fail(err, OPL_E_NOMEM, "no memory for a nonce");
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "sign.h"

#include <opledger/encode.h>
#include <opledger/json.h>
#include <opledger/name.h>
#include <opledger/sshsig.h>
#include <opledger/statement.h>

#include "api.h"
#include "client.h"
#include "files.h"
#include "log_view.h"
#include "process.h"

void signed_statement_close(struct signed_statement *signed_statement)
{
    free(signed_statement->text);
    free(signed_statement->sshsig);
    memset(signed_statement, 0, sizeof(*signed_statement));
}

bool sign_key_file(struct client *client, const char *given, char **path, struct opl_err *err)
{
    const char *configured = config_get(&client->config, CONFIG_SSH_KEY);
    const char *home = getenv("HOME");

    if (given == NULL && *configured != '\0')
        given = configured;
    if (given != NULL)
        *path = strdup(given);
    else if (home == NULL || asprintf(path, "%s/.ssh/id_ed25519", home) < 0)
        *path = NULL;
    if (*path == NULL)
        return opl_fail(err, OPL_E_CONFIG, "there is no key to sign with");
    if (file_exists(*path))
        return true;
    opl_fail(err, OPL_E_CONFIG, "there is no key file %s", *path);
    free(*path);
    *path = NULL;
    return opl_hint(err, "--key F or OPLEDGER_SSH_KEY name another");
}

static bool encode_blob(const struct opl_buf *armor, char **sshsig, struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf blob = OPL_BUF_INIT(OPL_SSHSIG_MAX);
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};

    if (!opl_sshsig_dearmor(opl_buf_text(armor), armor->len, &blob, err))
        return false;
    opl_buf_base64(&text, blob.data, blob.len);
    if (!opl_buf_ok(&text, err))
        return false;
    *sshsig = opl_buf_take(&text);
    return true;
}

bool sign_text(const char *key, const char *ssh_namespace, const char *text, char **sshsig,
               struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf message = {0};
    OPL_CLEANUP(opl_buf_close) struct opl_buf armor = OPL_BUF_INIT(OPL_SSHSIG_MAX);
    const char *const argv[] = {"ssh-keygen",  "-Y", "sign", "-q", "-n",
                                ssh_namespace, "-f", key,    NULL};
    int status = 0;

    opl_buf_fmt(&message, "%s\n", text);
    if (!opl_buf_ok(&message, err) || !process_filter(argv, &message, &armor, &status, err))
        return false;
    if (status == 0)
        return encode_blob(&armor, sshsig, err);
    opl_fail(err, OPL_E_CONFIG, "ssh-keygen did not sign with %s (status %d)", key, status);
    return opl_hint(err, "ssh-keygen -Y sign -n %s -f %s", ssh_namespace, key);
}

static bool signer_name(struct client *client, char *out, size_t size, struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *who = NULL;
    const char *name;

    if (!api_get(client->api, "/v1/whoami", &who, err))
        return false;
    name = opl_json_str(who, "name");
    if (name == NULL || !opl_is_principal(name))
        return opl_fail(err, OPL_E_VERIFY, "the ledger does not say who we are");
    snprintf(out, size, "%s", name);
    return true;
}

static bool build(const struct sign_request *request, const char *signer,
                  const struct opl_head *head, struct opl_buf *text, struct opl_err *err)
{
    const struct opl_statement_type *type = opl_statement_type_find(request->type);
    int64_t now = opl_time_now();
    int64_t life = request->life_s > 0 ? request->life_s : type->default_life;
    struct opl_statement_draft draft = {.type = request->type,
                                        .signer = signer,
                                        .about = request->about,
                                        .log = head,
                                        .issued = now,
                                        .expires = now + life * OPL_SECOND};

    return opl_statement_build(&draft, text, err) && opl_buf_ok(text, err);
}

/* Who signs, and which head of the log stands in the Statement. */
static bool build_as(struct client *client, const struct sign_request *request,
                     struct opl_head *head, struct opl_buf *text, struct opl_err *err)
{
    char signer[65];

    if (request->signer != NULL)
        snprintf(signer, sizeof(signer), "%s", request->signer);
    else if (!signer_name(client, signer, sizeof(signer), err))
        return false;
    if (request->head != NULL)
        *head = *request->head;
    else if (!log_view_head(client, head, err))
        return false;
    return build(request, signer, head, text, err);
}

/* Our own check of what ssh-keygen made, as the ledger and every verifier will do it. */
static bool check(struct signed_statement *made, struct opl_err *err)
{
    OPL_CLEANUP(opl_statement_close) struct opl_statement statement = {0};

    return opl_statement_parse(made->text, strlen(made->text), &statement, err) &&
           opl_statement_verify(&statement, made->text, made->sshsig, made->fingerprint, err);
}

/* Kept for ever: each Statement names a head of the log that this person saw. */
static bool keep(struct client *client, const struct signed_statement *made, const char *origin,
                 struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf line = {0};
    OPL_CLEANUP(opl_json_freep)
    json_t *value = json_pack("{s:s, s:s}", "statement", made->text, "sshsig", made->sshsig);

    if (value == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for a Statement");
    return opl_json_canonical(value, &line, err) &&
           state_append(&client->state, "statements", origin, opl_buf_text(&line), err);
}

bool sign_statement(struct client *client, const struct sign_request *request,
                    struct signed_statement *out, struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = OPL_BUF_INIT(OPL_STATEMENT_MAX);
    OPL_CLEANUP(file_free) char *key = NULL;
    struct opl_head head;

    if (!sign_key_file(client, request->key, &key, err) ||
        !build_as(client, request, &head, &text, err))
        return false;
    out->text = opl_buf_take(&text);
    if (sign_text(key, opl_statement_type_find(request->type)->ssh_namespace, out->text,
                  &out->sshsig, err) &&
        check(out, err) && keep(client, out, head.origin, err))
        return true;
    signed_statement_close(out);
    return false;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * approval - a person stands for a change, with a key, for what the log held at that moment.
 */
#include "client.h"
#include "cmd.h"

#include <opledger/json.h>

#include "change_manifest.h"
#include "fields.h"
#include "gate_local.h"
#include "gate_reply.h"
#include "log_view.h"
#include "record.h"
#include "sign.h"
#include "subject.h"
#include "world_view.h"

#define CHG OPL_ON(OPL_ID_CHG)

const struct option_spec approval_sign_options[] = {
    {"role",    "R", "the approver role, as policies name it", OPTION_REQUIRED, 0},
    {"expires", "D", "how long it holds (default 14d)",        0,               0},
    OPTION_KEY,
    OPTION_END,
};
const struct option_spec approval_revoke_options[] = {
    {"reason", "T", NULL, 0, 0},
    OPTION_END,
};

/* The gate digest that this client works out itself must be the one the ledger names. */
static bool check_policy(struct client *client, const char *change, const struct opl_hash *said,
                         struct opl_err *err)
{
    OPL_CLEANUP(opl_world_freep) struct opl_world *world = NULL;
    struct opl_err why = {0};
    struct opl_hash real;

    if (!world_view_new(client, &world, &why))
        return why.code == OPL_E_TOO_LARGE || opl_fail(err, why.code, "%s", why.text);
    if (!opl_gate_digest(world, change, &real, err))
        return false;
    return opl_hash_equal(&real, said) ||
           opl_fail(err, OPL_E_VERIFY, "the ledger names other policies for %s than its own log",
                    change);
}

static json_t *about_of(const char *change, const struct gate_reply *reply, const char *role)
{
    char manifest[OPL_DIGEST_SIZE], base[OPL_DIGEST_SIZE], policy[OPL_DIGEST_SIZE];

    opl_hash_digest(&reply->manifest, manifest);
    opl_hash_digest(&reply->base, base);
    opl_hash_digest(&reply->policy, policy);
    return json_pack("{s:s, s:s, s:s, s:s, s:s}", "change", change, "manifest", manifest, "base",
                     base, "policy", policy, "role", role);
}

/* What is signed is what the manifest itself says, not what the answer says of it. */
static bool check_and_show(struct client *client, const char *change,
                           const struct gate_reply *reply, struct opl_err *err)
{
    OPL_CLEANUP(opl_manifest_close) struct opl_manifest manifest = {0};
    char recorded[OPL_DIGEST_SIZE], judged[OPL_DIGEST_SIZE];
    struct opl_hash base;

    opl_hash_digest(&reply->manifest, judged);
    if (!subject_manifest(client, change, recorded, err))
        return false;
    if (strcmp(recorded, judged) != 0)
        return opl_fail(err, OPL_E_VERIFY, "the gate judged another manifest than %s has", change);
    if (!change_manifest_fetch(client, judged, &manifest, err) ||
        !opl_manifest_base(&manifest, &base, err))
        return false;
    if (!opl_hash_equal(&base, &reply->base))
        return opl_fail(err, OPL_E_VERIFY, "the base that the gate names is not the manifest's");
    output_line(&client->out, "signing for %s, manifest %s:", change, judged);
    change_manifest_print(client, &manifest);
    return check_policy(client, change, &reply->policy, err);
}

static bool sign(struct client *client, const char *change, const struct gate_reply *reply,
                 json_t *body, struct opl_err *err)
{
    const char *role = client_option(client, "role");
    const char *expires = client_option(client, "expires");
    OPL_CLEANUP(opl_json_freep) json_t *about = about_of(change, reply, role);
    OPL_CLEANUP(signed_statement_close) struct signed_statement made = {0};
    struct sign_request request = {
        .type = "opledger/approval", .about = about, .key = client_option(client, "key")};

    if (about == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for an approval");
    if (expires != NULL && !opl_duration_parse(expires, &request.life_s, err))
        return false;
    return sign_statement(client, &request, &made, err) &&
           fields_set_take(body, "role", json_string(role), err) &&
           fields_set_take(body, "statement", json_string(made.text), err) &&
           fields_set_take(body, "sshsig", json_string(made.sshsig), err);
}

bool cmd_approval_sign(struct client *client, struct opl_err *err)
{
    OPL_CLEANUP(gate_reply_close) struct gate_reply reply = {0};
    OPL_CLEANUP(opl_json_freep) json_t *body = json_object();
    struct gate_question question = {.use = "explain"};
    char id[OPL_ID_SIZE];

    if (!fields_id(client, 0, CHG, &question.change, err) ||
        !gate_ask(client, &question, &reply, err) ||
        !check_and_show(client, question.change, &reply, err) ||
        !sign(client, question.change, &reply, body, err) ||
        !record_command(client, question.change, body, id, err))
        return false;
    output_next(&client->out, "opledger gate check %s", question.change);
    return true;
}

bool cmd_approval_revoke(struct client *client, struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *body = json_object();
    char id[OPL_ID_SIZE];
    const char *change;
    int64_t approval;

    return fields_id(client, 0, CHG, &change, err) &&
           fields_integer(client_arg(client, 1), "SEQ", &approval, err) &&
           fields_set_take(body, "approval", json_integer(approval), err) &&
           record_command(client, change, body, id, err);
}

static json_t *approvals_json(const struct opl_gate_result *result)
{
    json_t *list = json_array();

    for (size_t i = 0; i < result->approval_count; i++) {
        const struct opl_approval *approval = &result->approvals[i];

        json_array_append_new(list, json_pack("{s:I, s:s, s:s, s:b, s:s}", "seq",
                                              (json_int_t)approval->seq, "signer", approval->signer,
                                              "role", approval->role, "counts", approval->counts,
                                              "why_not", approval->why_not));
    }
    return json_pack("{s:o}", "approvals", list);
}

bool cmd_approval_list(struct client *client, struct opl_err *err)
{
    OPL_CLEANUP(opl_world_freep) struct opl_world *world = NULL;
    OPL_CLEANUP(opl_json_freep) json_t *value = NULL;
    struct opl_gate_result *result;
    struct opl_head head;
    const char *change;
    bool ok;

    if (!fields_id(client, 0, CHG, &change, err) || !log_view_head(client, &head, err) ||
        !world_view_new(client, &world, err))
        return false;
    result = gate_local(world, change, head.size, err);
    if (result == NULL)
        return false;
    gate_local_print_approvals(client, result);
    value = approvals_json(result);
    ok = value != NULL ? output_json(&client->out, value, err)
                       : opl_fail(err, OPL_E_NOMEM, "no memory for the approvals");
    free(result);
    return ok;
}

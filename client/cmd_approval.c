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

/* What an approval stands for, as this client worked it out from the log. */
struct terms {
    const char *change;
    struct opl_hash base;
    struct opl_hash policy;
    char manifest[OPL_DIGEST_SIZE];
};

/*
 * Nothing here is the ledger's word: the manifest is hashed, the base is the manifest's, the
 * policies are those that the log adopted.
 */
static bool work_out(struct client *client, struct terms *terms, struct opl_err *err)
{
    OPL_CLEANUP(opl_world_freep) struct opl_world *world = NULL;
    OPL_CLEANUP(opl_manifest_close) struct opl_manifest manifest = {0};

    if (!subject_manifest(client, terms->change, terms->manifest, err) ||
        !change_manifest_fetch(client, terms->manifest, &manifest, err) ||
        !opl_manifest_base(&manifest, &terms->base, err) || !world_view_new(client, &world, err) ||
        !opl_gate_digest(world, terms->change, &terms->policy, err))
        return false;
    output_line(&client->out, "signing for %s, manifest %s:", terms->change, terms->manifest);
    change_manifest_print(client, &manifest);
    return true;
}

static json_t *about_of(const struct terms *terms, const char *role)
{
    char base[OPL_DIGEST_SIZE], policy[OPL_DIGEST_SIZE];

    opl_hash_digest(&terms->base, base);
    opl_hash_digest(&terms->policy, policy);
    return json_pack("{s:s, s:s, s:s, s:s, s:s}", "change", terms->change, "manifest",
                     terms->manifest, "base", base, "policy", policy, "role", role);
}

static bool sign(struct client *client, const struct terms *terms, json_t *body,
                 struct opl_err *err)
{
    const char *role = client_option(client, "role");
    const char *expires = client_option(client, "expires");
    OPL_CLEANUP(opl_json_freep) json_t *about = about_of(terms, role);
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
    OPL_CLEANUP(opl_json_freep) json_t *body = json_object();
    struct terms terms = {0};
    char id[OPL_ID_SIZE];

    if (!fields_id(client, 0, CHG, &terms.change, err) || !work_out(client, &terms, err) ||
        !sign(client, &terms, body, err) || !record_command(client, terms.change, body, id, err))
        return false;
    output_next(&client->out, "opledger gate check %s", terms.change);
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
    result = gate_local(world, change, &head, err);
    if (result == NULL)
        return false;
    gate_local_print_approvals(client, result);
    value = approvals_json(result);
    ok = value != NULL ? output_json(&client->out, value, err)
                       : opl_fail(err, OPL_E_NOMEM, "no memory for the approvals");
    free(result);
    return ok;
}

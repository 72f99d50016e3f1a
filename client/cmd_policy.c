/* SPDX-License-Identifier: Apache-2.0 */
/*
 * policy - adopted in the log, and checked by its own examples before that.
 */
#include "client.h"
#include "cmd.h"

#include <opledger/encode.h>
#include <opledger/json.h>

#include "api.h"
#include "blobs.h"
#include "fields.h"
#include "policy_file.h"
#include "record.h"

const struct option_spec policy_adopt_options[] = {
    {"what", "W",    "gate, redact or models (default: by what it holds)", 0, 0},
    {"name", "NAME", "its name (default: the one in it, or of its file)",  0, 0},
    OPTION_END,
};

/* The digest of the policy in force under this name, which the new one replaces. */
static bool find_replaced(struct client *client, json_t *body, struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *reply = NULL;
    const json_t *items, *item;
    size_t i;

    if (!api_get_items(client->api, "/v1/policies", &reply, &items, err))
        return false;
    json_array_foreach(items, i, item)
    {
        const char *what = opl_json_str(item, "what");
        const char *name = opl_json_str(item, "name");
        const char *sha256 = opl_json_str(item, "sha256");

        if (what != NULL && name != NULL && sha256 != NULL &&
            strcmp(what, opl_json_str(body, "what")) == 0 &&
            strcmp(name, opl_json_str(body, "name")) == 0)
            return fields_set_take(body, "replaces", json_sprintf("sha256:%s", sha256), err);
    }
    return true;
}

static bool put(struct client *client, const struct policy_file *policy, json_t *body,
                struct opl_err *err)
{
    const char *what = client_option(client, "what");
    const char *name = client_option(client, "name");
    struct opl_hash sha256;
    char hex[OPL_HEX_SIZE];

    if (!blobs_put_bytes(client, policy->text.data, policy->text.len, &sha256, err))
        return false;
    opl_hash_hex(&sha256, hex);
    return fields_set_take(body, "what", json_string(what != NULL ? what : policy->what), err) &&
           fields_set_take(body, "name", json_string(name != NULL ? name : policy->name), err) &&
           fields_set_take(body, "sha256", json_string(hex), err) &&
           find_replaced(client, body, err);
}

bool cmd_policy_adopt(struct client *client, struct opl_err *err)
{
    OPL_CLEANUP(policy_file_close) struct policy_file policy = {0};
    OPL_CLEANUP(opl_json_freep) json_t *body = json_object();
    char id[OPL_ID_SIZE];

    return policy_file_read(client_arg(client, 0), &policy, err) &&
           put(client, &policy, body, err) && record_command(client, NULL, body, id, err);
}

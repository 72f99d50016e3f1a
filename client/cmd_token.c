/* SPDX-License-Identifier: Apache-2.0 */
/*
 * token - for services and agents; people use login.
 */
#include "client.h"
#include "cmd.h"

#include <opledger/json.h>
#include <opledger/time.h>

#include "api.h"
#include "fields.h"
#include "files.h"
#include "record.h"

const struct option_spec token_create_options[] = {
    {"scope",   "S", "a role word that the token may use",             OPTION_REQUIRED | OPTION_LIST, 0  },
    {"expires", "D", "duration from now, or a moment, as 90d",         OPTION_REQUIRED,               0  },
    {"output",  "F", "into this file, which only you can read (0600)", 0,                             'o'},
    OPTION_END,
};

static json_t *scope_of(const struct client *client)
{
    json_t *scope = json_array();

    for (size_t i = 0; i < args_count(&client->args, "scope"); i++)
        json_array_append_new(scope, json_string(args_at(&client->args, "scope", i)));
    return scope;
}

/* A token that cannot be kept is lost, and good until it is revoked. */
static bool write_token(struct client *client, const char *path, const struct opl_buf *line,
                        json_t *reply, struct opl_err *err)
{
    struct opl_err why = {0};

    if (!file_replace(path, line->data, line->len, 0600, &why)) {
        opl_fail(err, why.code, "the token was made and could not be kept: %s", why.text);
        return opl_hint(err, "opledger token revoke %s", opl_json_str(reply, "token_id"));
    }
    output_line(&client->out, "token %s is in %s; the ledger keeps only its hash",
                opl_json_str(reply, "token_id"), path);
    json_object_del(reply, "token");
    return fields_set_take(reply, "file", json_string(path), err) &&
           output_json(&client->out, reply, err);
}

/* The token alone: into its file, or on stdout. */
static bool print_token(struct client *client, json_t *reply, struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_wipe) struct opl_buf line = {0};
    const char *token = opl_json_str(reply, "token");
    const char *path = client_option(client, "output");

    if (token == NULL || opl_json_str(reply, "token_id") == NULL)
        return opl_fail(err, OPL_E_VERIFY, "the ledger's answer holds no token");
    output_recorded(&line, token, strlen(token), OUTPUT_INLINE);
    opl_buf_chr(&line, '\n');
    if (path != NULL)
        return write_token(client, path, &line, reply, err);
    output_note(&client->out, "shown this once; the ledger keeps only its hash");
    output_text(&client->out, &line);
    return output_json(&client->out, reply, err);
}

bool cmd_token_create(struct client *client, struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *body = NULL;
    OPL_CLEANUP(opl_json_freep) json_t *reply = NULL;
    char expires[OPL_TIME_SIZE];

    if (!fields_time(client_option(client, "expires"), expires, sizeof(expires), err))
        return false;
    body = json_pack("{s:s, s:o, s:s}", "principal", client_arg(client, 0), "scope",
                     scope_of(client), "expires", expires);
    if (body == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for a token");
    return api_post(client->api, "/v1/tokens", body, NULL, &reply, err) &&
           print_token(client, reply, err);
}

bool cmd_token_revoke(struct client *client, struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *body = json_object();
    char id[OPL_ID_SIZE];

    return fields_set_take(body, "token_id", json_string(client_arg(client, 0)), err) &&
           record_command(client, NULL, body, id, err);
}

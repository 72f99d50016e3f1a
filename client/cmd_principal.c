/* SPDX-License-Identifier: Apache-2.0 */
/*
 * principal - people, services and agents: enrolled, given keys, revoked.
 */
#include "client.h"
#include "cmd.h"

#include <opledger/json.h>
#include <opledger/sshkey.h>

#include "api.h"
#include "entry_print.h"
#include "fields.h"
#include "files.h"
#include "record.h"

const struct option_spec principal_add_options[] = {
    {"class", "C",     "person, service or agent",                                               OPTION_REQUIRED, 0},
    {"role",  "R",     "recorder, reader, gate, reviewer, admin, evidence-raw or approver.NAME",
     OPTION_LIST,                                                                                                 0},
    {"owner", "P",     NULL,                                                                     0,               0},
    {"model", "MODEL", NULL,                                                                     0,               0},
    OPTION_END,
};
const struct option_spec principal_key_add_options[] = {
    {"hardware",   "W",    "no, or seen: a second person has seen the token (default no)", 0, 0},
    {"not-before", "TIME", NULL,                                                           0, 0},
    {"not-after",  "TIME", NULL,                                                           0, 0},
    OPTION_END,
};
const struct option_spec reason_options[] = {
    {"reason", "T", NULL, 0, 0},
    OPTION_END,
};

static bool record_about(struct client *client, const char *field, json_t *body,
                         struct opl_err *err)
{
    char id[OPL_ID_SIZE];

    return fields_set_take(body, field, json_string(client_arg(client, 0)), err) &&
           record_command(client, NULL, body, id, err);
}

bool cmd_principal_add(struct client *client, struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *body = json_object();

    return record_about(client, "name", body, err);
}

bool cmd_principal_revoke(struct client *client, struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *body = json_object();

    return record_about(client, "name", body, err);
}

/* The line without its comment; a private key is refused before it goes anywhere. */
static bool read_public_key(const char *path, struct opl_buf *line, char *fingerprint,
                            struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_wipe) struct opl_buf text = OPL_BUF_INIT(OPL_SSHKEY_LINE_MAX);
    struct opl_sshkey key;

    if (!file_read(path, &text, err))
        return false;
    if (strstr(opl_buf_text(&text), "PRIVATE KEY") != NULL) {
        opl_fail(err, OPL_E_USAGE, "%s is a private key", path);
        return opl_hint(err, "the public half is %s.pub", path);
    }
    if (!opl_sshkey_parse(opl_buf_text(&text), &key, err))
        return false;
    opl_sshkey_line(&key, line);
    opl_sshkey_fingerprint(&key, fingerprint);
    return opl_buf_ok(line, err);
}

bool cmd_principal_key_add(struct client *client, struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *body = json_object();
    OPL_CLEANUP(opl_buf_close) struct opl_buf line = {0};
    char fingerprint[OPL_FINGERPRINT_SIZE];

    if (!read_public_key(client_arg(client, 1), &line, fingerprint, err) ||
        !fields_set_take(body, "public_key", json_string(opl_buf_text(&line)), err))
        return false;
    if (client_option(client, "hardware") == NULL &&
        !fields_set_take(body, "hardware", json_string("no"), err))
        return false;
    output_line(&client->out, "key %s", fingerprint);
    return record_about(client, "principal", body, err);
}

bool cmd_principal_key_revoke(struct client *client, struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *body = json_object();

    return fields_set_take(body, "fingerprint", json_string(client_arg(client, 1)), err) &&
           record_about(client, "principal", body, err);
}

bool cmd_principal_close_bootstrap(struct client *client, struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *body = json_object();
    char id[OPL_ID_SIZE];

    return record_command(client, NULL, body, id, err);
}

static void add_list(struct table *table, const json_t *value)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};

    if (value != NULL)
        entry_value(&text, value);
    table_add(table, opl_buf_text(&text));
}

static void add_keys(struct table *table, const json_t *keys)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};
    size_t i;
    const json_t *key;

    json_array_foreach(keys, i, key)
    {
        const char *hardware = opl_json_str(key, "hardware");
        const char *fingerprint = opl_json_str(key, "fingerprint");

        opl_buf_fmt(&text, "%s%s%s", i > 0 ? " " : "", fingerprint != NULL ? fingerprint : "",
                    hardware != NULL && strcmp(hardware, "seen") == 0 ? " (hardware)" : "");
    }
    table_add(table, opl_buf_text(&text));
}

bool cmd_principal_list(struct client *client, struct opl_err *err)
{
    static const char *const titles[] = {"name", "class", "owner", "roles", "keys", NULL};
    OPL_CLEANUP(opl_json_freep) json_t *reply = NULL;
    struct table table = {.titles = titles, .whole = true};
    const json_t *items;
    size_t i;
    const json_t *item;

    if (!api_get_items(client->api, "/v1/principals", &reply, &items, err))
        return false;
    json_array_foreach(items, i, item)
    {
        table_add(&table, opl_json_str(item, "name"));
        table_add(&table, opl_json_str(item, "class"));
        table_add(&table, opl_json_str(item, "owner"));
        add_list(&table, json_object_get(item, "roles"));
        add_keys(&table, json_object_get(item, "keys"));
    }
    table_print(&table, &client->out);
    table_close(&table);
    return output_json(&client->out, reply, err);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "list.h"

#include <opledger/json.h>
#include <opledger/time.h>

#include "api.h"
#include "client.h"
#include "cmd.h"
#include "entry_print.h"
#include "fields.h"

#define LIMIT_DEFAULT "50"

const struct option_spec list_options[] = {
    {"status", "S",     "only those with this status",  0, 0},
    {"model",  "MODEL", "only those of this model",     0, 0},
    {"actor",  "P",     "only those by this principal", 0, 0},
    {"since",  "TIME",  "recorded from then on",        0, 0},
    {"until",  "TIME",  "recorded before then",         0, 0},
    OPTION_LIMIT,
    OPTION_END,
};

static void add_query(struct opl_buf *path, const char *name, const char *value)
{
    opl_buf_chr(path, strchr(opl_buf_text(path), '?') != NULL ? '&' : '?');
    opl_buf_fmt(path, "%s=", name);
    api_escape(path, value);
}

static void add_filters(struct client *client, struct opl_buf *path)
{
    static const char *const names[] = {"status", "model", "actor", "since", "until", NULL};
    const char *limit = client_option(client, "limit");

    add_query(path, "limit", limit != NULL ? limit : LIMIT_DEFAULT);
    for (size_t i = 0; names[i] != NULL; i++)
        if (client_option(client, names[i]) != NULL)
            add_query(path, names[i], client_option(client, names[i]));
}

/* The headline of an item: a text, or {"text"}, or erased. */
static const char *headline(const json_t *item)
{
    static const char *const names[] = {"title", "claim", "reason", "text", NULL};

    for (size_t i = 0; names[i] != NULL; i++) {
        const json_t *value = json_object_get(item, names[i]);

        if (json_is_string(value))
            return json_string_value(value);
        if (json_is_object(value) && opl_json_str(value, "text") != NULL)
            return opl_json_str(value, "text");
    }
    return opl_json_str(item, "target");
}

static void add_row(struct table *table, const json_t *item)
{
    const char *at = opl_json_str(item, "at");

    table_add(table, opl_json_str(item, "id"));
    table_add(table, opl_json_str(item, "status"));
    table_add_fmt(table, "%.19s", at != NULL ? at : "");
    table_add(table, opl_json_str(item, "actor"));
    table_add(table, opl_json_str(item, "on"));
    table_add(table, opl_json_str(item, "model"));
    table_add(table, headline(item));
}

bool list_print(struct client *client, const char *noun, const char *query, struct opl_err *err)
{
    static const char *const titles[] = {"id", "status", "recorded", "by",
                                         "on", "model",  "text",     NULL};
    OPL_CLEANUP(opl_buf_close) struct opl_buf path = OPL_BUF_INIT(8192);
    OPL_CLEANUP(opl_json_freep) json_t *page = NULL;
    struct table table = {.titles = titles};
    const json_t *items;

    opl_buf_fmt(&path, "/v1/%s%s", noun, query != NULL ? query : "");
    add_filters(client, &path);
    if (!opl_buf_ok(&path, err) ||
        !api_get_items(client->api, opl_buf_text(&path), &page, &items, err))
        return false;
    for (size_t i = 0; i < json_array_size(items); i++)
        add_row(&table, json_array_get(items, i));
    table_print(&table, &client->out);
    table_close(&table);
    if (opl_json_str(page, "next") != NULL)
        output_note(&client->out, "there are more; --limit N or --until TIME show them");
    return output_json(&client->out, page, err);
}

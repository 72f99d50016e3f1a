/* SPDX-License-Identifier: Apache-2.0 */
#include "list.h"

#include <opledger/json.h>
#include <opledger/rules.h>

#include "api.h"
#include "client.h"
#include "cmd.h"

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

/* "secret 12, identity 3": classes in their order of rank, those that were not met left out. */
static void add_masked(struct table *table, const json_t *hits)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};

    for (int class = 0; class < OPL_RULES_CLASSES; class ++) {
        const char *name = opl_rule_class_name((enum opl_rule_class) class);
        int64_t count = opl_json_int(hits, name, 0);

        if (count > 0)
            opl_buf_fmt(&text, "%s%s %lld", text.len > 0 ? ", " : "", name, (long long)count);
    }
    table_add(table, text.len > 0 ? opl_buf_text(&text) : "nothing");
}

/* A cell by what an item calls it. */
static void add_cell(struct table *table, const json_t *item, const char *key)
{
    const json_t *value = json_object_get(item, key);
    const char *text = json_string_value(value);

    if (strcmp(key, "title") == 0)
        table_add(table, headline(item));
    else if (strcmp(key, "at") == 0)
        table_add_fmt(table, "%.10s %.5s", text != NULL ? text : "",
                      text != NULL && strlen(text) > 11 ? text + 11 : "");
    else if (strcmp(key, "hits") == 0)
        add_masked(table, value);
    else if (json_is_integer(value))
        table_add_fmt(table, "%lld", (long long)json_integer_value(value));
    else
        table_add(table, text);
}

struct column {
    const char *title, *key;
};

#define COLUMNS 9
#define EVERY_LIST                                                                                 \
    {"id", "id"}, {"status", "status"}, {"recorded (UTC)", "at"},                                  \
    {                                                                                              \
        "by", "actor"                                                                              \
    }

/* What tells one from another is last, where there is room for it. */
static const struct {
    const char *noun;
    struct column columns[COLUMNS];
} lists[] = {
    {"incidents",  {EVERY_LIST, {"title", "title"}}                                    },
    {"hypotheses", {EVERY_LIST, {"on", "on"}, {"model", "model"}, {"claim", "title"}}  },
    {"changes",    {EVERY_LIST, {"on", "on"}, {"target", "target"}, {"title", "title"}}},
    {"egress",
     {EVERY_LIST,
      {"on", "on"},
      {"destination", "destination"},
      {"model", "model"},
      {"bytes", "bytes"},
      {"masked", "hits"}}                                                              },
};

static const struct column *columns_of(const char *noun)
{
    size_t i = 0;

    while (i + 1 < sizeof(lists) / sizeof(lists[0]) && strcmp(lists[i].noun, noun) != 0)
        i++;
    return lists[i].columns;
}

bool list_page(struct client *client, const char *noun, json_t **page, struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf path = OPL_BUF_INIT(8192);
    const json_t *items;

    opl_buf_fmt(&path, "/v1/%s", noun);
    add_filters(client, &path);
    return opl_buf_ok(&path, err) &&
           api_get_items(client->api, opl_buf_text(&path), page, &items, err);
}

bool list_show(struct client *client, const char *noun, const json_t *page, struct opl_err *err)
{
    const struct column *columns = columns_of(noun);
    const char *titles[COLUMNS + 1] = {NULL};
    /* counts would be wrong if they were cut */
    struct table table = {.titles = titles, .whole = strcmp(noun, "egress") == 0};
    const json_t *items = json_object_get(page, "items");
    size_t count = 0;

    for (; count < COLUMNS && columns[count].title != NULL; count++)
        titles[count] = columns[count].title;
    for (size_t i = 0; i < json_array_size(items); i++)
        for (size_t c = 0; c < count; c++)
            add_cell(&table, json_array_get(items, i), columns[c].key);
    table_print(&table, &client->out);
    table_close(&table);
    if (opl_json_str(page, "next") != NULL)
        output_note(&client->out, "there are more; --limit N or --until TIME show them");
    return output_json(&client->out, page, err);
}

bool list_print(struct client *client, const char *noun, struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *page = NULL;

    return list_page(client, noun, &page, err) && list_show(client, noun, page, err);
}

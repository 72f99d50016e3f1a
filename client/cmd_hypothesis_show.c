/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hypothesis show, list and stats: what became of what models said.
 */
#include "client.h"
#include "cmd.h"

#include <opledger/json.h>

#include "api.h"
#include "fields.h"
#include "list.h"
#include "timeline.h"

#define HYP OPL_ON(OPL_ID_HYP)

const struct option_spec hypothesis_stats_options[] = {
    {"since", "TIME", "recorded from then on", 0, 0},
    OPTION_END,
};

bool cmd_hypothesis_show(struct client *client, struct opl_err *err)
{
    const char *hypothesis;

    return fields_id(client, 0, HYP, &hypothesis, err) && timeline_print(client, hypothesis, err);
}

bool cmd_hypothesis_list(struct client *client, struct opl_err *err)
{
    return list_print(client, "hypotheses", err);
}

/* counts[model][status] += 1 */
static bool count(json_t *counts, const json_t *item, struct opl_err *err)
{
    const char *model = opl_json_str(item, "model");
    const char *status = opl_json_str(item, "status");
    json_t *row;

    if (model == NULL || status == NULL)
        return true;
    row = json_object_get(counts, model);
    if (row == NULL) {
        row = json_object();
        if (!fields_set_take(counts, model, row, err))
            return false;
    }
    return fields_set_take(row, status, json_integer(opl_json_int(row, status, 0) + 1), err);
}

static bool count_page(struct client *client, struct opl_buf *cursor, json_t *counts,
                       struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *page = NULL;
    OPL_CLEANUP(opl_buf_close) struct opl_buf path = {0};
    const char *since = client_option(client, "since");
    size_t i;
    const json_t *items, *item;

    opl_buf_str(&path, "/v1/hypotheses?limit=1000");
    opl_buf_str(&path, since != NULL ? "&since=" : "");
    api_escape(&path, since != NULL ? since : "");
    opl_buf_str(&path, cursor->len > 0 ? "&cursor=" : "");
    api_escape(&path, opl_buf_text(cursor));
    if (!api_get_items(client->api, opl_buf_text(&path), &page, &items, err))
        return false;
    json_array_foreach(items, i, item)
    {
        if (!count(counts, item, err))
            return false;
    }
    opl_buf_reset(cursor);
    if (opl_json_str(page, "next") != NULL)
        opl_buf_str(cursor, opl_json_str(page, "next"));
    return opl_buf_ok(cursor, err);
}

static void print_counts(struct client *client, json_t *counts)
{
    static const char *const titles[] = {"model", "status", "hypotheses", NULL};
    struct table table = {.titles = titles};
    const char *model, *status;
    json_t *row, *n;

    json_object_foreach(counts, model, row)
    {
        json_object_foreach(row, status, n)
        {
            table_add(&table, model);
            table_add(&table, status);
            table_add_fmt(&table, "%lld", (long long)json_integer_value(n));
        }
    }
    table_print(&table, &client->out);
    table_close(&table);
}

bool cmd_hypothesis_stats(struct client *client, struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *counts = json_object();
    OPL_CLEANUP(opl_buf_close) struct opl_buf cursor = {0};

    if (!count_page(client, &cursor, counts, err))
        return false;
    while (cursor.len > 0)
        if (!count_page(client, &cursor, counts, err))
            return false;
    print_counts(client, counts);
    return output_json(&client->out, counts, err);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * egress - what left the site, to whom, under which rules; and what nobody accounts for.
 */
#include "client.h"
#include "cmd.h"

#include <opledger/hypothesis.h>
#include <opledger/json.h>

#include "api.h"
#include "blobs.h"
#include "egress.h"
#include "fields.h"
#include "files.h"
#include "list.h"
#include "proven.h"
#include "record.h"
#include "timeline.h"
#include "world_view.h"

#define EGR OPL_ON(OPL_ID_EGR)
#define MANIFEST_MAX ((size_t)64 << 20)

const struct option_spec egress_record_options[] = {
    {"manifest",    "F",       "the redaction manifest of the output",      OPTION_REQUIRED, 0  },
    {"destination", "D",       NULL,                                        OPTION_REQUIRED, 0  },
    {"model",       "MODEL",   NULL,                                        OPTION_REQUIRED, 'm'},
    {"for",         "INC|HYP", "what it was sent for",                      OPTION_REQUIRED, 0  },
    {"outcome",     "O",       "sent, refused or failed (default sent)",    0,               0  },
    {"source",      "SHA",     "the source, where it is attached evidence", 0,               0  },
    {"endpoint",    "HOST",    "where the model was reached",               0,               0  },
    {"served",      "NAME",    "the model that really answered",            0,               0  },
    OPTION_END,
};
const struct option_spec egress_list_options[] = {
    {"unaccounted", NULL,    "hypotheses and verdicts whose prompt no egress accounts for", 0, 0},
    {"model",       "MODEL", "only those of this model",                                    0, 0},
    {"actor",       "P",     "only those by this principal",                                0, 0},
    {"since",       "TIME",  "recorded from then on",                                       0, 0},
    {"until",       "TIME",  "recorded before then",                                        0, 0},
    OPTION_LIMIT,
    OPTION_END,
};

static bool read_manifest(const char *path, json_t **out, struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = OPL_BUF_INIT(MANIFEST_MAX);

    if (!file_read(path, &text, err))
        return false;
    if (text.len > 0 && text.data[text.len - 1] == '\n')
        text.len--;
    *out = opl_json_parse(opl_buf_text(&text), text.len, err);
    return *out != NULL;
}

bool cmd_egress_record(struct client *client, struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *manifest = NULL;
    OPL_CLEANUP(file_closep) int fd = blobs_open(client, client_arg(client, 0), err);
    const char *outcome = client_option(client, "outcome");
    const char *source = client_option(client, "source");
    OPL_CLEANUP(opl_receipt_close) struct opl_receipt receipt = {0};
    struct egress egress = {.on = client_option(client, "for"),
                            .destination = client_option(client, "destination"),
                            .model = client_option(client, "model"),
                            .outcome = outcome != NULL ? outcome : "sent",
                            .output_fd = fd};

    if (fd < 0 || !read_manifest(client_option(client, "manifest"), &manifest, err))
        return false;
    egress.manifest = manifest;
    egress.source_sha256 =
        source != NULL && strncmp(source, "sha256:", 7) == 0 ? source + 7 : source;
    if (!egress_record(client, &egress, &receipt, err))
        return false;
    record_say(client, &receipt);
    return record_json(client, &receipt, err);
}

static void add_row(struct table *table, const struct opl_fold *hyp, const struct opl_fact *fact)
{
    const json_t *model = json_object_get(fact->body, "model");

    table_add(table, hyp->id);
    table_add_fmt(table, "%llu", (unsigned long long)fact->seq);
    table_add(table, fact->kind->name);
    table_add(table, fact->actor);
    table_add_fmt(table, "%s/%s", opl_json_str(model, "provider"), opl_json_str(model, "name"));
}

/* The hypothesis itself, and each verdict on it, had a prompt. */
static bool add_unaccounted(struct opl_world *world, const char *id, struct table *table,
                            struct opl_err *err)
{
    const struct opl_fold *hyp = NULL;

    if (!opl_world_find(world, id, &hyp, err) || hyp == NULL)
        return opl_fail(err, OPL_E_VERIFY, "the ledger lists %s, but its log has none", id);
    for (size_t i = 0; i < hyp->fact_count; i++) {
        const struct opl_fact *fact = &hyp->facts[i];
        bool accounted = true;

        if (strcmp(fact->kind->name, "hypothesis.recorded") != 0 &&
            strcmp(fact->kind->name, "verdict.recorded") != 0)
            continue;
        if (!opl_prompt_accounted(world, hyp, fact, &accounted, err))
            return false;
        if (!accounted)
            add_row(table, hyp, fact);
    }
    return true;
}

static bool add_page(struct client *client, struct opl_world *world, struct opl_buf *cursor,
                     struct table *table, struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *page = NULL;
    OPL_CLEANUP(opl_buf_close) struct opl_buf path = {0};
    const json_t *items;

    opl_buf_str(&path, "/v1/hypotheses?limit=1000");
    if (cursor->len > 0)
        opl_buf_str(&path, "&cursor=");
    api_escape(&path, opl_buf_text(cursor));
    if (!api_get_items(client->api, opl_buf_text(&path), &page, &items, err))
        return false;
    for (size_t i = 0; i < json_array_size(items); i++) {
        const char *id = opl_json_str(json_array_get(items, i), "id");

        if (id != NULL && !add_unaccounted(world, id, table, err))
            return false;
    }
    opl_buf_reset(cursor);
    if (opl_json_str(page, "next") != NULL)
        opl_buf_str(cursor, opl_json_str(page, "next"));
    return opl_buf_ok(cursor, err);
}

static json_t *table_json(const struct table *table, size_t columns)
{
    json_t *items = json_array();

    for (size_t i = 0; i + columns <= table->count; i += columns) {
        json_t *item = json_object();

        for (size_t c = 0; c < columns; c++)
            json_object_set_new(item, table->titles[c], json_string(table->cells[i + c]));
        json_array_append_new(items, item);
    }
    return json_pack("{s:o}", "unaccounted", items);
}

static bool print_unaccounted(struct client *client, struct table *table, struct opl_err *err)
{
    OPL_CLEANUP(opl_world_freep) struct opl_world *world = NULL;
    OPL_CLEANUP(opl_buf_close) struct opl_buf cursor = {0};
    OPL_CLEANUP(opl_json_freep) json_t *value = NULL;

    if (!world_view_new(client, &world, err))
        return false;
    if (!add_page(client, world, &cursor, table, err))
        return false;
    while (cursor.len > 0)
        if (!add_page(client, world, &cursor, table, err))
            return false;
    table_print(table, &client->out);
    client->exit_status = table->count > 0;
    value = table_json(table, 5);
    return value == NULL ? opl_fail(err, OPL_E_NOMEM, "no memory for a list")
                         : output_json(&client->out, value, err);
}

/* What a list says of an egress beyond what every subject has. */
static void add_body(json_t *item, const json_t *body)
{
    static const char *const names[] = {"destination", "bytes",           "hits",        "rules",
                                        "sent_sha256", "manifest_sha256", "unscannable", NULL};

    for (size_t i = 0; names[i] != NULL; i++)
        json_object_set(item, names[i], json_object_get(body, names[i]));
}

static bool read_one(struct client *client, json_t *item, struct subject_entry *entry,
                     struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *reply = NULL;
    const char *id = opl_json_str(item, "id");
    char path[64];

    (void)snprintf(path, sizeof(path), "/v1/entries/%lld",
                   (long long)opl_json_int(item, "seq", -1));
    if (!api_get(client->api, path, &reply, err) || !subject_entry_read(reply, entry, err))
        return false;
    if (id == NULL || entry->entry.id == NULL || strcmp(entry->entry.id, id) != 0)
        return opl_fail(err, OPL_E_VERIFY, "the ledger lists an egress that its log does not have");
    add_body(item, entry->entry.body);
    return true;
}

/* Each egress by its own entry, as it stands in the signed log. */
static bool read_entries(struct client *client, const json_t *items, struct opl_err *err)
{
    size_t count = json_array_size(items), i;
    struct subject_entry *entries = calloc(count + 1, sizeof(*entries));
    bool ok = entries != NULL || opl_fail(err, OPL_E_NOMEM, "no memory for a list");

    for (i = 0; ok && i < count; i++)
        ok = read_one(client, json_array_get(items, i), &entries[i], err);
    ok = ok && proven_entries(client, entries, count, err);
    for (i = 0; entries != NULL && i < count; i++)
        subject_entry_close(&entries[i]);
    free(entries);
    return ok;
}

static bool print_list(struct client *client, struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *page = NULL;

    return list_page(client, "egress", &page, err) &&
           read_entries(client, json_object_get(page, "items"), err) &&
           list_show(client, "egress", page, err);
}

bool cmd_egress_list(struct client *client, struct opl_err *err)
{
    static const char *const titles[] = {"hypothesis", "seq", "kind", "by", "model", NULL};
    struct table table = {.titles = titles};
    bool ok;

    if (!args_has(&client->args, "unaccounted"))
        return print_list(client, err);
    ok = print_unaccounted(client, &table, err);
    table_close(&table);
    return ok;
}

bool cmd_egress_show(struct client *client, struct opl_err *err)
{
    const char *egress;

    return fields_id(client, 0, EGR, &egress, err) && timeline_print(client, egress, err);
}

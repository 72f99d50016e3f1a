/* SPDX-License-Identifier: Apache-2.0 */
#include "registry_view.h"

#include <opledger/json.h>

#include "api.h"
#include "client.h"
#include "log_view.h"
#include "subject.h"

#define PAGE 1000

/* How far the log has been read, and what was worth keeping of it. */
struct reading {
    struct opl_registry *registry; /* owned */
    struct opl_edge edge;          /* its size is where to read on */
    json_t *kept;                  /* owned: [{seq, entry}] of administration */
};

static void reading_close(struct reading *reading)
{
    opl_registry_free(reading->registry);
    json_decref(reading->kept);
    memset(reading, 0, sizeof(*reading));
}

static bool begin(struct reading *reading, struct opl_err *err)
{
    reading_close(reading);
    reading->registry = opl_registry_new();
    reading->kept = json_array();
    return (reading->registry != NULL && reading->kept != NULL) ||
           opl_fail(err, OPL_E_NOMEM, "no memory for the registry");
}

/* ---- what was remembered ---- */

static bool recall_edge(struct reading *reading, const json_t *memory, struct opl_err *err)
{
    const json_t *hashes = json_object_get(memory, "edge");
    size_t count = json_array_size(hashes);

    reading->edge.size = (uint64_t)opl_json_int(memory, "size", 0);
    if (reading->edge.size >= OPL_TREE_MAX || count != opl_edge_count(reading->edge.size))
        return opl_fail(err, OPL_E_VERIFY, "the remembered edge is none");
    for (size_t i = 0; i < count; i++) {
        const char *hex = json_string_value(json_array_get(hashes, i));

        if (hex == NULL || !opl_hash_from_hex(hex, &reading->edge.hash[i], err))
            return false;
    }
    return true;
}

static bool recall_entries(struct reading *reading, const json_t *memory, struct opl_err *err)
{
    size_t i;
    json_t *kept;

    json_array_foreach(json_object_get(memory, "entries"), i, kept)
    {
        OPL_CLEANUP(opl_entry_close) struct opl_entry entry = {0};
        const char *bytes = opl_json_str(kept, "entry");
        int64_t seq = opl_json_int(kept, "seq", -1);

        if (bytes == NULL || seq < 0 ||
            !opl_entry_parse(bytes, strlen(bytes), (uint64_t)seq, &entry, err) ||
            !opl_registry_apply(reading->registry, &entry, err) ||
            json_array_append(reading->kept, kept) != 0)
            return false;
    }
    return true;
}

/* A memory that cannot be read, or that knows more than there is, is begun anew. */
static bool recall(struct client *client, const struct opl_head *head, struct reading *reading,
                   struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};
    OPL_CLEANUP(opl_json_freep) json_t *memory = NULL;
    struct opl_err broken = {0};
    bool found = false;

    if (!begin(reading, err) ||
        !state_get(&client->state, "registry", head->origin, &text, &found, err))
        return false;
    if (!found)
        return true;
    memory = opl_json_parse(opl_buf_text(&text), text.len, &broken);
    if (memory != NULL && recall_edge(reading, memory, &broken) &&
        reading->edge.size <= head->size && recall_entries(reading, memory, &broken))
        return true;
    return begin(reading, err);
}

static json_t *edge_json(const struct opl_edge *edge)
{
    json_t *list = json_array();

    for (size_t i = 0; i < opl_edge_count(edge->size); i++) {
        char hex[OPL_HEX_SIZE];

        opl_hash_hex(&edge->hash[i], hex);
        json_array_append_new(list, json_string(hex));
    }
    return list;
}

static bool remember(struct client *client, const struct opl_head *head,
                     const struct reading *reading, struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};
    OPL_CLEANUP(opl_json_freep)
    json_t *memory = json_pack("{s:I, s:o, s:O}", "size", (json_int_t)reading->edge.size, "edge",
                               edge_json(&reading->edge), "entries", reading->kept);

    if (memory == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for the registry");
    return opl_json_canonical(memory, &text, err) &&
           state_set(&client->state, "registry", head->origin, opl_buf_text(&text), err);
}

/* ---- what is new ---- */

static bool take(struct reading *reading, const json_t *item, struct opl_err *err)
{
    OPL_CLEANUP(subject_entry_close) struct subject_entry read = {0};
    const char *bytes = opl_json_str(item, "entry");
    const struct opl_entry *entry = &read.entry;
    struct opl_hash leaf;

    if (!subject_entry_read(item, &read, err))
        return false;
    if (entry->seq != reading->edge.size)
        return opl_fail(err, OPL_E_VERIFY, "entry %llu came where %llu was due",
                        (unsigned long long)entry->seq, (unsigned long long)reading->edge.size);
    opl_leaf_hash(bytes, strlen(bytes), &leaf);
    opl_edge_append(&reading->edge, &leaf);
    if (entry->kind == NULL || (entry->kind->flags & OPL_KIND_ADMIN) == 0)
        return true;
    json_array_append_new(reading->kept,
                          json_pack("{s:I, s:s}", "seq", (json_int_t)entry->seq, "entry", bytes));
    return opl_registry_apply(reading->registry, entry, err);
}

static bool read_page(struct client *client, const struct opl_head *head, struct reading *reading,
                      struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *page = NULL;
    uint64_t before = reading->edge.size;
    const json_t *items;
    char path[96];

    (void)snprintf(path, sizeof(path), "/v1/entries?from=%llu&limit=%d", (unsigned long long)before,
                   PAGE);
    if (!api_get(client->api, path, &page, err))
        return false;
    items = json_object_get(page, "items");
    for (size_t i = 0; i < json_array_size(items) && reading->edge.size < head->size; i++)
        if (!take(reading, json_array_get(items, i), err))
            return false;
    return reading->edge.size > before ||
           opl_fail(err, OPL_E_VERIFY, "the ledger does not show entry %llu of its own log",
                    (unsigned long long)before);
}

static bool read_on(struct client *client, const struct opl_head *head, struct reading *reading,
                    struct opl_err *err)
{
    struct opl_hash root;

    while (reading->edge.size < head->size)
        if (!read_page(client, head, reading, err))
            return false;
    opl_edge_root(&reading->edge, &root);
    return opl_hash_equal(&root, &head->root) ||
           opl_fail(err, OPL_E_LOG,
                    "the entries that the ledger shows are not those it has signed");
}

/* What was remembered wrongly is read again from the first entry; that must then hold. */
static bool read_all(struct client *client, const struct opl_head *head, struct reading *reading,
                     struct opl_err *err)
{
    struct opl_err why = {0};
    bool remembered = reading->edge.size > 0;

    if (read_on(client, head, reading, &why))
        return true;
    if (why.code == OPL_E_LOG && remembered)
        return begin(reading, err) && read_on(client, head, reading, err);
    opl_fail(err, why.code, "%s", why.text);
    return opl_hint(err, "%s", why.hint);
}

bool registry_view_load(struct client *client, struct opl_registry **out, struct opl_err *err)
{
    OPL_CLEANUP(reading_close) struct reading reading = {0};
    struct opl_head head;
    uint64_t known;

    if (!log_view_head(client, &head, err) || !recall(client, &head, &reading, err))
        return false;
    known = reading.edge.size;
    if (!read_all(client, &head, &reading, err) ||
        (head.size > known && !remember(client, &head, &reading, err)))
        return false;
    *out = reading.registry;
    reading.registry = NULL;
    return true;
}

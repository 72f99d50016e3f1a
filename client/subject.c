/* SPDX-License-Identifier: Apache-2.0 */
#include "subject.h"

#include <opledger/json.h>
#include <opledger/merkle.h>

#include "api.h"
#include "client.h"
#include "entry_print.h"
#include "proven.h"

static const char *const nouns[OPL_PREFIXES] = {
    [OPL_ID_INC] = "incidents", [OPL_ID_HYP] = "hypotheses", [OPL_ID_CHG] = "changes",
    [OPL_ID_EGR] = "egress",    [OPL_ID_OVR] = "overrides",
};

void subject_entry_close(struct subject_entry *entry)
{
    opl_entry_close(&entry->entry);
    json_decref(entry->texts);
    memset(entry, 0, sizeof(*entry));
}

void subject_close(struct subject *subject)
{
    for (size_t i = 0; i < subject->count; i++)
        subject_entry_close(&subject->entries[i]);
    free(subject->entries);
    json_decref(subject->reply);
    memset(subject, 0, sizeof(*subject));
}

static bool check_leaf(const json_t *item, const char *bytes, struct opl_hash *real,
                       struct opl_err *err)
{
    const char *digest = opl_json_str(item, "leaf");
    struct opl_hash said;

    if (digest == NULL)
        return opl_fail(err, OPL_E_VERIFY, "an entry came without its leaf");
    if (!opl_hash_from_digest(digest, &said, err))
        return false;
    opl_leaf_hash(bytes, strlen(bytes), real);
    return opl_hash_equal(&said, real) ||
           opl_fail(err, OPL_E_VERIFY, "an entry does not hash to its leaf %s", digest);
}

/* One text against the seal that stands in the entry. */
static bool check_text(const struct opl_entry *entry, const char *pointer, const json_t *kept,
                       struct opl_err *err)
{
    const char *text = opl_json_str(kept, "text");
    const char *salt_hex = opl_json_str(kept, "salt");
    struct opl_hash sealed, real;
    struct opl_salt salt;

    if (text == NULL) /* erased: nothing to check, and nothing is shown */
        return true;
    if (salt_hex == NULL || !opl_hex_decode(salt_hex, salt.b, sizeof(salt.b), err) ||
        !opl_seal_read(opl_json_at(entry->root, pointer), &sealed))
        return opl_fail(err, OPL_E_VERIFY, "entry %llu has no seal at %s",
                        (unsigned long long)entry->seq, pointer);
    opl_seal_hash(&salt, text, strlen(text), &real);
    return opl_hash_equal(&sealed, &real) ||
           opl_fail(err, OPL_E_VERIFY, "the text of entry %llu at %s is not the one it sealed",
                    (unsigned long long)entry->seq, pointer);
}

static bool check_texts(const struct subject_entry *entry, struct opl_err *err)
{
    const char *pointer;
    const json_t *kept;

    json_object_foreach(entry->texts, pointer, kept)
    {
        if (!check_text(&entry->entry, pointer, kept, err))
            return false;
    }
    return true;
}

bool subject_entry_read(const json_t *item, struct subject_entry *out, struct opl_err *err)
{
    const char *bytes = opl_json_str(item, "entry");
    int64_t seq = opl_json_int(item, "seq", -1);

    if (bytes == NULL || seq < 0)
        return opl_fail(err, OPL_E_VERIFY, "an entry came without its bytes or its number");
    if (!check_leaf(item, bytes, &out->leaf, err) ||
        !opl_entry_parse(bytes, strlen(bytes), (uint64_t)seq, &out->entry, err))
        return false;
    out->texts = json_incref(json_object_get(item, "texts"));
    if (check_texts(out, err))
        return true;
    subject_entry_close(out);
    return false;
}

/* An entry of another subject is as good an entry, and says nothing about this one. */
static bool is_about(const struct opl_entry *entry, const char *id)
{
    return (entry->id != NULL && strcmp(entry->id, id) == 0) ||
           (entry->on != NULL && strcmp(entry->on, id) == 0);
}

static bool read_entries(struct subject *out, const char *id, struct opl_err *err)
{
    const json_t *list = json_object_get(out->reply, "entries");
    size_t count = json_array_size(list);

    if (count == 0)
        return opl_fail(err, OPL_E_VERIFY, "%s came without an entry", id);
    out->entries = calloc(count + 1, sizeof(*out->entries));
    if (out->entries == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for %zu entries", count);
    while (out->count < count) {
        if (!subject_entry_read(json_array_get(list, out->count), &out->entries[out->count], err))
            return false;
        if (!is_about(&out->entries[out->count++].entry, id))
            return opl_fail(err, OPL_E_VERIFY, "%s came with an entry about something else", id);
    }
    return true;
}

bool subject_load(struct client *client, const char *id, struct subject *out, struct opl_err *err)
{
    enum opl_prefix prefix;
    uint64_t number;
    char path[64];

    memset(out, 0, sizeof(*out));
    if (!opl_id_parse(id, &prefix, &number) || nouns[prefix] == NULL)
        return opl_fail(err, OPL_E_USAGE, "%s is no id", id);
    snprintf(path, sizeof(path), "/v1/%s/%s", nouns[prefix], id);
    if (api_get(client->api, path, &out->reply, err) && read_entries(out, id, err) &&
        proven_entries(client, out->entries, out->count, err))
        return true;
    subject_close(out);
    return false;
}

const char *subject_text(const struct subject_entry *entry, const char *pointer)
{
    const json_t *kept = json_object_get(entry->texts, pointer);

    return kept != NULL ? opl_json_str(kept, "text") : NULL;
}

const char *subject_child(const struct subject *subject, size_t i)
{
    return json_string_value(json_array_get(json_object_get(subject->reply, "children"), i));
}

bool subject_manifest(struct client *client, const char *change, char out[static OPL_DIGEST_SIZE],
                      struct opl_err *err)
{
    OPL_CLEANUP(subject_close) struct subject subject = {0};
    const char *manifest = NULL;

    if (!subject_load(client, change, &subject, err))
        return false;
    for (size_t i = 0; i < subject.count; i++) {
        const struct opl_entry *entry = &subject.entries[i].entry;

        if (strcmp(entry->kind_name, "change.proposed") == 0 ||
            strcmp(entry->kind_name, "change.revised") == 0)
            manifest = opl_json_str(entry->body, "manifest");
    }
    if (manifest == NULL)
        return opl_fail(err, OPL_E_VERIFY, "%s has no manifest", change);
    snprintf(out, OPL_DIGEST_SIZE, "%s", manifest);
    return true;
}

bool subject_show_fact(struct client *client, const char *id, uint64_t seq, struct opl_err *err)
{
    OPL_CLEANUP(subject_close) struct subject subject = {0};

    if (!subject_load(client, id, &subject, err))
        return false;
    for (size_t i = 0; i < subject.count; i++) {
        if (subject.entries[i].entry.seq != seq)
            continue;
        entry_print(client, &subject.entries[i]);
        return true;
    }
    opl_fail(err, OPL_E_NOT_FOUND, "entry %llu is not about %s", (unsigned long long)seq, id);
    return opl_hint(err, "the numbers stand in opledger %s show %s",
                    strncmp(id, "chg", 3) == 0 ? "change" : "hypothesis", id);
}

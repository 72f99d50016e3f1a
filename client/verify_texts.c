/* SPDX-License-Identifier: Apache-2.0 */
/*
 * verify_texts - each free text against the seal in its entry, or against the entry that erased it.
 */
#include "verify.h"

#include <inttypes.h>

#include <opledger/encode.h>
#include <opledger/json.h>

#define POINTER_SIZE 96

static bool keep_claim(json_t *claims, uint64_t seq, const char *pointer, int64_t entry,
                       struct opl_err *err)
{
    char key[POINTER_SIZE + 24];

    snprintf(key, sizeof(key), "%" PRIu64 " %s", seq, pointer);
    return json_object_set_new(claims, key, json_integer(entry)) == 0 ||
           opl_fail(err, OPL_E_NOMEM, "no memory for an erasure");
}

static bool matches(const struct opl_hash *seal, const json_t *kept)
{
    const char *text = opl_json_str(kept, "text");
    const char *hex = opl_json_str(kept, "salt");
    struct opl_hash real;
    struct opl_salt salt;

    if (text == NULL || hex == NULL || !opl_hex_decode(hex, salt.b, sizeof(salt.b), NULL))
        return false;
    opl_seal_hash(&salt, text, strlen(text), &real);
    return opl_hash_equal(seal, &real);
}

static bool check_text(struct verify *verify, const struct opl_entry *entry, const char *pointer,
                       const json_t *kept, struct opl_err *err)
{
    int64_t erased_by = opl_json_int(kept, "erased", -1);
    struct opl_hash seal;

    if (!opl_seal_read(opl_json_at(entry->root, pointer), &seal)) {
        verify_wrong(verify, entry->seq, "it has no seal at %s", pointer);
        return true;
    }
    if (kept == NULL)
        verify_wrong(verify, entry->seq,
                     "its text at %s is gone, and nothing says that it was "
                     "erased",
                     pointer);
    if (kept == NULL || erased_by >= 0) {
        verify->counts.erased += kept != NULL;
        return kept == NULL || keep_claim(verify->erased, entry->seq, pointer, erased_by, err);
    }
    if (!matches(&seal, kept))
        verify_wrong(verify, entry->seq, "its text at %s is not the one that it sealed", pointer);
    verify->counts.texts++;
    return true;
}

/* Texts that no field of the entry has sealed. */
static void check_surplus(struct verify *verify, const struct opl_entry *entry, const json_t *texts)
{
    const char *pointer;
    const json_t *kept;
    struct opl_hash seal;

    json_object_foreach((json_t *)texts, pointer, kept)
    {
        if (!opl_seal_read(opl_json_at(entry->root, pointer), &seal))
            verify_wrong(verify, entry->seq, "a text comes with it that it did not seal");
    }
}

static bool note_erasure(struct verify *verify, const struct opl_entry *entry, struct opl_err *err)
{
    const char *field = opl_json_str(entry->body, "field");
    int64_t seq = opl_json_int(entry->body, "seq", -1);

    if (strcmp(entry->kind_name, "content.erased") != 0 || field == NULL || seq < 0)
        return true;
    return keep_claim(verify->erasures, (uint64_t)seq, field, (int64_t)entry->seq, err);
}

bool verify_texts(struct verify *verify, const struct opl_entry *entry, const json_t *texts,
                  struct opl_err *err)
{
    const struct opl_field *field = entry->kind != NULL ? entry->kind->fields : NULL;

    check_surplus(verify, entry, texts);
    for (; field != NULL && field->name != NULL; field++) {
        char pointer[POINTER_SIZE];

        if (field->type != OPL_F_SEALED || json_object_get(entry->body, field->name) == NULL)
            continue;
        snprintf(pointer, sizeof(pointer), "/body/%s", field->name);
        if (!check_text(verify, entry, pointer, json_object_get(texts, pointer), err))
            return false;
    }
    return note_erasure(verify, entry, err);
}

void verify_erasures(struct verify *verify)
{
    const char *key;
    const json_t *by;

    json_object_foreach(verify->erased, key, by)
    {
        const json_t *act = json_object_get(verify->erasures, key);

        if (act == NULL || json_integer_value(act) != json_integer_value(by))
            verify_wrong(verify, strtoull(key, NULL, 10),
                         "its text is said to be erased by entry %lld, which does not do that",
                         (long long)json_integer_value(by));
    }
}

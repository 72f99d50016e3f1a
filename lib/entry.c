/* SPDX-License-Identifier: Apache-2.0 */
#include <opledger/entry.h>

#include <opledger/json.h>
#include <opledger/time.h>

#include "field.h"
#include "kinds_rules.h"

#define OPTIONAL OPL_FIELD_OPTIONAL

static const struct opl_field entry_fields[] = {
    {"actor",       OPL_F_PRINCIPAL, 0,        0,  NULL, OPL_ID_NONE, "who wrote it"              },
    {"at",          OPL_F_TIME,      0,        0,  NULL, OPL_ID_NONE, "when it was recorded"      },
    {"body",        OPL_F_OBJECT,    0,        0,  NULL, OPL_ID_NONE, "what it says"              },
    {"id",          OPL_F_ID,        OPTIONAL, 0,  NULL, OPL_ID_NONE, "what it creates"           },
    {"kind",        OPL_F_TEXT,      0,        64, NULL, OPL_ID_NONE, "its row in the kinds table"},
    {"observed_at", OPL_F_TIME,      OPTIONAL, 0,  NULL, OPL_ID_NONE, "when it happened"          },
    {"on",          OPL_F_ID,        OPTIONAL, 0,  NULL, OPL_ID_NONE, "what it is about"          },
    {"prev",        OPL_F_SEQ,       OPTIONAL, 0,  NULL, OPL_ID_NONE, "the entry before on it"    },
    {"v",           OPL_F_INT,       0,        0,  NULL, OPL_ID_NONE, "the version of this format"},
    {NULL,          OPL_F_TEXT,      0,        0,  NULL, OPL_ID_NONE, NULL                        },
};

/* A stored time, already checked, or -1 when absent. */
static int64_t time_of(const json_t *root, const char *key)
{
    const char *text = opl_json_str(root, key);
    int64_t at = -1;

    if (text != NULL && !opl_time_parse(text, &at, NULL))
        return -1;
    return at;
}

static void read_parts(struct opl_entry *entry)
{
    entry->kind_name = opl_json_str(entry->root, "kind");
    entry->kind = opl_kind_find(entry->kind_name);
    entry->actor = opl_json_str(entry->root, "actor");
    entry->id = opl_json_str(entry->root, "id");
    entry->on = opl_json_str(entry->root, "on");
    entry->body = json_object_get(entry->root, "body");
    entry->prev = opl_json_int(entry->root, "prev", -1);
    entry->at = time_of(entry->root, "at");
    entry->observed_at = time_of(entry->root, "observed_at");
}

static bool check_place(const struct opl_entry *entry, struct opl_err *err)
{
    if (opl_json_int(entry->root, "v", 0) != 1)
        return opl_fail_at(err, OPL_E_INVALID, "/v", "is a version that is not known");
    if (entry->prev >= 0 && (uint64_t)entry->prev >= entry->seq)
        return opl_fail_at(err, OPL_E_INVALID, "/prev", "is not before the entry");
    return true;
}

static bool check_id(const struct opl_entry *entry, struct opl_err *err)
{
    enum opl_prefix prefix = OPL_ID_NONE;
    uint64_t number;

    if (entry->id != NULL && !opl_id_parse(entry->id, &prefix, &number))
        prefix = OPL_ID_NONE;
    if (prefix == entry->kind->creates)
        return true;
    return opl_fail_at(err, OPL_E_INVALID, "/id", "is not what %s creates", entry->kind_name);
}

/* Kinds that this version does not know are opaque: later versions may have written them. */
static bool check_known(const struct opl_entry *entry, struct opl_err *err)
{
    static const struct opl_spot at = {NULL, "body", 0};
    struct opl_check check = {NULL, err};

    if (entry->kind == NULL)
        return true;
    return check_id(entry, err) && opl_rules_on(entry->kind, entry->on, err) &&
           opl_fields_check(&check, entry->kind->fields, entry->body, &at, NULL) &&
           opl_rules_body(entry->kind, entry->body, err);
}

static bool read_entry(const char *bytes, size_t len, struct opl_entry *entry, struct opl_err *err)
{
    struct opl_check check = {NULL, err};

    if (len > OPL_ENTRY_MAX)
        return opl_fail(err, OPL_E_INVALID, "an entry is at most %d bytes", OPL_ENTRY_MAX);
    entry->root = opl_json_parse_canonical(bytes, len, err);
    if (entry->root == NULL || !opl_fields_check(&check, entry_fields, entry->root, NULL, NULL))
        return false;
    read_parts(entry);
    return check_place(entry, err) && check_known(entry, err);
}

bool opl_entry_parse(const char *bytes, size_t len, uint64_t seq, struct opl_entry *entry,
                     struct opl_err *err)
{
    struct opl_err why = {0};

    *entry = (struct opl_entry){.seq = seq, .prev = -1, .at = -1, .observed_at = -1};
    if (read_entry(bytes, len, entry, &why))
        return true;
    opl_entry_close(entry);
    if (why.code == OPL_E_NOMEM)
        return opl_fail(err, OPL_E_NOMEM, "%s", why.text);
    return opl_fail_at(err, OPL_E_VERIFY, why.field, "entry is not as it should be: %s%s%s",
                       why.field, why.field[0] != '\0' ? " " : "", why.text);
}

void opl_entry_close(struct opl_entry *entry)
{
    json_decref(entry->root);
    *entry = (struct opl_entry){.prev = -1, .at = -1, .observed_at = -1};
}

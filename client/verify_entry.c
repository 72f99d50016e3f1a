/* SPDX-License-Identifier: Apache-2.0 */
/*
 * verify_entry - one entry at its place: bytes, leaf, form, time, number, chain, and what hangs on
 * it.
 */
#include "verify.h"

#include <inttypes.h>

#include <opledger/encode.h>
#include <opledger/json.h>
#include <opledger/time.h>

#include "client.h"

/*
 * The leaf that goes into the tree is the one that the ledger says the entry has: if the tree then
 * has the signed root, it is the bytes that are wrong, and only these.
 */
static bool take_leaf(struct verify *verify, const json_t *item, const char *bytes,
                      struct opl_err *err)
{
    const char *digest = opl_json_str(item, "leaf");
    struct opl_hash said, real;

    opl_leaf_hash(bytes, strlen(bytes), &real);
    if (digest == NULL || !opl_hash_from_digest(digest, &said, NULL))
        said = real;
    if (!opl_hash_equal(&said, &real))
        verify_wrong(verify, verify->tree.size, "its bytes do not hash to its leaf %s", digest);
    return verify_tree_append(&verify->tree, &said, err);
}

static void check_time(struct verify *verify, const struct opl_entry *entry)
{
    bool corrected = strcmp(entry->kind_name, "clock.corrected") == 0;

    if (entry->at < verify->last_at && !corrected)
        verify_wrong(verify, entry->seq, "it was recorded before the entry before it");
    verify->last_at = entry->at;
}

static void check_number(struct verify *verify, const struct opl_entry *entry)
{
    enum opl_prefix prefix = OPL_ID_NONE;
    enum opl_prefix creates = entry->kind != NULL ? entry->kind->creates : OPL_ID_NONE;
    uint64_t number = 0;

    if (entry->id == NULL) {
        if (creates != OPL_ID_NONE)
            verify_wrong(verify, entry->seq, "it creates something without an id");
        return;
    }
    if (!opl_id_parse(entry->id, &prefix, &number) || (entry->kind != NULL && prefix != creates)) {
        verify_wrong(verify, entry->seq, "its id %s is none of its kind", entry->id);
        return;
    }
    if (number != verify->numbers[prefix] + 1)
        verify_wrong(verify, entry->seq, "it is %s, after %" PRIu64 " of that kind", entry->id,
                     verify->numbers[prefix]);
    verify->numbers[prefix] = number;
}

/* Whether an entry can change the status of what it is about; the ledger projects only then. */
static bool moves(const struct opl_kind *kind)
{
    static const char *const idle[] = {"incident.noted", "evidence.attached", "gate.decided",
                                       "approval.signed", "approval.revoked"};

    if (kind == NULL || kind->creates != OPL_ID_NONE)
        return false;
    for (size_t i = 0; i < sizeof(idle) / sizeof(idle[0]); i++)
        if (strcmp(kind->name, idle[i]) == 0)
            return false;
    return true;
}

static bool project(struct verify *verify, const char *id, int64_t at, struct opl_err *err)
{
    const struct opl_fold *fold = NULL;
    const char *status;

    if (id == NULL)
        return true;
    if (!opl_world_find(verify->world, id, &fold, err))
        return false;
    status = fold != NULL ? verify_status(verify, fold, at) : NULL;
    return status == NULL ||
           (json_object_set_new(verify->statuses, id, json_string(status)) == 0 &&
            json_object_set_new(verify->moved, id, json_integer(at)) == 0) ||
           opl_fail(err, OPL_E_NOMEM, "no memory for a status");
}

/* Another hypothesis's fate can block one, so the ledger projects those of an incident together. */
static bool note_kin(struct verify *verify, const struct opl_entry *entry, struct opl_err *err)
{
    const struct opl_fold *fold = NULL;
    char key[OPL_ID_SIZE + 32];

    if (entry->on == NULL || strncmp(entry->on, "hyp-", 4) != 0 || !moves(entry->kind))
        return true;
    if (!opl_world_find(verify->world, entry->on, &fold, err))
        return false;
    snprintf(key, sizeof(key), "%s %" PRId64, fold != NULL ? fold->on : "", entry->at);
    return json_object_set_new(verify->kin, key, json_true()) == 0 ||
           opl_fail(err, OPL_E_NOMEM, "no memory for a status");
}

static bool apply(struct verify *verify, const struct opl_entry *entry, struct opl_err *err)
{
    struct opl_err why = {0};

    if (strncmp(entry->kind_name, "principal.", 10) == 0 ||
        strncmp(entry->kind_name, "key.", 4) == 0)
        verify->people_changed = entry->seq;

    if (!opl_world_apply(verify->world, entry, &why)) {
        if (!verify_is_finding(&why))
            return opl_fail(err, why.code, "%s", why.text);
        verify_wrong(verify, entry->seq, "%s", why.text);
        return true;
    }
    return note_kin(verify, entry, err) && project(verify, entry->id, entry->at, err) &&
           (!moves(entry->kind) || project(verify, entry->on, entry->at, err));
}

static bool check_content(struct verify *verify, const struct opl_entry *entry, const json_t *texts,
                          struct opl_err *err)
{
    verify->counts.opaque += entry->kind == NULL;
    check_time(verify, entry);
    check_number(verify, entry);
    return verify_texts(verify, entry, texts, err) && verify_statement(verify, entry, err) &&
           verify_decision(verify, entry, err) && apply(verify, entry, err) &&
           verify_blobs(verify, entry, err);
}

bool verify_entry(struct verify *verify, const json_t *item, struct opl_err *err)
{
    OPL_CLEANUP(opl_entry_close) struct opl_entry entry = {0};
    const char *bytes = opl_json_str(item, "entry");
    uint64_t seq = verify->tree.size;
    struct opl_err why = {0};

    if (bytes == NULL || opl_json_int(item, "seq", -1) != (int64_t)seq) {
        verify_wrong(verify, seq, "the ledger serves another one in its place");
        verify->unread = true;
        return true;
    }
    if (!take_leaf(verify, item, bytes, err))
        return false;
    if (verify->wrong.found) /* from here on only the tree matters */
        return true;
    if (!opl_entry_parse(bytes, strlen(bytes), seq, &entry, &why)) {
        verify_wrong(verify, seq, "%s", why.text);
        return true;
    }
    if (!check_content(verify, &entry, json_object_get(item, "texts"), err))
        return false;
    verify->counts.entries += !verify->wrong.found;
    return true;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include <opledger/receipt.h>

#include <opledger/encode.h>
#include <opledger/json.h>
#include <opledger/time.h>

static json_t *proof_json(const struct opl_proof *proof)
{
    json_t *list = json_array();
    char digest[OPL_DIGEST_SIZE];

    for (size_t i = 0; list != NULL && i < proof->count; i++) {
        opl_hash_digest(&proof->hash[i], digest);
        if (json_array_append_new(list, json_string(digest))) {
            json_decref(list);
            list = NULL;
        }
    }
    return list;
}

json_t *opl_receipt_json(const struct opl_receipt *receipt)
{
    char at[OPL_TIME_SIZE], leaf[OPL_DIGEST_SIZE];

    opl_time_format(receipt->at, at);
    opl_hash_digest(&receipt->leaf, leaf);
    return json_pack("{s:I,s:s?,s:s,s:s,s:s,s:o,s:s,s:o,s:o,s:s}", "seq", (json_int_t)receipt->seq,
                     "id", receipt->id[0] != '\0' ? receipt->id : NULL, "kind", receipt->kind,
                     "actor", receipt->actor, "at", at, "prev",
                     receipt->prev >= 0 ? json_integer(receipt->prev) : json_null(), "leaf", leaf,
                     "proof", proof_json(&receipt->proof), "checkpoint",
                     opl_head_json(&receipt->checkpoint), "note", receipt->note);
}

static bool refuse(struct opl_err *err, const char *key)
{
    char pointer[32];

    (void)snprintf(pointer, sizeof pointer, "/%s", key);
    return opl_fail_at(err, OPL_E_VERIFY, pointer, "the receipt's %s is missing or malformed", key);
}

/* A number from 0; *out stays as it is where null stands and may stand. */
static bool read_number(const json_t *value, const char *key, bool nullable, int64_t *out,
                        struct opl_err *err)
{
    const json_t *number = json_object_get(value, key);

    if (nullable && json_is_null(number))
        return true;
    if (!json_is_integer(number) || json_integer_value(number) < 0 ||
        json_integer_value(number) > OPL_JSON_INT_MAX)
        return refuse(err, key);
    *out = json_integer_value(number);
    return true;
}

static bool read_id(const json_t *value, struct opl_receipt *out, struct opl_err *err)
{
    const json_t *id = json_object_get(value, "id");
    enum opl_prefix prefix;
    uint64_t number;

    if (json_is_null(id))
        return true;
    if (!json_is_string(id) || !opl_id_parse(json_string_value(id), &prefix, &number))
        return refuse(err, "id");
    opl_id_format(prefix, number, out->id);
    return true;
}

static bool read_kind(const json_t *value, struct opl_receipt *out, struct opl_err *err)
{
    const char *name = opl_json_str(value, "kind");
    const struct opl_kind *kind = name != NULL ? opl_kind_find(name) : NULL;

    if (kind == NULL)
        return refuse(err, "kind");
    out->kind = kind->name;
    return true;
}

static bool read_actor(const json_t *value, struct opl_receipt *out, struct opl_err *err)
{
    const char *actor = opl_json_str(value, "actor");

    if (actor == NULL || !opl_is_principal(actor))
        return refuse(err, "actor");
    (void)snprintf(out->actor, sizeof out->actor, "%s", actor);
    return true;
}

static bool read_at(const json_t *value, struct opl_receipt *out, struct opl_err *err)
{
    const char *at = opl_json_str(value, "at");

    return (at != NULL && opl_time_is_stored_form(at) && opl_time_parse(at, &out->at, NULL)) ||
           refuse(err, "at");
}

static bool read_proof(const json_t *value, struct opl_receipt *out, struct opl_err *err)
{
    const json_t *proof = json_object_get(value, "proof");

    if (!json_is_array(proof) || json_array_size(proof) > OPL_PROOF_MAX)
        return refuse(err, "proof");
    out->proof.count = json_array_size(proof);
    for (size_t i = 0; i < out->proof.count; i++) {
        const char *digest = json_string_value(json_array_get(proof, i));

        if (digest == NULL || !opl_hash_from_digest(digest, &out->proof.hash[i], NULL))
            return refuse(err, "proof");
    }
    return true;
}

static bool read_head(const json_t *value, struct opl_receipt *out, struct opl_err *err)
{
    const char *leaf = opl_json_str(value, "leaf"), *note = opl_json_str(value, "note");

    if (leaf == NULL || !opl_hash_from_digest(leaf, &out->leaf, NULL))
        return refuse(err, "leaf");
    if (!opl_head_read(json_object_get(value, "checkpoint"), &out->checkpoint, NULL))
        return refuse(err, "checkpoint");
    if (note == NULL)
        return refuse(err, "note");
    out->note = strdup(note);
    return out->note != NULL || opl_fail(err, OPL_E_NOMEM, "no memory for a note");
}

bool opl_receipt_read(const json_t *value, struct opl_receipt *out, struct opl_err *err)
{
    int64_t seq = 0;

    *out = (struct opl_receipt){.prev = -1};
    if (read_number(value, "seq", false, &seq, err) && read_id(value, out, err) &&
        read_kind(value, out, err) && read_actor(value, out, err) && read_at(value, out, err) &&
        read_number(value, "prev", true, &out->prev, err) && read_proof(value, out, err) &&
        read_head(value, out, err)) {
        out->seq = (uint64_t)seq;
        return true;
    }
    opl_receipt_close(out);
    return false;
}

void opl_receipt_close(struct opl_receipt *receipt)
{
    free(receipt->note);
    *receipt = (struct opl_receipt){.prev = -1};
}

/* The server can only add actor, id, prev and time: everything else comes from our own draft. */
static bool check_leaf(const struct opl_receipt *receipt, const struct opl_draft *draft,
                       struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf bytes = {0};
    struct opl_place place = {receipt->actor, receipt->id[0] != '\0' ? receipt->id : NULL,
                              receipt->prev, receipt->at};
    struct opl_hash leaf;

    if (strcmp(receipt->kind, draft->kind->name) != 0)
        return opl_fail(err, OPL_E_VERIFY, "the receipt is for %s, not %s", receipt->kind,
                        draft->kind->name);
    if (!opl_draft_finish(draft, &place, &bytes, NULL))
        return opl_fail(err, OPL_E_VERIFY, "no entry can be built from this receipt");
    opl_leaf_hash(bytes.data, bytes.len, &leaf);
    return opl_hash_equal(&leaf, &receipt->leaf) ||
           opl_fail(err, OPL_E_VERIFY, "what was recorded is not what was sent: the leaf differs");
}

static bool check_note(const struct opl_receipt *receipt, const struct opl_vkey *log_key,
                       struct opl_err *err)
{
    struct opl_err why = {0};
    struct opl_head head;

    if (!opl_checkpoint_open(receipt->note, strlen(receipt->note), log_key, &head, &why))
        return opl_fail(err, OPL_E_VERIFY, "the receipt's checkpoint: %s", why.text);
    return (strcmp(head.origin, receipt->checkpoint.origin) == 0 &&
            head.size == receipt->checkpoint.size &&
            opl_hash_equal(&head.root, &receipt->checkpoint.root)) ||
           opl_fail(err, OPL_E_VERIFY, "the receipt's checkpoint is not what its note says");
}

bool opl_receipt_verify(const struct opl_receipt *receipt, const struct opl_draft *draft,
                        const struct opl_vkey *log_key, struct opl_err *err)
{
    return check_leaf(receipt, draft, err) && check_note(receipt, log_key, err) &&
           opl_inclusion_verify(&receipt->leaf, receipt->seq, receipt->checkpoint.size,
                                &receipt->proof, &receipt->checkpoint.root, err);
}

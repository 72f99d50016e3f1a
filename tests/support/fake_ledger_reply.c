/* SPDX-License-Identifier: Apache-2.0 */
#include "fake_ledger_reply.h"

#include <opledger/gate.h>
#include <opledger/merkle.h>
#include <opledger/time.h>

void fake_json(struct canned_reply *reply, int status, json_t *value)
{
    char *text = json_dumps(value, JSON_COMPACT);

    reply->status = status;
    opl_buf_str(&reply->body, text != NULL ? text : "null");
    free(text);
    json_decref(value);
}

void fake_problem(struct canned_reply *reply, enum opl_code code, const char *detail)
{
    char type[96];

    (void)snprintf(type, sizeof(type), "/problems/%s", opl_code_slug(code));
    reply->media = "application/problem+json";
    fake_json(reply, opl_code_http(code), json_pack("{s:s, s:s}", "type", type, "detail", detail));
}

/* ---- entries ---- */

static json_t *parsed(const struct fake_ledger *ledger, uint64_t seq)
{
    return json_loads(json_string_value(json_array_get(ledger->story->entries, seq)), 0, NULL);
}

static json_t *texts_of(const struct fake_ledger *ledger, uint64_t seq)
{
    char key[24];
    json_t *texts;

    (void)snprintf(key, sizeof(key), "%llu", (unsigned long long)seq);
    texts = json_deep_copy(json_object_get(ledger->texts, key));
    return texts != NULL ? texts : json_object();
}

static json_t *item_of(const struct fake_ledger *ledger, uint64_t seq)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf bytes = {0};
    json_t *texts = texts_of(ledger, seq);
    char leaf[OPL_DIGEST_SIZE];
    struct opl_hash hash;
    const char *pointer;
    json_t *text;
    uint64_t shown = ledger->fault == FAULT_SUBJECT ? 0 : seq;

    opl_buf_str(&bytes, json_string_value(json_array_get(ledger->story->entries, shown)));
    if (ledger->fault == FAULT_ENTRY)
        memcpy(strstr(bytes.data, "actor"), "Actor", 5);
    if (ledger->fault == FAULT_FORGED && strstr(bytes.data, "alice") != NULL)
        memcpy(strstr(bytes.data, "alice"), "carol", 5);
    opl_leaf_hash(bytes.data, bytes.len, &hash);
    if (ledger->fault == FAULT_LEAF)
        hash.b[0] ^= 1;
    opl_hash_digest(&hash, leaf);
    json_object_foreach(texts, pointer, text)
    {
        if (ledger->fault == FAULT_TEXT)
            json_object_set_new(text, "text", json_string("another text"));
    }
    return json_pack("{s:I, s:s, s:s, s:o}", "seq", (json_int_t)seq, "leaf", leaf, "entry",
                     opl_buf_text(&bytes), "texts", texts);
}

void fake_reply_entries(struct fake_ledger *ledger, const char *path, struct canned_reply *reply)
{
    const char *from = strstr(path, "from=");
    json_t *items;

    if (ledger->fault == FAULT_CLOSED) {
        fake_problem(reply, OPL_E_FORBIDDEN, "needs reader");
        return;
    }
    items = json_array();
    for (uint64_t seq = from != NULL ? strtoull(from + 5, NULL, 10) : 0; seq < fake_size(ledger);
         seq++)
        json_array_append_new(items, item_of(ledger, seq));
    fake_json(reply, 200,
              json_pack("{s:o, s:n, s:I}", "items", items, "next", "size",
                        (json_int_t)fake_size(ledger)));
}

static bool is_about(const json_t *entry, const char *id)
{
    const char *made = opl_json_str(entry, "id"), *on = opl_json_str(entry, "on");

    return (made != NULL && strcmp(made, id) == 0) || (on != NULL && strcmp(on, id) == 0);
}

static void collect(const struct fake_ledger *ledger, const char *id, json_t *entries,
                    json_t *children)
{
    for (uint64_t seq = 0; seq < ledger->story->seq; seq++) {
        json_t *entry = parsed(ledger, seq);
        const char *made = opl_json_str(entry, "id");

        if (is_about(entry, id))
            json_array_append_new(entries, item_of(ledger, seq));
        if (is_about(entry, id) && made != NULL && strcmp(made, id) != 0)
            json_array_append_new(children, json_string(made));
        json_decref(entry);
    }
}

static void reply_list(const struct fake_ledger *ledger, const char *path,
                       struct canned_reply *reply)
{
    const char *prefix = strstr(path, "hypotheses") != NULL  ? "hyp-"
                         : strstr(path, "incidents") != NULL ? "inc-"
                                                             : "chg-";
    json_t *items = json_array();

    for (uint64_t seq = 0; seq < ledger->story->seq; seq++) {
        json_t *entry = parsed(ledger, seq);
        const char *made = opl_json_str(entry, "id");

        if (made != NULL && strncmp(made, prefix, 4) == 0)
            json_array_append_new(
                items, json_pack("{s:s, s:s, s:s, s:s, s:s, s:s}", "id", made, "status", "open",
                                 "actor", opl_json_str(entry, "actor"), "at",
                                 opl_json_str(entry, "at"), "model", "p/m", "title", "=1+1"));
        json_decref(entry);
    }
    fake_json(reply, 200,
              json_pack("{s:o, s:n, s:I}", "items", items, "next", "size",
                        (json_int_t)ledger->story->seq));
}

void fake_reply_subject(struct fake_ledger *ledger, const char *path, struct canned_reply *reply)
{
    const char *id = strrchr(path, '/') + 1;
    json_t *entries, *children;

    if (strchr(id, '-') == NULL || strchr(id, '?') != NULL) {
        reply_list(ledger, path, reply);
        return;
    }
    entries = json_array();
    children = json_array();
    collect(ledger, id, entries, children);
    if (json_array_size(entries) == 0) {
        json_decref(entries);
        json_decref(children);
        fake_problem(reply, OPL_E_NOT_FOUND, "there is no such subject");
        return;
    }
    fake_json(reply, 200,
              json_pack("{s:s, s:s, s:o, s:o}", "id", id, "status", "as told", "entries", entries,
                        "children", children));
}

/* ---- writing ---- */

static json_t *proof_json(struct fake_ledger *ledger, uint64_t seq)
{
    struct opl_tree tree = fake_tree(ledger);
    struct opl_proof proof;
    json_t *list = json_array();

    if (!opl_tree_inclusion(&tree, seq, ledger->story->seq, &proof, NULL))
        abort();
    for (size_t i = 0; i < proof.count; i++) {
        char digest[OPL_DIGEST_SIZE];

        opl_hash_digest(&proof.hash[i], digest);
        json_array_append_new(list, json_string(digest));
    }
    return list;
}

static void keep_texts(struct fake_ledger *ledger, uint64_t seq, const json_t *body)
{
    json_t *texts = json_object();
    char key[24], pointer[96];
    const char *name;
    json_t *value;

    json_object_foreach((json_t *)body, name, value)
    {
        if (!json_is_object(value) || json_object_get(value, "salt") == NULL)
            continue;
        (void)snprintf(pointer, sizeof(pointer), "/body/%s", name);
        json_object_set(texts, pointer, value);
    }
    (void)snprintf(key, sizeof(key), "%llu", (unsigned long long)seq);
    json_object_set_new(ledger->texts, key, texts);
}

static json_t *receipt_of(struct fake_ledger *ledger, uint64_t seq)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf note = {0};
    json_t *entry = parsed(ledger, seq);
    json_t *item = item_of(ledger, seq);
    char root[OPL_DIGEST_SIZE];
    struct opl_head head;
    json_t *receipt;

    fake_head(ledger, &head);
    fake_note(ledger, &note);
    opl_hash_digest(&head.root, root);
    receipt = json_pack("{s:I, s:s?, s:s, s:s, s:s, s:s, s:o, s:{s:s, s:I, s:s}, s:s}", "seq",
                        (json_int_t)seq, "id", opl_json_str(entry, "id"), "kind",
                        opl_json_str(entry, "kind"), "actor", opl_json_str(entry, "actor"), "at",
                        opl_json_str(entry, "at"), "leaf", opl_json_str(item, "leaf"), "proof",
                        proof_json(ledger, seq), "checkpoint", "origin", head.origin, "size",
                        (json_int_t)head.size, "root", root, "note", opl_buf_text(&note));
    json_object_set_new(receipt, "prev",
                        json_object_get(entry, "prev") != NULL
                            ? json_incref(json_object_get(entry, "prev"))
                            : json_null());
    json_decref(entry);
    json_decref(item);
    return receipt;
}

void fake_reply_append(struct fake_ledger *ledger, const struct canned_request *request,
                       struct canned_reply *reply)
{
    json_t *sent = json_loadb(request->body, request->body_len, 0, NULL);
    const json_t *body = json_object_get(sent, "body");
    struct opl_err err = {0};
    uint64_t seq = ledger->story->seq;

    if (!story_try(ledger->story, ledger->actor, opl_json_str(sent, "kind"),
                   opl_json_str(sent, "on"), json_deep_copy(body), &err)) {
        fake_problem(reply, err.code, err.text);
    } else {
        keep_texts(ledger, seq, body);
        fake_json(reply, 201, receipt_of(ledger, ledger->fault == FAULT_RECEIPT ? seq - 1 : seq));
    }
    json_decref(sent);
}

/* ---- the gate ---- */

static json_t *decision_of(struct fake_ledger *ledger, const char *change, const json_t *asked,
                           const struct opl_gate_result *result)
{
    char manifest[OPL_DIGEST_SIZE], base[OPL_DIGEST_SIZE], policy[OPL_DIGEST_SIZE];
    char expires[OPL_TIME_SIZE];
    uint64_t seq;

    opl_hash_digest(&result->manifest, manifest);
    opl_hash_digest(&result->base, base);
    opl_hash_digest(&result->policy, policy);
    opl_time_format(opl_time_now() + (ledger->fault == FAULT_EXPIRED ? -1 : 60) * OPL_SECOND,
                    expires);
    seq = story_force(ledger->story, OPL_SELF, "gate.decided", change,
                      json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:o, s:s, s:s*}", "use",
                                opl_json_str(asked, "use"), "outcome",
                                opl_gate_outcome_name(result->outcome), "nonce",
                                ledger->fault == FAULT_NONCE ? "00000000000000000000000000000000"
                                                             : opl_json_str(asked, "nonce"),
                                "manifest", manifest, "base", base, "policy", policy,
                                "requirements", opl_gate_result_statuses(result), "expires",
                                expires, "host", opl_json_str(asked, "host")));
    return json_pack("{s:I, s:s, s:o}", "seq", (json_int_t)seq, "entry",
                     json_string_value(json_array_get(ledger->story->entries, seq)), "proof",
                     proof_json(ledger, seq));
}

static void judge(struct fake_ledger *ledger, const char *change, const json_t *asked,
                  struct canned_reply *reply)
{
    struct opl_gate_input input = {
        .change = change, .size = ledger->story->seq, .now = opl_time_now()};
    struct opl_gate_result *result = calloc(1, sizeof(*result));
    OPL_CLEANUP(opl_buf_close) struct opl_buf note = {0};
    struct opl_err err = {0};
    json_t *answer;

    if (!opl_gate_evaluate(ledger->story->world, &input, result, &err)) {
        fake_problem(reply, err.code, err.text);
        free(result);
        return;
    }
    if (ledger->fault == FAULT_ALLOWS || ledger->fault == FAULT_CLOSED)
        result->outcome = OPL_GATE_ALLOWED;
    answer = opl_gate_result_json(result);
    if (json_is_true(json_object_get(asked, "record")) && ledger->fault != FAULT_DECISION)
        json_object_set_new(answer, "decision", decision_of(ledger, change, asked, result));
    if (ledger->fault == FAULT_OUTCOME)
        json_object_set_new(answer, "outcome", json_string("allowed"));
    fake_note(ledger, &note);
    json_object_set_new(answer, "note", json_string(opl_buf_text(&note)));
    fake_json(reply, 200, answer);
    free(result);
}

void fake_reply_gate(struct fake_ledger *ledger, const struct canned_request *request,
                     struct canned_reply *reply)
{
    json_t *asked = json_loadb(request->body, request->body_len, 0, NULL);
    char change[OPL_ID_SIZE] = "";

    (void)sscanf(request->path, "/v1/changes/%27[^/]/gate", change);
    if (ledger->fault == FAULT_NO_GATE)
        fake_problem(reply, OPL_E_FORBIDDEN, "needs gate or recorder");
    else
        judge(ledger, change, asked, reply);
    json_decref(asked);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * POST /v1/changes/{id}/gate (CONTRACT section 5): judged in the sequencer, at the place in the log
 * where the decision itself then stands.
 */
#include <opledger/encode.h>
#include <opledger/gate.h>
#include <opledger/json.h>

#include "api.h"
#include "history.h"
#include "read_head.h"
#include "server.h"
#include "write.h"

#define DECISION_LIFE 60 /* seconds; more only with `hold`, where the policy allows it */

/* One question, from the HTTP thread to the sequencer and back; lives as long as the request. */
struct gate_ask {
    char change[OPL_ID_SIZE];
    json_t *body; /* owned */
    const char *use, *nonce, *host;
    bool record;
    int64_t hold_s; /* 0: none asked */
    bool has_manifest, has_base, has_known;
    struct opl_hash manifest, base, known_root;
    uint64_t known_size;
    json_t *answer; /* owned: what the gate says */
};

static void ask_free(void *ctx)
{
    struct gate_ask *ask = ctx;

    json_decref(ask->body);
    json_decref(ask->answer);
    free(ask);
}

/* ---- the question ---- */

static bool bad(struct opl_err *err, const char *member, const char *what)
{
    char field[32];

    snprintf(field, sizeof field, "/%s", member);
    return opl_fail_at(err, OPL_E_INVALID, field, "%s must be %s", member, what);
}

static bool read_use(struct gate_ask *ask, struct opl_err *err)
{
    const json_t *record = json_object_get(ask->body, "record");

    ask->use = opl_json_str(ask->body, "use");
    if (ask->use == NULL ||
        !opl_is_word("check|explain|apply|hook|start", ask->use, strlen(ask->use)))
        return bad(err, "use", "check, explain, apply, hook or start");
    if (record != NULL && !json_is_boolean(record))
        return bad(err, "record", "true or false");
    ask->record =
        json_is_true(record) || opl_is_word("apply|hook|start", ask->use, strlen(ask->use));
    if (ask->record && strcmp(ask->use, "explain") == 0)
        return bad(err, "record", "false where use is explain");
    return true;
}

static bool read_nonce(struct gate_ask *ask, struct opl_err *err)
{
    uint8_t bytes[16];

    ask->nonce = opl_json_str(ask->body, "nonce");
    if (ask->nonce == NULL || !opl_hex_decode(ask->nonce, bytes, sizeof bytes, NULL))
        return bad(err, "nonce", "32 hexadecimal digits, drawn anew for each request");
    return true;
}

static bool read_digest(const struct gate_ask *ask, const char *name, bool *has,
                        struct opl_hash *out, struct opl_err *err)
{
    const json_t *value = json_object_get(ask->body, name);

    *has = value != NULL && !json_is_null(value);
    if (!*has ||
        (json_is_string(value) && opl_hash_from_digest(json_string_value(value), out, NULL)))
        return true;
    return bad(err, name, "a digest, sha256: and 64 digits");
}

static bool read_known(struct gate_ask *ask, struct opl_err *err)
{
    const json_t *known = json_object_get(ask->body, "known");
    const char *root = opl_json_str(known, "root");
    int64_t size = opl_json_int(known, "size", -1);

    ask->has_known = known != NULL && !json_is_null(known);
    if (!ask->has_known)
        return true;
    if (size < 0 || root == NULL || !opl_hash_from_digest(root, &ask->known_root, NULL))
        return bad(err, "known", "a head that you know: size and root");
    ask->known_size = (uint64_t)size;
    return true;
}

static bool read_hold(struct gate_ask *ask, struct opl_err *err)
{
    const json_t *hold = json_object_get(ask->body, "hold");

    if (hold == NULL || json_is_null(hold))
        return true;
    if (!json_is_string(hold) || !opl_duration_parse(json_string_value(hold), &ask->hold_s, NULL))
        return bad(err, "hold", "a duration such as 4h");
    return true;
}

static bool read_host(struct gate_ask *ask, struct opl_err *err)
{
    const json_t *host = json_object_get(ask->body, "host");

    if (host == NULL || json_is_null(host))
        return true;
    ask->host = json_string_value(host);
    if (ask->host == NULL || !opl_is_host(ask->host))
        return bad(err, "host", "a DNS name or address");
    return true;
}

static bool read_ask(struct gate_ask *ask, const struct request *request, struct opl_err *err)
{
    enum opl_prefix prefix;
    uint64_t number;

    if (!opl_id_parse(request->params[0], &prefix, &number) || prefix != OPL_ID_CHG)
        return opl_fail(err, OPL_E_NOT_FOUND, "there is no change %.40s", request->params[0]);
    snprintf(ask->change, sizeof ask->change, "%s", request->params[0]);
    ask->body = request_json(request, err);
    return ask->body != NULL &&
           request_members(ask->body, "nonce use record hold manifest base host known", err) &&
           read_use(ask, err) && read_nonce(ask, err) &&
           read_digest(ask, "manifest", &ask->has_manifest, &ask->manifest, err) &&
           read_digest(ask, "base", &ask->has_base, &ask->base, err) && read_known(ask, err) &&
           read_hold(ask, err) && read_host(ask, err);
}

/* ---- the decision, in the sequencer ---- */

static bool decision_life(const struct gate_ask *ask, const struct opl_gate_result *result,
                          int64_t *seconds, struct opl_err *err)
{
    *seconds = DECISION_LIFE;
    if (ask->hold_s == 0)
        return true;
    if (ask->hold_s > result->hold_s) {
        opl_fail_at(err, OPL_E_INVALID, "/hold",
                    "the policies that apply let a decision be kept for %lld seconds",
                    (long long)result->hold_s);
        return opl_hint(err, "ask without hold, or have the policy say `hold: 4h`");
    }
    *seconds = ask->hold_s > DECISION_LIFE ? ask->hold_s : DECISION_LIFE;
    return true;
}

static json_t *decision_body(const struct gate_ask *ask, const struct opl_gate_result *result,
                             int64_t expires_at)
{
    char manifest[OPL_DIGEST_SIZE], base[OPL_DIGEST_SIZE], policy[OPL_DIGEST_SIZE];
    char expires[OPL_TIME_SIZE];
    json_t *body;

    opl_hash_digest(&result->manifest, manifest);
    opl_hash_digest(&result->base, base);
    opl_hash_digest(&result->policy, policy);
    opl_time_format(expires_at, expires);
    body = json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:o, s:s}", "use", ask->use, "outcome",
                     opl_gate_outcome_name(result->outcome), "nonce", ask->nonce, "manifest",
                     manifest, "base", base, "policy", policy, "requirements",
                     opl_gate_result_statuses(result), "expires", expires);
    if (body != NULL && ask->host != NULL)
        json_object_set_new(body, "host", json_string(ask->host));
    return body;
}

static bool record(struct write *write, const struct write_moment *moment,
                   const struct opl_gate_result *result, struct opl_err *err)
{
    const struct gate_ask *ask = write->ctx;
    int64_t seconds;
    json_t *body;

    if (!decision_life(ask, result, &seconds, err))
        return false;
    body = decision_body(ask, result, moment->now + seconds * OPL_SECOND);
    if (body == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for a decision");
    write->keep_bytes = true;
    return write_add_json(
        write,
        json_pack("{s:s, s:s, s:o}", "kind", "gate.decided", "on", ask->change, "body", body),
        moment->now, err);
}

static bool decide(struct write *write, const struct write_moment *moment, struct opl_err *err)
{
    struct gate_ask *ask = write->ctx;
    const struct opl_gate_input input = {.change = ask->change,
                                         .manifest = ask->has_manifest ? &ask->manifest : NULL,
                                         .base = ask->has_base ? &ask->base : NULL,
                                         .origin = moment->origin,
                                         .size = moment->size,
                                         .now = moment->now};
    struct opl_gate_result *result = calloc(1, sizeof *result);
    bool ok;

    if (result == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for a decision");
    ok = opl_gate_evaluate(moment->world, &input, result, err);
    if (ok)
        ask->answer = opl_gate_result_json(result);
    if (ok && ask->answer == NULL)
        ok = opl_fail(err, OPL_E_NOMEM, "no memory for a decision");
    if (ok && ask->record)
        ok = record(write, moment, result, err);
    free(result);
    return ok;
}

/* ---- the answer ---- */

static json_t *proof_json(const struct opl_proof *proof)
{
    json_t *list = json_array();

    for (size_t i = 0; i < proof->count; i++) {
        char text[OPL_DIGEST_SIZE];

        opl_hash_digest(&proof->hash[i], text);
        json_array_append_new(list, json_string(text));
    }
    return list;
}

static bool answer(struct request *request, const struct opl_proof *consistency,
                   struct opl_err *err)
{
    struct gate_ask *ask = request->extra;
    const struct write *write = request->write;
    json_t *all = json_incref(ask->answer);

    if (write->head == NULL)
        return opl_fail(err, OPL_E_UNAVAILABLE, "the log has no checkpoint yet");
    if (write->count > 0)
        json_object_set_new(all, "decision",
                            json_pack("{s:I, s:s, s:o}", "seq", (json_int_t)write->lines[0].seq,
                                      "entry", opl_buf_text(&write->bytes), "proof",
                                      proof_json(&write->proof)));
    else
        json_object_set_new(all, "advice", json_true());
    json_object_set_new(all, "checkpoint", opl_head_json(&write->head->head));
    json_object_set_new(all, "note", json_string(write->head->note));
    json_object_set_new(all, "consistency", proof_json(consistency));
    return reply_json(&request->reply, 200, all, err);
}

static bool other_history(struct opl_err *err)
{
    opl_fail(err, OPL_E_LOG, "the head that you know is not on this log's history");
    return opl_hint(err, "opledger log verify");
}

/* On a worker: the head that the client knows must lead to the one in the answer. */
static bool prove(struct request *request, struct db *db, struct opl_err *err)
{
    const struct gate_ask *ask = request->extra;
    const struct opl_head *head = &request->write->head->head;
    OPL_CLEANUP(history_freep) struct history *history = history_new(db, head->size);
    struct opl_proof proof = {0};
    struct opl_tree tree;
    bool same;

    if (history == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for a proof");
    tree = history_tree(history);
    if (ask->known_size > head->size)
        return other_history(err);
    if (!history_has_root(history, ask->known_size, &ask->known_root, &same, err))
        return false;
    if (!same)
        return other_history(err);
    return opl_tree_consistency(&tree, ask->known_size, head->size, &proof, err) &&
           answer(request, &proof, err);
}

static bool decided(struct request *request, struct db *db, struct opl_err *err)
{
    const struct gate_ask *ask = request->extra;
    const struct opl_proof none = {0};

    (void)db;
    if (!ask->has_known || request->write->head == NULL)
        return answer(request, &none, err);
    request->work = prove;
    return true;
}

bool api_gate(struct request *request, struct db *db, struct opl_err *err)
{
    struct gate_ask *ask = calloc(1, sizeof *ask);
    struct write *write = write_new();

    (void)db;
    request->extra = ask;
    request->extra_free = ask_free;
    request->write = write;
    if (ask == NULL || write == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for a decision");
    if (!read_ask(ask, request, err))
        return false;
    write->compose = decide;
    write->ctx = ask;
    request->after = decided;
    return true;
}

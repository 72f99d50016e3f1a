/* SPDX-License-Identifier: Apache-2.0 */
#include "gate_reply.h"

#include <opledger/encode.h>
#include <opledger/json.h>
#include <opledger/merkle.h>
#include <opledger/time.h>

#include "api.h"
#include "client.h"
#include "log_view.h"

#define NONCE_BYTES 16
#define EXIT_DENIED 1
#define EXIT_OVERRIDDEN 5

/* A question and what was sent with it, which the answer must repeat. */
struct asked {
    const struct gate_question *question;
    char nonce[2 * NONCE_BYTES + 1];
};

void gate_reply_close(struct gate_reply *reply)
{
    json_decref(reply->root);
    memset(reply, 0, sizeof(*reply));
}

int gate_exit(enum opl_gate_outcome outcome, bool no_override)
{
    if (outcome == OPL_GATE_ALLOWED)
        return 0;
    if (outcome == OPL_GATE_OVERRIDDEN)
        return no_override ? EXIT_OVERRIDDEN : 0;
    return EXIT_DENIED;
}

static void set_digest(json_t *body, const char *name, const struct opl_hash *hash)
{
    char digest[OPL_DIGEST_SIZE];

    if (hash == NULL)
        return;
    opl_hash_digest(hash, digest);
    json_object_set_new(body, name, json_string(digest));
}

static void set_known(struct client *client, json_t *body)
{
    struct opl_err ignored = {0};
    struct opl_vkey vkey;
    struct opl_head known;
    bool found = false;
    char digest[OPL_DIGEST_SIZE];

    if (!log_view_key(client, &vkey, &ignored) ||
        !log_view_known(client, &vkey, &known, &found, &ignored) || !found)
        return;
    opl_hash_digest(&known.root, digest);
    json_object_set_new(body, "known",
                        json_pack("{s:I, s:s}", "size", (json_int_t)known.size, "root", digest));
}

static json_t *body_of(struct client *client, struct asked *asked)
{
    const struct gate_question *question = asked->question;
    uint8_t random[NONCE_BYTES];
    json_t *body;

    opl_random(random, sizeof(random));
    opl_hex_encode(random, sizeof(random), asked->nonce);
    body = json_pack("{s:s, s:s, s:b}", "nonce", asked->nonce, "use", question->use, "record",
                     question->record);
    if (body == NULL)
        return NULL;
    set_digest(body, "manifest", question->manifest);
    set_digest(body, "base", question->base);
    if (question->host != NULL)
        json_object_set_new(body, "host", json_string(question->host));
    if (question->hold != NULL)
        json_object_set_new(body, "hold", json_string(question->hold));
    set_known(client, body);
    return body;
}

static bool read_outcome(const char *text, enum opl_gate_outcome *out, struct opl_err *err)
{
    for (int outcome = OPL_GATE_DENIED; outcome <= OPL_GATE_OVERRIDDEN; outcome++) {
        if (text == NULL || strcmp(text, opl_gate_outcome_name(outcome)) != 0)
            continue;
        *out = outcome;
        return true;
    }
    return opl_fail(err, OPL_E_VERIFY, "the gate's answer has no outcome");
}

static bool read_digest(const json_t *root, const char *name, struct opl_hash *out,
                        struct opl_err *err)
{
    const char *text = opl_json_str(root, name);

    if (text == NULL)
        return opl_fail(err, OPL_E_VERIFY, "the gate's answer has no %s", name);
    return opl_hash_from_digest(text, out, err);
}

static bool read_proof(const json_t *list, struct opl_proof *out, struct opl_err *err)
{
    size_t count = json_array_size(list);

    memset(out, 0, sizeof(*out));
    if (count > OPL_PROOF_MAX)
        return opl_fail(err, OPL_E_VERIFY, "a proof of %zu hashes is none", count);
    while (out->count < count) {
        const char *text = json_string_value(json_array_get(list, out->count));

        if (text == NULL || !opl_hash_from_digest(text, &out->hash[out->count], err))
            return opl_fail(err, OPL_E_VERIFY, "a proof holds something else than digests");
        out->count++;
    }
    return true;
}

/* What the question named must be what the answer is about. */
static bool check_same(const struct gate_question *question, const struct gate_reply *reply,
                       struct opl_err *err)
{
    if (question->manifest != NULL && !opl_hash_equal(question->manifest, &reply->manifest))
        return opl_fail(err, OPL_E_VERIFY, "the gate judged another manifest than the one here");
    if (question->base != NULL && !opl_hash_equal(question->base, &reply->base))
        return opl_fail(err, OPL_E_VERIFY, "the gate judged another base than the one here");
    return true;
}

static bool check_word(const json_t *body, const char *name, const char *want, struct opl_err *err)
{
    const char *have = opl_json_str(body, name);

    return (have != NULL && want != NULL && strcmp(have, want) == 0) ||
           opl_fail(err, OPL_E_VERIFY, "the decision's %s is not the one that was asked for", name);
}

static bool check_digest(const json_t *body, const char *name, const struct opl_hash *want,
                         struct opl_err *err)
{
    char digest[OPL_DIGEST_SIZE];

    opl_hash_digest(want, digest);
    return check_word(body, name, digest, err);
}

/* The decision must be the answer to exactly this question, and the same as the answer. */
static bool check_decision(const struct asked *asked, const struct opl_entry *entry,
                           struct gate_reply *reply, struct opl_err *err)
{
    const struct gate_question *question = asked->question;
    const char *expires = opl_json_str(entry->body, "expires");

    if (strcmp(entry->kind_name, "gate.decided") != 0 || strcmp(entry->actor, OPL_SELF) != 0)
        return opl_fail(err, OPL_E_VERIFY, "the decision is no decision of the gate");
    if (entry->on == NULL || strcmp(entry->on, question->change) != 0)
        return opl_fail(err, OPL_E_VERIFY, "the decision is about another change");
    if (!check_word(entry->body, "nonce", asked->nonce, err) ||
        !check_word(entry->body, "use", question->use, err) ||
        !check_word(entry->body, "outcome", opl_gate_outcome_name(reply->outcome), err) ||
        !check_digest(entry->body, "manifest", &reply->manifest, err) ||
        !check_digest(entry->body, "base", &reply->base, err) ||
        !check_digest(entry->body, "policy", &reply->policy, err))
        return false;
    if (question->host != NULL && !check_word(entry->body, "host", question->host, err))
        return false;
    if (expires == NULL || !opl_time_parse(expires, &reply->decision_expires, err) ||
        reply->decision_expires <= opl_time_now())
        return opl_fail(err, OPL_E_VERIFY, "the decision has expired");
    return true;
}

static bool read_decision(const struct asked *asked, struct gate_reply *reply, struct opl_err *err)
{
    const json_t *decision = json_object_get(reply->root, "decision");
    const char *bytes = opl_json_str(decision, "entry");
    int64_t seq = opl_json_int(decision, "seq", -1);
    OPL_CLEANUP(opl_entry_close) struct opl_entry entry = {0};
    struct opl_proof proof;
    struct opl_hash leaf;

    if (!asked->question->record)
        return true;
    if (bytes == NULL || seq < 0)
        return opl_fail(err, OPL_E_VERIFY, "the gate recorded no decision");
    opl_leaf_hash(bytes, strlen(bytes), &leaf);
    if (!read_proof(json_object_get(decision, "proof"), &proof, err) ||
        !opl_inclusion_verify(&leaf, (uint64_t)seq, reply->head.size, &proof, &reply->head.root,
                              err) ||
        !opl_entry_parse(bytes, strlen(bytes), (uint64_t)seq, &entry, err) ||
        !check_decision(asked, &entry, reply, err))
        return false;
    reply->decided = true;
    reply->decision_seq = (uint64_t)seq;
    return true;
}

static bool read_reply(struct client *client, const struct asked *asked, struct gate_reply *reply,
                       struct opl_err *err)
{
    const char *note = opl_json_str(reply->root, "note");
    const char *bootstrap = opl_json_str(reply->root, "bootstrap");
    const json_t *consistency = json_object_get(reply->root, "consistency");
    struct opl_proof proof;

    if (note == NULL)
        return opl_fail(err, OPL_E_VERIFY, "the gate's answer is not signed");
    if (!read_outcome(opl_json_str(reply->root, "outcome"), &reply->outcome, err) ||
        !read_digest(reply->root, "manifest", &reply->manifest, err) ||
        !read_digest(reply->root, "base", &reply->base, err) ||
        !read_digest(reply->root, "policy", &reply->policy, err) ||
        !read_proof(consistency, &proof, err) ||
        !log_view_believe(client, note, json_is_array(consistency) ? &proof : NULL, &reply->head,
                          err))
        return false;
    reply->bootstrap_closed = bootstrap != NULL && strcmp(bootstrap, "closed") == 0;
    return check_same(asked->question, reply, err) && read_decision(asked, reply, err);
}

bool gate_ask(struct client *client, const struct gate_question *question, struct gate_reply *out,
              struct opl_err *err)
{
    struct asked asked = {.question = question};
    OPL_CLEANUP(opl_json_freep) json_t *body = NULL;
    char path[96];

    memset(out, 0, sizeof(*out));
    if (!client_connect(client, err))
        return false;
    body = body_of(client, &asked);
    if (body == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for a question to the gate");
    snprintf(path, sizeof(path), "/v1/changes/%s/gate", question->change);
    if (api_post(client->api, path, body, NULL, &out->root, err) &&
        read_reply(client, &asked, out, err))
        return true;
    gate_reply_close(out);
    return false;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * apply_record - change.started before, change.finished after, and the report as evidence.
 *
 * What cannot be recorded any more is kept under $XDG_STATE_HOME/opledger/unsent, as the entries
 * that should have been written, and said; `opledger sync` will send from there.
 */
#include "apply.h"

#include <opledger/encode.h>
#include <opledger/json.h>

#include "blobs.h"
#include "client.h"
#include "record.h"

#define UNSENT "unsent"

const char *apply_outcome_name(enum apply_outcome outcome)
{
    static const char *const names[] = {
        [APPLY_APPLIED] = "applied", [APPLY_FAILED] = "failed", [APPLY_REVERTED] = "reverted"};

    return names[outcome];
}

bool apply_start(struct apply *apply, struct opl_err *err)
{
    OPL_CLEANUP(opl_receipt_close) struct opl_receipt receipt = {0};
    OPL_CLEANUP(opl_json_freep)
    json_t *body = json_pack("{s:I, s:s}", "decision", (json_int_t)apply->reply.decision_seq,
                             "host", apply->host);
    const struct record record = {"change.started", apply->change, body};
    char base[OPL_DIGEST_SIZE];

    if (body == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for a start");
    if (apply_has_drifted(apply)) {
        opl_hash_digest(&apply->base, base);
        json_object_set_new(body, "drift", json_string(base));
        output_note(&apply->client->out, "drift: no recorded change left the base as it is");
    }
    if (!record_entry(apply->client, &record, &receipt, err))
        return opl_hint(err,
                        "nothing was changed here; if %s shows started: opledger change "
                        "finish %s --outcome failed",
                        apply->change, apply->change);
    apply->started = receipt.seq;
    output_note(&apply->client->out, "started: entry %llu", (unsigned long long)receipt.seq);
    return true;
}

static json_t *evidence_body(const struct apply *apply, const struct opl_hash *sha256)
{
    char hex[OPL_HEX_SIZE];

    opl_hash_hex(sha256, hex);
    return json_pack("{s:s, s:I, s:s, s:s+, s:s, s:s}", "sha256", hex, "size",
                     (json_int_t)apply->report.len, "media_type", "text/plain", "name",
                     "gate apply of ", apply->change, "source", "gate-apply", "host", apply->host);
}

/* The report as evidence on the change; its digest, or NULL where that did not work. New ref. */
static json_t *attach_report(struct apply *apply, struct opl_err *err)
{
    OPL_CLEANUP(opl_receipt_close) struct opl_receipt receipt = {0};
    OPL_CLEANUP(opl_json_freep) json_t *body = NULL;
    struct record record = {"evidence.attached", apply->change, NULL};
    char digest[OPL_DIGEST_SIZE];
    struct opl_hash sha256;

    if (!blobs_put_bytes(apply->client, apply->report.data, apply->report.len, &sha256, err))
        return NULL;
    body = evidence_body(apply, &sha256);
    record.body = body;
    if (body == NULL || !record_entry(apply->client, &record, &receipt, err))
        return NULL;
    opl_hash_digest(&sha256, digest);
    return json_string(digest);
}

static json_t *finish_body(const struct apply *apply, json_t *evidence)
{
    json_t *body =
        json_pack("{s:s, s:[]}", "outcome", apply_outcome_name(apply->outcome), "evidence");

    if (body != NULL && apply->exit_status >= 0)
        json_object_set_new(body, "exit_status", json_integer(apply->exit_status));
    if (body != NULL && evidence != NULL)
        json_array_append(json_object_get(body, "evidence"), evidence);
    return body;
}

/* The report is text to us; bytes that are none are shown as they would be to a person. */
static json_t *report_json(const struct apply *apply)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf safe = {0};

    output_recorded(&safe, opl_buf_text(&apply->report), apply->report.len, OUTPUT_BLOCK);
    return json_string(opl_buf_text(&safe));
}

static void keep_unsent(struct apply *apply, const json_t *body, const char *what)
{
    OPL_CLEANUP(opl_json_freep)
    json_t *value = json_pack("{s:s, s:s, s:O, s:s, s:I, s:o}", "kind", what, "on", apply->change,
                              "body", body, "host", apply->host, "started",
                              (json_int_t)apply->started, "report", report_json(apply));
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};
    struct state *state = &apply->client->state;
    struct opl_err why = {0};
    char name[96];

    snprintf(name, sizeof(name), "%s-%llu-%s.json", apply->change,
             (unsigned long long)apply->started, apply_outcome_name(apply->outcome));
    if (value != NULL && opl_json_canonical(value, &text, &why) && opl_buf_ok(&text, &why) &&
        state_set(state, UNSENT, name, opl_buf_text(&text), &why))
        output_note(&apply->client->out, "kept in %s/%s/%s", state->folder, UNSENT, name);
    else
        output_note(&apply->client->out, "and could not be kept on this host either: %s", why.text);
}

static void say_unrecorded(struct apply *apply, const struct opl_err *why)
{
    struct output *out = &apply->client->out;

    output_note(out, "NOT RECORDED: %s is %s on this host, and the ledger does not know: %s",
                apply->change, apply_outcome_name(apply->outcome), why->text);
    output_note(out,
                "it shows started, then unknown; record it by hand: opledger change finish "
                "%s --outcome %s",
                apply->change, apply_outcome_name(apply->outcome));
}

void apply_finish(struct apply *apply)
{
    OPL_CLEANUP(opl_receipt_close) struct opl_receipt receipt = {0};
    OPL_CLEANUP(opl_json_freep) json_t *evidence = NULL;
    OPL_CLEANUP(opl_json_freep) json_t *body = NULL;
    struct record record = {"change.finished", apply->change, NULL};
    struct opl_err why = {0}, unattached = {0};

    evidence = attach_report(apply, &unattached);
    body = finish_body(apply, evidence);
    record.body = body;
    apply->recorded = body != NULL && record_entry(apply->client, &record, &receipt, &why);
    if (!apply->recorded) {
        say_unrecorded(apply, &why);
        keep_unsent(apply, body, record.kind);
        return;
    }
    output_note(&apply->client->out, "%s: entry %llu", apply_outcome_name(apply->outcome),
                (unsigned long long)receipt.seq);
    if (evidence == NULL) {
        output_note(&apply->client->out, "the report could not be attached: %s", unattached.text);
        keep_unsent(apply, body, "evidence.attached");
    }
}

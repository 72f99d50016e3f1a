/* SPDX-License-Identifier: Apache-2.0 */
#include "record.h"

#include <opledger/encode.h>
#include <opledger/json.h>
#include <opledger/time.h>

#include "api.h"
#include "client.h"
#include "fields.h"
#include "log_view.h"
#include "secrets.h"

#define KEY_BYTES 16

static json_t *request_of(struct client *client, const struct record *record)
{
    const char *observed_at = client_option(client, "observed-at");
    json_t *request = json_pack("{s:s, s:O}", "kind", record->kind, "body", record->body);

    if (request != NULL && record->on != NULL)
        json_object_set_new(request, "on", json_string(record->on));
    if (request != NULL && observed_at != NULL)
        json_object_set_new(request, "observed_at", json_string(observed_at));
    return request;
}

/* {"text","salt"}: the salt is ours, so that we can rebuild the leaf. */
static json_t *salted(const struct opl_sealed *sealed)
{
    char salt[2 * sizeof(sealed->salt.b) + 1];

    opl_hex_encode(sealed->salt.b, sizeof(sealed->salt.b), salt);
    return json_pack("{s:s#, s:s}", "text", sealed->text, (int)sealed->len, "salt", salt);
}

/* What goes over the wire: the draft, with each seal as the text and the salt under it. */
static json_t *wire_of(const struct opl_draft *draft, struct opl_err *err)
{
    json_t *body = json_copy(draft->body);
    json_t *wire = json_pack("{s:s, s:o}", "kind", draft->kind->name, "body", body);
    char observed_at[OPL_TIME_SIZE];
    bool ok = wire != NULL;

    for (size_t i = 0; ok && i < draft->text_count; i++) {
        const char *name = strrchr(draft->texts[i].field, '/') + 1;

        ok = json_object_set_new(body, name, salted(&draft->texts[i])) == 0;
    }
    if (ok && draft->on[0] != '\0')
        ok = json_object_set_new(wire, "on", json_string(draft->on)) == 0;
    if (ok && draft->observed_at >= 0) {
        opl_time_format(draft->observed_at, observed_at);
        ok = json_object_set_new(wire, "observed_at", json_string(observed_at)) == 0;
    }
    if (ok)
        return wire;
    json_decref(wire);
    opl_fail(err, OPL_E_NOMEM, "no memory for an entry");
    return NULL;
}

static bool keep(struct client *client, const json_t *reply, const char *origin,
                 struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf line = {0};

    return opl_json_canonical(reply, &line, err) &&
           state_append(&client->state, "receipts", origin, opl_buf_text(&line), err);
}

/* A reply that does not prove the entry is kept from the user's eyes as a success. */
static bool accept_reply(struct client *client, const json_t *reply, const struct opl_draft *draft,
                         struct opl_receipt *receipt, struct opl_err *err)
{
    struct opl_vkey vkey;

    if (!log_view_key(client, &vkey, err))
        return false;
    if (!opl_receipt_read(reply, receipt, err) || !opl_receipt_verify(receipt, draft, &vkey, err) ||
        !keep(client, reply, vkey.name, err)) {
        opl_receipt_close(receipt);
        return opl_hint(err, "the ledger's answer does not prove that it recorded this");
    }
    return true;
}

static bool send(struct client *client, const struct opl_draft *draft, json_t **reply,
                 struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *wire = wire_of(draft, err);
    uint8_t random[KEY_BYTES];
    char key[2 * KEY_BYTES + 1];

    if (wire == NULL)
        return false;
    opl_random(random, sizeof(random));
    opl_hex_encode(random, sizeof(random), key);
    return api_post(client->api, "/v1/entries", wire, key, reply, err);
}

bool record_entry(struct client *client, const struct record *record, struct opl_receipt *receipt,
                  struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *request = request_of(client, record);
    OPL_CLEANUP(opl_json_freep) json_t *reply = NULL;
    OPL_CLEANUP(opl_draft_close) struct opl_draft draft = {0};

    if (request == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for an entry");
    return opl_draft_parse(request, opl_time_now(), &draft, err) && client_connect(client, err) &&
           log_view_before_sending(client, err) && send(client, &draft, &reply, err) &&
           accept_reply(client, reply, &draft, receipt, err);
}

void record_say(struct client *client, const struct opl_receipt *receipt)
{
    output_line(&client->out, "recorded %s as entry %llu, verified in the log of %llu entries",
                receipt->id[0] != '\0' ? receipt->id : receipt->kind,
                (unsigned long long)receipt->seq, (unsigned long long)receipt->checkpoint.size);
}

bool record_json(struct client *client, const struct opl_receipt *receipt, struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *value = opl_receipt_json(receipt);

    if (value == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for a receipt");
    return output_json(&client->out, value, err);
}

bool record_command(struct client *client, const char *on, json_t *body,
                    char id[static OPL_ID_SIZE], struct opl_err *err)
{
    OPL_CLEANUP(opl_receipt_close) struct opl_receipt receipt = {0};
    struct record record = {client->command->kind, on, body};
    const struct opl_kind *kind = opl_kind_find(record.kind);

    if (!fields_add(client, kind, body, err))
        return false;
    secrets_warn_texts(client, kind, body);
    if (!record_entry(client, &record, &receipt, err))
        return false;
    memcpy(id, receipt.id, OPL_ID_SIZE);
    record_say(client, &receipt);
    return record_json(client, &receipt, err);
}

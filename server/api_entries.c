/* SPDX-License-Identifier: Apache-2.0 */
/* POST /v1/entries: one entry, or a batch of lines that is all or nothing. */
#include <strings.h>

#include <opledger/json.h>

#include "api.h"
#include "auth.h"
#include "receipt_reply.h"
#include "scrubbed.h"
#include "server.h"
#include "write.h"

#define WRITERS "recorder|reviewer|admin|gate|approver.*"
#define NDJSON "application/x-ndjson"

static bool take_key(const struct request *request, char out[static WRITE_KEY_MAX + 1],
                     struct opl_err *err)
{
    const char *key = request->idempotency_key;
    size_t len = strlen(key);
    bool ok = len >= 1 && len <= WRITE_KEY_MAX;

    for (size_t i = 0; i < len && ok; i++)
        ok = key[i] > 0x20 && key[i] < 0x7f;
    if (!ok) {
        opl_fail(err, OPL_E_MALFORMED,
                 "the header Idempotency-Key must have 1 to 128 visible "
                 "ASCII characters");
        return opl_hint(err, "draw a random one for each new write; repeat it only to try again");
    }
    memcpy(out, key, len + 1);
    return true;
}

/* Keyed, so that the stored digest is no guessable copy of a text that may be erased later. */
static void digest_request(const struct request *request, bool is_batch, struct opl_hash *out)
{
    struct opl_hash plain;
    uint8_t both[1 + sizeof plain.b];

    opl_sha256(opl_buf_text(&request->body), request->body.len, &plain);
    both[0] = is_batch ? 1 : 0;
    memcpy(both + 1, plain.b, sizeof plain.b);
    opl_keyed_hash(&request->server->ledger.idempotency, both, sizeof both, out->b, sizeof out->b);
}

static bool is_egress(const struct write *write)
{
    for (size_t i = 0; i < write->count; i++) {
        if (strcmp(write->lines[i].draft.kind->name, "egress.recorded") == 0)
            return true;
    }
    return false;
}

/* The verify pass over every output that the write says was sent; on a worker. */
static bool verify_outputs(struct request *request, struct db *db, struct opl_err *err)
{
    struct write *write = request->write;

    for (size_t i = 0; i < write->count; i++) {
        const struct opl_draft *draft = &write->lines[i].draft;

        if (strcmp(draft->kind->name, "egress.recorded") == 0 &&
            !scrubbed_check(request->server, write, draft->body, db, err))
            return false;
    }
    return true;
}

static bool parse_one(struct write *write, const char *text, size_t len, struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *document = opl_json_parse(text, len, err);
    struct write_line *line;

    if (document == NULL)
        return false;
    line = write_add(write);
    if (line == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for an entry");
    return opl_draft_parse(document, opl_time_now(), &line->draft, err);
}

static bool parse_single(struct request *request, struct opl_err *err)
{
    if (request->body.len > OPL_REQUEST_MAX)
        return opl_fail(err, OPL_E_TOO_LARGE, "one entry has at most %d bytes as sent",
                        OPL_REQUEST_MAX);
    return parse_one(request->write, opl_buf_text(&request->body), request->body.len, err);
}

static bool refuse_batch(struct request *request, const struct opl_err *first, size_t bad,
                         struct opl_err *err)
{
    size_t line = (size_t)opl_json_int(json_array_get(request->write->errors, 0), "line", 0);

    request->errors = json_incref(request->write->errors);
    opl_fail_at(err, first->code == OPL_E_MALFORMED ? OPL_E_INVALID : first->code, first->field,
                "%zu lines do not hold; line %zu: %.300s", bad, line, first->text);
    return opl_hint(err, "%s", first->hint[0] != '\0' ? first->hint : "nothing was written");
}

/* On a worker: up to 10,000 lines take too long for an HTTP thread. */
static bool parse_batch(struct request *request, struct db *db, struct opl_err *err)
{
    const char *text = opl_buf_text(&request->body), *end = text + request->body.len;
    struct write *write = request->write;
    struct opl_err first = {0};
    size_t line = 0, bad = 0;

    (void)db;
    while (text < end) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));
        size_t len = stop != NULL ? (size_t)(stop - text) : (size_t)(end - text);
        struct opl_err why = {0};

        if (++line > OPL_BATCH_LINES)
            return opl_fail(err, OPL_E_TOO_LARGE, "a batch has at most %d lines", OPL_BATCH_LINES);
        if (!parse_one(write, text, len, &why)) {
            write_add_error(write, line, &why);
            if (bad++ == 0)
                first = why;
        }
        text += len + 1;
    }
    if (bad > 0)
        return refuse_batch(request, &first, bad, err);
    if (line == 0)
        return opl_fail(err, OPL_E_MALFORMED, "the batch is empty");
    if (is_egress(write))
        request->work = verify_outputs;
    return true;
}

/*
 * Who may only read may still say that their own key is lost; whose it is, admission asks. All else
 * stops here, before anything is looked at for them.
 */
static bool may_write(struct request *request, struct opl_err *err)
{
    const struct write *write = request->write;
    bool is_revocation =
        write->count == 1 && strcmp(write->lines[0].draft.kind->name, "key.revoked") == 0;

    return is_revocation || auth_permit(request->server, &request->identity, WRITERS, err);
}

bool api_entries_append(struct request *request, struct db *db, struct opl_err *err)
{
    bool is_batch = strncasecmp(request->media_type, NDJSON, strlen(NDJSON)) == 0;
    struct write *write = write_new();

    (void)db;
    request->write = write;
    if (write == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for a write");
    write->writer = request->identity;
    write->is_batch = is_batch;
    request->after = receipt_reply;
    if (!take_key(request, write->key, err))
        return false;
    digest_request(request, is_batch, &write->digest);
    if (is_batch) {
        request->work = parse_batch;
        return may_write(request, err);
    }
    if (!parse_single(request, err) || !may_write(request, err))
        return false;
    if (is_egress(write))
        request->work = verify_outputs;
    return true;
}

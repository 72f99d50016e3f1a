/* SPDX-License-Identifier: Apache-2.0 */
/* PUT and GET /v1/blobs/{sha256}: bytes by digest, streamed through workers. */
#include <opledger/encode.h>
#include <opledger/json.h>

#include "api.h"
#include "auth.h"
#include "blob.h"
#include "byte_range.h"
#include "disk.h"
#include "entry_row.h"
#include "log.h"
#include "queries.h"
#include "server.h"

static bool read_digest(const struct request *request, struct opl_hash *sha256, struct opl_err *err)
{
    if (opl_hash_from_hex(request->params[0], sha256, NULL))
        return true;
    opl_fail(err, OPL_E_NOT_FOUND, "a blob's name is 64 lower-case hexadecimal digits");
    return opl_hint(err, "sha256sum FILE");
}

/* ---- PUT ---- */

struct incoming {
    struct opl_hash sha256;
    uint64_t max;
    struct blob_upload *upload; /* NULL until the first piece */
};

static bool incoming_begin(struct incoming *incoming, struct db *db, struct opl_err *err)
{
    return incoming->upload != NULL ||
           blob_upload_begin(&incoming->upload, db, &incoming->sha256, incoming->max, err);
}

static bool incoming_take(void *ctx, struct db *db, const void *bytes, size_t len,
                          struct opl_err *err)
{
    struct incoming *incoming = ctx;

    return incoming_begin(incoming, db, err) &&
           blob_upload_append(incoming->upload, db, bytes, len, err);
}

static bool incoming_finish(void *ctx, struct db *db, struct reply *reply, struct opl_err *err)
{
    struct incoming *incoming = ctx;
    char hex[OPL_HEX_SIZE];
    bool is_new, ok;
    uint64_t size;

    ok = incoming_begin(incoming, db, err) &&
         blob_upload_finish(incoming->upload, db, &is_new, &size, err);
    blob_upload_discard(incoming->upload, db);
    incoming->upload = NULL;
    if (!ok)
        return false;
    opl_hash_hex(&incoming->sha256, hex);
    return reply_json(reply, is_new ? 201 : 200,
                      json_pack("{s:s, s:I}", "sha256", hex, "size", (json_int_t)size), err);
}

static void incoming_release(void *ctx)
{
    struct incoming *incoming = ctx;

    blob_upload_discard(incoming->upload, NULL); /* what it left is collected later */
    free(incoming);
}

bool api_blob_put(struct request *request, struct db *db, struct opl_err *err)
{
    const struct config *config = request->server->config;
    struct incoming *incoming;
    struct opl_hash sha256;

    (void)db;
    if (!request_only(request, "", err) || !read_digest(request, &sha256, err))
        return false;
    if (request->has_length && request->length > (uint64_t)config->max_blob)
        return opl_fail(err, OPL_E_TOO_LARGE, "a blob has at most %lld bytes",
                        (long long)config->max_blob);
    if (!disk_has(config->data, (uint64_t)config->reserve, err))
        return opl_hint(err, "this much disk is kept for entries alone: free some");
    incoming = calloc(1, sizeof *incoming);
    if (incoming == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for an upload");
    incoming->sha256 = sha256;
    incoming->max = (uint64_t)config->max_blob;
    request->sink =
        (struct request_sink){incoming, incoming_take, incoming_finish, incoming_release};
    return true;
}

/* ---- who may read ---- */

/* How entries speak of a blob. */
struct uses {
    bool is_named;  /* by any entry */
    bool is_raw;    /* attached as evidence */
    bool is_output; /* of the filter, recorded as sent before anybody attached it */
};

/*
 * In log order. What was evidence first stays raw, whoever records later that it was sent: else a
 * recorder could make it readable with one entry (docs/decisions/0010).
 */
static void add_sent(const struct opl_entry *entry, const char *hex, struct uses *uses)
{
    const char *sent = opl_json_str(entry->body, "sent_sha256");
    const char *outcome = opl_json_str(entry->body, "outcome");

    if (!uses->is_raw && sent != NULL && outcome != NULL && strcmp(outcome, "sent") == 0 &&
        strcmp(sent, hex) == 0)
        uses->is_output = true;
}

static bool add_use(const struct db_rows *rows, const char *hex, struct uses *uses,
                    struct opl_err *err)
{
    OPL_CLEANUP(opl_entry_close) struct opl_entry entry = {0};

    if (!entry_row_read(rows, &entry, err))
        return false;
    uses->is_named = true;
    if (strcmp(entry.kind_name, "evidence.attached") == 0)
        uses->is_raw = true;
    else if (strcmp(entry.kind_name, "egress.recorded") == 0)
        add_sent(&entry, hex, uses);
    return true;
}

static bool read_uses(struct db *db, const struct opl_hash *sha256, struct uses *uses,
                      struct opl_err *err)
{
    OPL_CLEANUP(db_rows_close) struct db_rows rows = {0};
    char hex[OPL_HEX_SIZE];

    *uses = (struct uses){0};
    opl_hash_hex(sha256, hex);
    if (!db_fetch(db, &sql_blob_refs, DB_ARGS(db_hash(sha256)), &rows, err))
        return false;
    while (db_rows_next(&rows)) {
        if (!add_use(&rows, hex, uses, err))
            return false;
    }
    return true;
}

/* The same words whether it is not there or not to be read: names tell nothing. */
static bool no_blob(struct opl_err *err)
{
    opl_fail(err, OPL_E_NOT_FOUND, "there is no such blob, or you may not read it");
    return opl_hint(err, "raw evidence needs the role evidence-raw; agents read only recorded "
                         "outputs of the filter");
}

static bool may_read(struct request *request, struct db *db, const struct opl_hash *sha256,
                     struct opl_err *err)
{
    struct uses uses;

    if (!read_uses(db, sha256, &uses, err))
        return false;
    if (uses.is_output)
        return true;
    if (request->identity.class == OPL_CLASS_AGENT)
        return no_blob(err);
    if (uses.is_named && !uses.is_raw)
        return true;
    if (!auth_may(request->server, &request->identity, "evidence-raw"))
        return no_blob(err);
    atomic_fetch_add(&request->server->metrics.evidence_reads, 1);
    log_info("raw evidence read", LOG_S("principal", request->identity.principal),
             LOG_S("sha256", request->params[0]), LOG_S("id", request->id));
    return true;
}

/* ---- GET ---- */

static bool outgoing_next(void *ctx, struct db *db, const void **bytes, size_t *len,
                          struct opl_err *err)
{
    if (!blob_reader_next(ctx, db, bytes, len, err))
        return false;
    return *len > 0 || opl_fail(err, OPL_E_DIGEST, "a blob ended before its size");
}

static void outgoing_release(void *ctx)
{
    blob_reader_free(ctx);
}

static bool open_reply(struct request *request, const struct blob_info *info,
                       const struct byte_range *range, struct opl_err *err)
{
    struct reply *reply = &request->reply;
    struct blob_reader *reader = NULL;

    if (!blob_reader_open(&reader, info, range->from, range->len, err))
        return false;
    reply->status = range->is_part ? 206 : 200;
    reply->media = "application/octet-stream";
    reply->source = (struct reply_source){
        .ctx = reader, .next = outgoing_next, .release = outgoing_release, .size = range->len};
    reply_header(reply, "ETag", "\"%s\"", request->params[0]);
    reply_header(reply, "Accept-Ranges", "bytes");
    reply_header(reply, "Cache-Control", "private, no-store");
    reply_header(reply, "X-Content-Type-Options", "nosniff");
    if (range->is_part)
        reply_header(
            reply, "Content-Range", "bytes %llu-%llu/%llu", (unsigned long long)range->from,
            (unsigned long long)(range->from + range->len - 1), (unsigned long long)info->size);
    return true;
}

bool api_blob_get(struct request *request, struct db *db, struct opl_err *err)
{
    struct opl_err why = {0};
    struct blob_info info;
    struct opl_hash sha256;
    struct byte_range range;

    if (!request_only(request, "", err) || !read_digest(request, &sha256, err) ||
        !may_read(request, db, &sha256, err))
        return false;
    if (!blob_find(db, &sha256, &info, &why)) {
        if (why.code == OPL_E_NOT_FOUND)
            return no_blob(err);
        *err = why;
        return false;
    }
    if (!byte_range_read(request->range, info.size, &range)) {
        reply_header(&request->reply, "Content-Range", "bytes */%llu",
                     (unsigned long long)info.size);
        return opl_fail(err, OPL_E_RANGE, "the blob has %llu bytes", (unsigned long long)info.size);
    }
    return open_reply(request, &info, &range, err);
}

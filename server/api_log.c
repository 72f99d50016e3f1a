/* SPDX-License-Identifier: Apache-2.0 */
/* /checkpoint, /tile/… by C2SP tlog-tiles, and /v1/keys. */
#include "api.h"
#include "entry_row.h"
#include "history.h"
#include "queries.h"
#include "server.h"

bool api_checkpoint(struct request *request, struct db *db, struct opl_err *err)
{
    OPL_CLEANUP(signed_head_dropp)
    struct signed_head *head = published_head(&request->server->published);
    struct reply *reply = &request->reply;

    (void)db;
    if (!request_only(request, "", err))
        return false;
    if (head == NULL)
        return opl_fail(err, OPL_E_UNAVAILABLE, "the log has no checkpoint yet");
    opl_buf_add(&reply->body, head->note, head->note_len);
    reply->status = 200;
    reply->media = "text/plain; charset=utf-8";
    reply_header(reply, "Cache-Control", "no-cache");
    return opl_buf_ok(&reply->body, err);
}

static bool add_bundle(struct db *db, const struct opl_tile *tile, uint64_t size,
                       struct opl_buf *out, struct opl_err *err)
{
    OPL_CLEANUP(db_rows_close) struct db_rows rows = {0};
    uint64_t from = tile->index * OPL_TILE_WIDTH;

    if (opl_tile_width(0, tile->index, size) < tile->width)
        return opl_fail(err, OPL_E_NOT_FOUND, "the log has no such entries yet");
    if (!db_fetch(db, &sql_entry_range,
                  DB_ARGS(db_u64(from), db_u64(from + tile->width), db_i64(tile->width)), &rows,
                  err))
        return false;
    if (rows.count != tile->width)
        return opl_fail(err, OPL_E_LOG, "the database lacks entries of bundle %llu",
                        (unsigned long long)tile->index);
    while (db_rows_next(&rows)) {
        struct entry_row row;

        if (!entry_row_get(&rows, 0, &row, err) || !opl_bundle_add(out, row.bytes, row.len, err))
            return false;
    }
    return true;
}

static bool add_tile(struct db *db, const struct opl_tile *tile, uint64_t size, struct opl_buf *out,
                     struct opl_err *err)
{
    OPL_CLEANUP(history_freep) struct history *history = history_new(db, size);

    if (history == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for a tile");
    return history_tile_bytes(history, tile, out, err);
}

bool api_tile(struct request *request, struct db *db, struct opl_err *err)
{
    OPL_CLEANUP(signed_head_dropp)
    struct signed_head *head = published_head(&request->server->published);
    struct reply *reply = &request->reply;
    uint64_t size = head != NULL ? head->head.size : 0;
    struct opl_tile tile;
    bool ok;

    if (!request_only(request, "", err) || !opl_tile_parse(request->path + 1, &tile, err))
        return false;
    ok = tile.entries ? add_bundle(db, &tile, size, &reply->body, err)
                      : add_tile(db, &tile, size, &reply->body, err);
    if (!ok)
        return false;
    reply->status = 200;
    reply->media = "application/octet-stream";
    reply_header(reply, "Cache-Control", "%s, max-age=31536000, immutable",
                 request->server->config->public_log ? "public" : "private");
    return opl_buf_ok(&reply->body, err);
}

bool api_keys(struct request *request, struct db *db, struct opl_err *err)
{
    const struct ledger *ledger = &request->server->ledger;
    char vkey[OPL_VKEY_SIZE];

    (void)db;
    if (!request_only(request, "", err))
        return false;
    opl_vkey_format(&ledger->vkey, vkey);
    return reply_json(&request->reply, 200,
                      json_pack("{s:s, s:s}", "origin", ledger->origin, "log_key", vkey), err);
}

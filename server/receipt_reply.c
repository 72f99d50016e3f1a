/* SPDX-License-Identifier: Apache-2.0 */
#include "receipt_reply.h"

#include <opledger/encode.h>
#include <opledger/receipt.h>

#include "entry_row.h"
#include "history.h"
#include "queries.h"
#include "server.h"

/* What a receipt says of its entry. */
struct receipt {
    uint64_t seq;
    const char *id, *kind, *actor; /* id "": none */
    int64_t at, prev;
    const struct opl_hash *leaf;
    const struct opl_proof *proof;
};

static void add_digest(struct opl_buf *out, const struct opl_hash *hash)
{
    char text[OPL_DIGEST_SIZE];

    opl_hash_digest(hash, text);
    opl_buf_chr(out, '"');
    opl_buf_add(out, text, OPL_DIGEST_SIZE - 1);
    opl_buf_chr(out, '"');
}

static void add_head(struct opl_buf *out, const struct opl_head *head, const char *note)
{
    opl_buf_str(out, "\"checkpoint\":{\"origin\":");
    reply_add_string(out, head->origin);
    opl_buf_fmt(out, ",\"size\":%llu,\"root\":", (unsigned long long)head->size);
    add_digest(out, &head->root);
    opl_buf_str(out, "},\"note\":");
    reply_add_string(out, note);
    opl_buf_str(out, "}\n");
}

static void add_id(struct opl_buf *out, const char *id)
{
    if (id[0] == '\0')
        opl_buf_str(out, "null");
    else
        reply_add_string(out, id);
}

static void add_receipt(struct opl_buf *out, const struct receipt *receipt)
{
    char at[OPL_TIME_SIZE];

    opl_time_format(receipt->at, at);
    opl_buf_fmt(out, "{\"seq\":%llu,\"id\":", (unsigned long long)receipt->seq);
    add_id(out, receipt->id);
    opl_buf_fmt(out, ",\"kind\":\"%s\",\"actor\":\"%s\",\"at\":\"%s\",\"prev\":", receipt->kind,
                receipt->actor, at);
    if (receipt->prev < 0)
        opl_buf_str(out, "null");
    else
        opl_buf_fmt(out, "%lld", (long long)receipt->prev);
    opl_buf_str(out, ",\"leaf\":");
    add_digest(out, receipt->leaf);
    opl_buf_str(out, ",\"proof\":[");
    for (size_t i = 0; i < receipt->proof->count; i++) {
        if (i > 0)
            opl_buf_chr(out, ',');
        add_digest(out, &receipt->proof->hash[i]);
    }
    opl_buf_str(out, "],");
}

static bool complete(struct request *request, int status, struct opl_err *err)
{
    request->reply.status = status;
    request->reply.media = "application/json";
    return opl_buf_ok(&request->reply.body, err);
}

static bool reply_one(struct request *request, struct opl_err *err)
{
    const struct write *write = request->write;
    const struct write_line *line = write->lines;
    const struct receipt receipt = {.seq = line->seq,
                                    .id = line->id,
                                    .kind = line->draft.kind->name,
                                    .actor = write->writer.principal,
                                    .at = write->at,
                                    .prev = line->prev,
                                    .leaf = &line->leaf,
                                    .proof = &write->proof};

    add_receipt(&request->reply.body, &receipt);
    add_head(&request->reply.body, &write->head->head, write->head->note);
    return complete(request, 201, err);
}

static void begin_batch(struct opl_buf *out, uint64_t first, size_t count)
{
    opl_buf_fmt(out, "{\"first\":%llu,\"count\":%zu,\"ids\":[", (unsigned long long)first, count);
}

static bool reply_batch(struct request *request, struct opl_err *err)
{
    const struct write *write = request->write;
    struct opl_buf *out = &request->reply.body;

    begin_batch(out, write->first, write->count);
    for (size_t i = 0; i < write->count; i++) {
        if (i > 0)
            opl_buf_chr(out, ',');
        add_id(out, write->lines[i].id);
    }
    opl_buf_str(out, "],");
    add_head(out, &write->head->head, write->head->note);
    return complete(request, 201, err);
}

/* ---- a repeated request: the receipt it had, from the log ---- */

struct past {
    struct opl_head head;
    char *note; /* owned */
};

static void past_close(struct past *past)
{
    free(past->note);
}

static bool past_read(struct request *request, struct db *db, struct past *past,
                      struct opl_err *err)
{
    OPL_CLEANUP(db_rows_close) struct db_rows rows = {0};
    const char *note;

    if (!db_fetch_one(db, &sql_checkpoint_at, DB_ARGS(db_u64(request->write->tree_size)), &rows,
                      err) ||
        !db_get_u64(&rows, 0, &past->head.size, err) ||
        !db_get_hash(&rows, 1, &past->head.root, err) || !db_get_text(&rows, 5, &note, err))
        return false;
    snprintf(past->head.origin, sizeof past->head.origin, "%s", request->server->ledger.origin);
    past->note = note != NULL ? strdup(note) : NULL;
    return past->note != NULL || opl_fail(err, OPL_E_NOMEM, "no memory for a receipt");
}

static bool replay_one(struct request *request, struct db *db, const struct past *past,
                       struct db_rows *rows, struct opl_err *err)
{
    OPL_CLEANUP(history_freep) struct history *history = history_new(db, past->head.size);
    OPL_CLEANUP(opl_entry_close) struct opl_entry entry = {0};
    struct opl_proof proof = {0};
    struct entry_row row;
    struct receipt receipt;

    if (history == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for a proof");
    if (!db_rows_next(rows) || !entry_row_get(rows, 0, &row, err) ||
        !opl_entry_parse(row.bytes, row.len, row.seq, &entry, err))
        return opl_fail(err, OPL_E_LOG, "an acknowledged entry is missing");
    struct opl_tree tree = history_tree(history);

    if (!opl_tree_inclusion(&tree, row.seq, past->head.size, &proof, err))
        return false;
    receipt = (struct receipt){.seq = row.seq,
                               .id = entry.id != NULL ? entry.id : "",
                               .kind = entry.kind_name,
                               .actor = entry.actor,
                               .at = entry.at,
                               .prev = entry.prev,
                               .leaf = &row.leaf,
                               .proof = &proof};
    add_receipt(&request->reply.body, &receipt);
    return true;
}

static bool replay_batch(struct request *request, struct db_rows *rows, struct opl_err *err)
{
    const struct write *write = request->write;
    struct opl_buf *out = &request->reply.body;

    begin_batch(out, write->first, write->replay_count);
    for (size_t i = 0; i < write->replay_count; i++) {
        OPL_CLEANUP(opl_entry_close) struct opl_entry entry = {0};

        if (!db_rows_next(rows) || !entry_row_read(rows, &entry, err))
            return opl_fail(err, OPL_E_LOG, "an acknowledged entry is missing");
        if (i > 0)
            opl_buf_chr(out, ',');
        add_id(out, entry.id != NULL ? entry.id : "");
    }
    opl_buf_str(out, "],");
    return true;
}

static bool replay(struct request *request, struct db *db, struct opl_err *err)
{
    OPL_CLEANUP(db_rows_close) struct db_rows rows = {0};
    OPL_CLEANUP(past_close) struct past past = {0};
    const struct write *write = request->write;
    bool ok;

    if (!past_read(request, db, &past, err) ||
        !db_fetch(db, &sql_entry_range,
                  DB_ARGS(db_u64(write->first), db_u64(write->first + write->replay_count),
                          db_u64(write->replay_count)),
                  &rows, err))
        return false;
    ok = write->is_batch ? replay_batch(request, &rows, err)
                         : replay_one(request, db, &past, &rows, err);
    if (!ok)
        return false;
    add_head(&request->reply.body, &past.head, past.note);
    return complete(request, 200, err);
}

bool receipt_reply(struct request *request, struct db *db, struct opl_err *err)
{
    (void)db;
    if (request->write->is_replay) {
        request->work = replay;
        return true;
    }
    return request->write->is_batch ? reply_batch(request, err) : reply_one(request, err);
}

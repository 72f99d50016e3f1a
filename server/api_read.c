/* SPDX-License-Identifier: Apache-2.0 */
/* GET /v1/entries…: entries by sequence number, and their proofs. */
#include <opledger/encode.h>

#include "api.h"
#include "entry_json.h"
#include "history.h"
#include "queries.h"
#include "read_head.h"
#include "server.h"

static const int64_t limits[] = {1, 1000};
static const int64_t sizes[] = {0, INT64_MAX};

static bool finish(struct request *request, struct opl_err *err)
{
    request->reply.status = 200;
    request->reply.media = "application/json";
    return opl_buf_ok(&request->reply.body, err);
}

static bool no_entry(const char *seq, struct opl_err *err)
{
    return opl_fail(err, OPL_E_NOT_FOUND, "the log has no entry %.20s", seq);
}

bool api_entries_list(struct request *request, struct db *db, struct opl_err *err)
{
    OPL_CLEANUP(db_txn_close) struct db_txn txn = {0};
    OPL_CLEANUP(db_rows_close) struct db_rows rows = {0};
    struct opl_buf *out = &request->reply.body;
    struct read_head head;
    int64_t from, limit;
    size_t count;

    if (!request_only(request, "from limit", err) ||
        !request_query_int(request, "from", 0, sizes, &from, err) ||
        !request_query_int(request, "limit", 100, limits, &limit, err) ||
        !db_begin_snapshot(&txn, db, err) || !read_head_get(db, &head, err) ||
        !db_fetch(db, &sql_entry_range, DB_ARGS(db_i64(from), db_u64(head.size), db_i64(limit)),
                  &rows, err))
        return false;
    opl_buf_str(out, "{\"items\":");
    if (!entry_json_add(db, &rows, out, &count, err))
        return false;
    if ((uint64_t)from + count < head.size && count > 0)
        opl_buf_fmt(out, ",\"next\":%llu", (unsigned long long)from + count);
    else
        opl_buf_str(out, ",\"next\":null");
    opl_buf_fmt(out, ",\"size\":%llu}\n", (unsigned long long)head.size);
    return finish(request, err);
}

bool api_entry_get(struct request *request, struct db *db, struct opl_err *err)
{
    OPL_CLEANUP(db_rows_close) struct db_rows rows = {0};
    OPL_CLEANUP(opl_buf_close) struct opl_buf list = {0};
    uint64_t seq;
    size_t count;

    if (!request_only(request, "", err))
        return false;
    if (!request_number(request->params[0], &seq))
        return no_entry(request->params[0], err);
    if (!db_fetch(db, &sql_entry_by_seq, DB_ARGS(db_u64(seq)), &rows, err) ||
        !entry_json_add(db, &rows, &list, &count, err))
        return false;
    if (count == 0)
        return no_entry(request->params[0], err);
    opl_buf_add(&request->reply.body, list.data + 1, list.len - 2); /* without the brackets */
    opl_buf_chr(&request->reply.body, '\n');
    return finish(request, err);
}

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

/* The note of exactly this size, or JSON null where none was signed. */
static bool note_at(struct db *db, uint64_t size, json_t **note, struct opl_err *err)
{
    OPL_CLEANUP(db_rows_close) struct db_rows rows = {0};
    const char *text = NULL;
    uint64_t found = 0;

    if (!db_fetch(db, &sql_checkpoint_at, DB_ARGS(db_u64(size)), &rows, err))
        return false;
    if (db_rows_next(&rows) &&
        (!db_get_u64(&rows, 0, &found, err) || !db_get_text(&rows, 5, &text, err)))
        return false;
    *note = found == size && text != NULL ? json_string(text) : json_null();
    return true;
}

bool api_entry_proof(struct request *request, struct db *db, struct opl_err *err)
{
    OPL_CLEANUP(history_freep) struct history *history = NULL;
    struct opl_proof proof;
    struct opl_tree tree;
    struct read_head head;
    json_t *note;
    int64_t size;
    uint64_t seq;

    if (!request_only(request, "size", err) || !read_head_get(db, &head, err) ||
        !request_query_int(request, "size", (int64_t)head.size, sizes, &size, err))
        return false;
    if (!request_number(request->params[0], &seq) || seq >= head.size)
        return no_entry(request->params[0], err);
    if ((uint64_t)size > head.size || (uint64_t)size <= seq)
        return opl_fail(err, OPL_E_MALFORMED, "size must be from %llu to %llu",
                        (unsigned long long)seq + 1, (unsigned long long)head.size);
    history = history_new(db, (uint64_t)size);
    if (history == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for a proof");
    tree = history_tree(history);
    if (!opl_tree_inclusion(&tree, seq, (uint64_t)size, &proof, err) ||
        !note_at(db, (uint64_t)size, &note, err))
        return false;
    return reply_json(&request->reply, 200,
                      json_pack("{s:I, s:I, s:o, s:o}", "index", (json_int_t)seq, "size",
                                (json_int_t)size, "proof", proof_json(&proof), "note", note),
                      err);
}

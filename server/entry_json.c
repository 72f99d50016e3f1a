/* SPDX-License-Identifier: Apache-2.0 */
#include "entry_json.h"

#include <opledger/encode.h>

#include "entry_row.h"
#include "queries.h"
#include "reply.h"

static bool fetch_texts(struct db *db, const struct db_rows *entries, struct db_rows *texts,
                        struct opl_err *err)
{
    OPL_CLEANUP(db_array_close) struct db_array seqs = DB_ARRAY_INIT(DB_I64);
    struct db_rows walk = *entries; /* a cursor of its own over the same rows */
    uint64_t seq;

    walk.next = 0;
    while (db_rows_next(&walk)) {
        if (!db_get_u64(&walk, 0, &seq, err))
            return false;
        db_array_u64(&seqs, seq);
    }
    return db_fetch(db, &sql_sealed_by_seqs, DB_ARGS(db_array(&seqs)), texts, err);
}

/* The texts of one entry; `texts` stands on the first row that is not before it, *more tells. */
static bool add_texts(struct db_rows *texts, uint64_t seq, bool *more, struct opl_buf *out,
                      struct opl_err *err)
{
    const char *field, *text;
    struct opl_hash salt;
    char hex[OPL_HEX_SIZE];
    uint64_t of;
    bool first = true;

    for (; *more; *more = db_rows_next(texts)) {
        if (!db_get_u64(texts, 0, &of, err))
            return false;
        if (of > seq)
            break;
        if (!db_get_text(texts, 1, &field, err) || !db_get_hash(texts, 2, &salt, err) ||
            !db_get_text(texts, 3, &text, err))
            return false;
        opl_hash_hex(&salt, hex);
        opl_buf_str(out, first ? "" : ",");
        reply_add_string(out, field != NULL ? field : "");
        opl_buf_str(out, ":{\"text\":");
        reply_add_string(out, text != NULL ? text : "");
        opl_buf_fmt(out, ",\"salt\":\"%s\"}", hex);
        first = false;
    }
    return true;
}

static void add_entry(struct opl_buf *out, const struct entry_row *row)
{
    char leaf[OPL_DIGEST_SIZE];

    opl_hash_digest(&row->leaf, leaf);
    opl_buf_fmt(out, "{\"seq\":%llu,\"leaf\":\"%s\",\"entry\":", (unsigned long long)row->seq,
                leaf);
    reply_add_string(out, row->bytes);
    opl_buf_str(out, ",\"texts\":{");
}

bool entry_json_add(struct db *db, struct db_rows *rows, struct opl_buf *out, size_t *count,
                    struct opl_err *err)
{
    OPL_CLEANUP(db_rows_close) struct db_rows texts = {0};
    bool more;

    *count = 0;
    if (!fetch_texts(db, rows, &texts, err))
        return false;
    more = db_rows_next(&texts);
    opl_buf_chr(out, '[');
    while (db_rows_next(rows)) {
        struct entry_row row;

        if (!entry_row_get(rows, 0, &row, err))
            return false;
        if ((*count)++ > 0)
            opl_buf_chr(out, ',');
        add_entry(out, &row);
        if (!add_texts(&texts, row.seq, &more, out, err))
            return false;
        opl_buf_str(out, "}}");
    }
    opl_buf_chr(out, ']');
    return opl_buf_ok(out, err);
}

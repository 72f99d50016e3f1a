/* SPDX-License-Identifier: Apache-2.0 */
#include "rows.h"

#include "queries.h"

struct table {
    const struct sql *sql;
    const char *types;
};

static const struct table tables[] = {
#define ROWS_ROW(table, sql, types) [table] = {&sql, types},
    ROWS_TABLES(ROWS_ROW)
#undef ROWS_ROW
};

static enum db_type type_of(char letter)
{
    return letter == 'T' ? DB_TEXT : letter == 'I' ? DB_I64 : DB_BYTES;
}

void rows_init(struct rows *rows)
{
    *rows = (struct rows){0};
    for (size_t t = 0; t < ROWS_TABLE_COUNT; t++) {
        for (size_t c = 0; tables[t].types[c] != '\0'; c++)
            rows->column[t][c] = (struct db_array)DB_ARRAY_INIT(type_of(tables[t].types[c]));
    }
}

static void each(struct rows *rows, void (*act)(struct db_array *))
{
    for (size_t t = 0; t < ROWS_TABLE_COUNT; t++) {
        for (size_t c = 0; tables[t].types[c] != '\0'; c++)
            act(&rows->column[t][c]);
    }
}

void rows_reset(struct rows *rows)
{
    each(rows, db_array_reset);
}

void rows_close(struct rows *rows)
{
    each(rows, db_array_close);
}

size_t rows_count(const struct rows *rows, enum rows_table table)
{
    return rows->column[table][0].count;
}

void rows_add_entry(struct rows *rows, const struct opl_entry *entry, const struct opl_buf *bytes,
                    const struct opl_hash *leaf)
{
    struct db_array *column = rows->column[ROWS_ENTRY];

    db_array_u64(column++, entry->seq);
    db_array_bytes(column++, bytes->data, bytes->len);
    db_array_bytes(column++, leaf->b, sizeof leaf->b);
    db_array_text(column++, entry->id);
    db_array_text(column, entry->on);
}

void rows_add_sealed(struct rows *rows, uint64_t seq, const struct opl_sealed *text)
{
    struct db_array *column = rows->column[ROWS_SEALED];

    db_array_u64(column++, seq);
    db_array_text(column++, text->field);
    db_array_bytes(column++, text->salt.b, sizeof text->salt.b);
    db_array_text_len(column, text->text, text->len);
}

void rows_add_tile(struct rows *rows, unsigned level, uint64_t index, const void *bytes, size_t len)
{
    struct db_array *column = rows->column[ROWS_TILE];

    db_array_u64(column++, level);
    db_array_u64(column++, index);
    db_array_bytes(column, bytes, len);
}

void rows_add_nonce(struct rows *rows, const char *nonce, uint64_t seq)
{
    db_array_text(&rows->column[ROWS_NONCE][0], nonce);
    db_array_u64(&rows->column[ROWS_NONCE][1], seq);
}

void rows_add_blob_ref(struct rows *rows, const struct opl_hash *sha256, uint64_t seq)
{
    db_array_bytes(&rows->column[ROWS_BLOB_REF][0], sha256->b, sizeof sha256->b);
    db_array_u64(&rows->column[ROWS_BLOB_REF][1], seq);
}

void rows_add_subject(struct rows *rows, const struct rows_subject *subject)
{
    struct db_array *column = rows->column[ROWS_SUBJECT];

    db_array_text(column++, subject->id);
    db_array_text(column++, subject->prefix);
    db_array_u64(column++, subject->number);
    db_array_text(column++, subject->kind);
    db_array_text(column++, subject->status);
    db_array_text(column++, subject->on);
    db_array_text(column++, subject->actor);
    db_array_text(column++, subject->model);
    db_array_text(column++, subject->target);
    db_array_u64(column++, subject->since_seq);
    db_array_u64(column++, subject->status_seq);
    db_array_u64(column++, subject->status_seq);
    db_array_i64(column++, subject->at);
    db_array_i64(column, subject->updated_at);
}

void rows_add_key(struct rows *rows, const struct rows_key *key)
{
    struct db_array *column = rows->column[ROWS_IDEMPOTENCY];

    db_array_text(column++, key->principal);
    db_array_text(column++, key->key);
    db_array_bytes(column++, key->digest->b, sizeof key->digest->b);
    db_array_u64(column++, key->first);
    db_array_u64(column++, key->count);
    db_array_u64(column++, key->size);
    db_array_i64(column, key->at);
}

static bool send_table(struct rows *rows, enum rows_table table, struct db_pipe *pipe,
                       struct opl_err *err)
{
    struct db_param params[ROWS_COLUMNS];
    size_t count = strlen(tables[table].types);

    for (size_t c = 0; c < count; c++)
        params[c] = db_array(&rows->column[table][c]);
    return db_pipe_send(pipe, tables[table].sql, (struct db_args){params, count}, NULL, err);
}

bool rows_send(struct rows *rows, struct db_pipe *pipe, struct opl_err *err)
{
    for (size_t t = 0; t < ROWS_TABLE_COUNT; t++) {
        if (rows_count(rows, t) > 0 && !send_table(rows, t, pipe, err))
            return false;
    }
    return true;
}

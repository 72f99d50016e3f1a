/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rows - what a group inserts, as one array per column, so that a table costs one statement.
 */
#ifndef OPLEDGER_SERVER_ROWS_H
#define OPLEDGER_SERVER_ROWS_H

#include <opledger/entry.h>

#include "db.h"

/* table, statement, column types in the statement's order (T text, I bigint, B bytes) */
#define ROWS_TABLES(X)                                                                             \
    X(ROWS_ENTRY, sql_entry_insert, "IBBTT")                                                    \
    X(ROWS_SEALED, sql_sealed_insert, "ITBT")                                                      \
    X(ROWS_TILE, sql_tile_insert, "IIB")                                                           \
    X(ROWS_SUBJECT, sql_subject_upsert, "TTITTTTTTIIIII")                                          \
    X(ROWS_IDEMPOTENCY, sql_idempotency_insert, "TTBIIII")                                         \
    X(ROWS_NONCE, sql_nonce_insert, "TI")                                                          \
    X(ROWS_BLOB_REF, sql_blob_ref_insert, "BI")

enum rows_table {

#define ROWS_ENUM(table, sql, types) table,
    ROWS_TABLES(ROWS_ENUM)
#undef ROWS_ENUM
        ROWS_TABLE_COUNT
};

#define ROWS_COLUMNS 14

struct rows {
    struct db_array column[ROWS_TABLE_COUNT][ROWS_COLUMNS];
};

void rows_init(struct rows *rows);
void rows_reset(struct rows *rows); /* empty, memory kept */
void rows_close(struct rows *rows);

/* How many rows a table has. */
size_t rows_count(const struct rows *rows, enum rows_table table);

void rows_add_entry(struct rows *rows, const struct opl_entry *entry, const struct opl_buf *bytes,
                    const struct opl_hash *leaf);
void rows_add_sealed(struct rows *rows, uint64_t seq, const struct opl_sealed *text);
void rows_add_tile(struct rows *rows, unsigned level, uint64_t index, const void *bytes,
                   size_t len);
void rows_add_nonce(struct rows *rows, const char *nonce, uint64_t seq);
void rows_add_blob_ref(struct rows *rows, const struct opl_hash *sha256, uint64_t seq);

/* A subject as lists show it; strings are borrowed until the rows are reset or sent. */
struct rows_subject {
    const char *id, *prefix, *kind, *status, *on, *actor, *model, *target; /* NULL: SQL NULL */
    uint64_t number, since_seq, status_seq;
    int64_t at, updated_at;
};

void rows_add_subject(struct rows *rows, const struct rows_subject *subject);

struct rows_key {
    const char *principal, *key;
    const struct opl_hash *digest;
    uint64_t first, count, size;
    int64_t at;
};

void rows_add_key(struct rows *rows, const struct rows_key *key);

/* Sends every table that has rows. */
OPL_MUST_CHECK bool rows_send(struct rows *rows, struct db_pipe *pipe, struct opl_err *err);

#endif

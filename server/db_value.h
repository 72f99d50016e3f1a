/* SPDX-License-Identifier: Apache-2.0 */
/*
 * db_value - typed values on their way into a statement and out of a row.
 *
 * Everything travels in PostgreSQL's binary format. A parameter borrows the bytes it points to
 * until the call that takes it returns. A row is read through the cursor of its db_rows.
 */
#ifndef OPLEDGER_SERVER_DB_VALUE_H
#define OPLEDGER_SERVER_DB_VALUE_H

#include <stdint.h>

#include <opledger/buf.h>
#include <opledger/crypto.h>

/* PostgreSQL's type numbers (pg_type.oid). Statements cast their parameters, so the C side must
 * match. */
enum db_type { DB_BOOL = 16, DB_BYTES = 17, DB_I64 = 20, DB_I32 = 23, DB_TEXT = 25 };

/* One parameter; made by the functions below. */
struct db_param {
    const void *data; /* NULL: the bytes stand in `scalar` */
    size_t len;
    uint8_t scalar[8];
    bool is_null;
    bool failed; /* out of range, or an array that found no memory: the statement is not sent */
};

struct db_args {
    const struct db_param *list;
    size_t count;
};

/* The parameters of one call: DB_ARGS(db_u64(seq), db_text(id)). */
#define DB_ARGS(...)                                                                               \
    ((struct db_args){(const struct db_param[]){__VA_ARGS__},                                      \
                      sizeof((const struct db_param[]){__VA_ARGS__}) / sizeof(struct db_param)})
#define DB_NO_ARGS ((struct db_args){NULL, 0})

struct db_param db_i64(int64_t value);
struct db_param db_u64(uint64_t value); /* as bigint; values above INT64_MAX become a failure */
struct db_param db_i32(int32_t value);
struct db_param db_bool(bool value);
struct db_param db_text(const char *text); /* NULL: SQL NULL */
struct db_param db_text_len(const char *text, size_t len);
struct db_param db_bytes(const void *bytes, size_t len);
struct db_param db_hash(const struct opl_hash *hash);
struct db_param db_null(void);

/*
 * A one-dimensional array built element by element, for statements that unnest() it: one round trip
 * and one plan for any number of rows. Sticky failure, as in opl_buf. Owned by the caller.
 */
struct db_array {
    struct opl_buf buf;
    enum db_type type;
    size_t count;
    bool has_null;
    bool failed; /* an element of another type, or out of range */
};

#define DB_ARRAY_INIT(element_type)                                                                \
    {                                                                                              \
        .type = (element_type)                                                                     \
    }

void db_array_i64(struct db_array *array, int64_t value);
void db_array_u64(struct db_array *array, uint64_t value);
void db_array_text(struct db_array *array, const char *text); /* NULL: SQL NULL */
void db_array_text_len(struct db_array *array, const char *text, size_t len);
void db_array_bytes(struct db_array *array, const void *bytes, size_t len);
void db_array_null(struct db_array *array);
void db_array_reset(struct db_array *array); /* empty again, memory kept */
void db_array_close(struct db_array *array); /* cleanup function */

/* The array as a parameter; borrows it, and no element may be added until the call is over. */
struct db_param db_array(struct db_array *array);

/* The rows of one reply. `= {0}` is empty; db_rows_close is the cleanup function. */
struct db_rows {
    void *result;
    size_t count;
    size_t next; /* the row that db_rows_next() makes current */
};

/* Moves to the first, then to each next row; false after the last. */
bool db_rows_next(struct db_rows *rows);
void db_rows_close(struct db_rows *rows);

/*
 * Columns of the current row, from 0. A NULL, or a column of another type, is OPL_E_INTERNAL; ask
 * db_is_null() first where NULL may stand. Bytes and text are borrowed until db_rows_close().
 */
bool db_is_null(const struct db_rows *rows, int column);
OPL_MUST_CHECK bool db_get_i64(const struct db_rows *rows, int column, int64_t *out,
                               struct opl_err *err);
OPL_MUST_CHECK bool db_get_u64(const struct db_rows *rows, int column, uint64_t *out,
                               struct opl_err *err);
OPL_MUST_CHECK bool db_get_i32(const struct db_rows *rows, int column, int32_t *out,
                               struct opl_err *err);
OPL_MUST_CHECK bool db_get_bool(const struct db_rows *rows, int column, bool *out,
                                struct opl_err *err);
OPL_MUST_CHECK bool db_get_bytes(const struct db_rows *rows, int column, const uint8_t **bytes,
                                 size_t *len, struct opl_err *err);
OPL_MUST_CHECK bool db_get_hash(const struct db_rows *rows, int column, struct opl_hash *out,
                                struct opl_err *err);
/* NUL-terminated; *text is NULL for SQL NULL, which is no failure here. */
OPL_MUST_CHECK bool db_get_text(const struct db_rows *rows, int column, const char **text,
                                struct opl_err *err);
/* A bigint[] without NULLs of at most `max` elements. */
OPL_MUST_CHECK bool db_get_i64s(const struct db_rows *rows, int column, int64_t *out, size_t max,
                                size_t *count, struct opl_err *err);

#endif

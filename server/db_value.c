/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Binary forms are those of PostgreSQL's *_send functions: integers big-endian, text and bytea as
 * they are. An array (array_send) is
 *     int32 dimensions, int32 has_null, int32 element oid, { int32 length, int32 lower bound },
 *     then per element int32 length (-1: NULL) and its bytes.
 */
#include "db_value.h"

#include <endian.h>

#include "db_cell.h"

#define ARRAY_HEAD 20 /* bytes before the first element */
#define ARRAY_MAX ((size_t)256 << 20)

static uint32_t read_u32(const uint8_t *bytes)
{
    uint32_t value;

    memcpy(&value, bytes, sizeof(value));
    return be32toh(value);
}

static uint64_t read_u64(const uint8_t *bytes)
{
    uint64_t value;

    memcpy(&value, bytes, sizeof(value));
    return be64toh(value);
}

static void write_u32(void *at, uint32_t value)
{
    value = htobe32(value);
    memcpy(at, &value, sizeof(value));
}

/* Parameters. */

struct db_param db_i64(int64_t value)
{
    struct db_param param = {.len = 8};
    uint64_t big = htobe64((uint64_t)value);

    memcpy(param.scalar, &big, sizeof(big));
    return param;
}

struct db_param db_u64(uint64_t value)
{
    struct db_param param = db_i64((int64_t)value);

    param.failed = value > INT64_MAX;
    return param;
}

struct db_param db_i32(int32_t value)
{
    struct db_param param = {.len = 4};

    write_u32(param.scalar, (uint32_t)value);
    return param;
}

struct db_param db_bool(bool value)
{
    return (struct db_param){.len = 1, .scalar = {value}};
}

struct db_param db_null(void)
{
    return (struct db_param){.is_null = true};
}

struct db_param db_bytes(const void *bytes, size_t len)
{
    return (struct db_param){.data = bytes, .len = len, .failed = len > INT32_MAX};
}

struct db_param db_text_len(const char *text, size_t len)
{
    return db_bytes(text, len);
}

struct db_param db_text(const char *text)
{
    return text ? db_text_len(text, strlen(text)) : db_null();
}

struct db_param db_hash(const struct opl_hash *hash)
{
    return db_bytes(hash->b, sizeof(hash->b));
}

/* Arrays. */

static bool array_head(struct db_array *array, enum db_type type)
{
    static const char room[ARRAY_HEAD];

    if (array->type != type)
        array->failed = true;
    if (!array->buf.max)
        array->buf.max = ARRAY_MAX;
    if (!array->buf.len)
        opl_buf_add(&array->buf, room, sizeof(room));
    return !array->failed;
}

static void array_add(struct db_array *array, enum db_type type, const void *bytes, size_t len)
{
    if (!array_head(array, type))
        return;
    array->failed = len > ARRAY_MAX;
    opl_buf_u32(&array->buf, (uint32_t)len);
    opl_buf_add(&array->buf, bytes, len);
    array->count++;
}

void db_array_i64(struct db_array *array, int64_t value)
{
    uint64_t big = htobe64((uint64_t)value);

    array_add(array, DB_I64, &big, sizeof(big));
}

void db_array_u64(struct db_array *array, uint64_t value)
{
    if (value > INT64_MAX)
        array->failed = true;
    db_array_i64(array, (int64_t)value);
}

void db_array_text_len(struct db_array *array, const char *text, size_t len)
{
    array_add(array, DB_TEXT, text, len);
}

void db_array_text(struct db_array *array, const char *text)
{
    if (text)
        db_array_text_len(array, text, strlen(text));
    else
        db_array_null(array);
}

void db_array_bytes(struct db_array *array, const void *bytes, size_t len)
{
    array_add(array, DB_BYTES, bytes, len);
}

void db_array_null(struct db_array *array)
{
    if (!array_head(array, array->type))
        return;
    opl_buf_u32(&array->buf, UINT32_MAX);
    array->has_null = true;
    array->count++;
}

void db_array_reset(struct db_array *array)
{
    opl_buf_reset(&array->buf);
    array->count = 0;
    array->has_null = false;
    array->failed = false;
}

void db_array_close(struct db_array *array)
{
    opl_buf_close(&array->buf);
    *array = (struct db_array){.type = array->type};
}

struct db_param db_array(struct db_array *array)
{
    char *head;

    if (!array_head(array, array->type) || array->buf.failed || array->count > INT32_MAX)
        return (struct db_param){.failed = true};

    head = array->buf.data;
    write_u32(head, 1);
    write_u32(head + 4, array->has_null);
    write_u32(head + 8, array->type);
    write_u32(head + 12, (uint32_t)array->count);
    write_u32(head + 16, 1);
    return db_bytes(head, array->buf.len);
}

/* Rows. */

bool db_rows_next(struct db_rows *rows)
{
    if (rows->next >= rows->count)
        return false;
    rows->next++;
    return true;
}

bool db_is_null(const struct db_rows *rows, int column)
{
    struct opl_err ignored = {0};
    struct db_cell cell;

    return !db_cell_at(rows, column, &cell, &ignored) || !cell.data;
}

/* A cell of this type and, unless size is 0, of exactly this many bytes. */
static bool typed_cell(const struct db_rows *rows, int column, const uint32_t oid, size_t size,
                       struct db_cell *cell, struct opl_err *err)
{
    if (!db_cell_at(rows, column, cell, err))
        return false;
    if (!cell->data)
        return opl_fail(err, OPL_E_INTERNAL, "database: column %d is NULL", column);
    if (cell->oid != oid || (size && cell->len != size))
        return opl_fail(err, OPL_E_INTERNAL,
                        "database: column %d has type %u and %zu bytes, not type %u", column,
                        cell->oid, cell->len, oid);
    return true;
}

bool db_get_i64(const struct db_rows *rows, int column, int64_t *out, struct opl_err *err)
{
    struct db_cell cell;

    if (!typed_cell(rows, column, DB_I64, 8, &cell, err))
        return false;
    *out = (int64_t)read_u64(cell.data);
    return true;
}

bool db_get_u64(const struct db_rows *rows, int column, uint64_t *out, struct opl_err *err)
{
    int64_t value;

    if (!db_get_i64(rows, column, &value, err))
        return false;
    if (value < 0)
        return opl_fail(err, OPL_E_INTERNAL, "database: column %d is negative", column);
    *out = (uint64_t)value;
    return true;
}

bool db_get_i32(const struct db_rows *rows, int column, int32_t *out, struct opl_err *err)
{
    struct db_cell cell;

    if (!typed_cell(rows, column, DB_I32, 4, &cell, err))
        return false;
    *out = (int32_t)read_u32(cell.data);
    return true;
}

bool db_get_bool(const struct db_rows *rows, int column, bool *out, struct opl_err *err)
{
    struct db_cell cell;

    if (!typed_cell(rows, column, DB_BOOL, 1, &cell, err))
        return false;
    *out = *cell.data != 0;
    return true;
}

bool db_get_bytes(const struct db_rows *rows, int column, const uint8_t **bytes, size_t *len,
                  struct opl_err *err)
{
    struct db_cell cell;

    if (!typed_cell(rows, column, DB_BYTES, 0, &cell, err))
        return false;
    *bytes = cell.data;
    *len = cell.len;
    return true;
}

bool db_get_hash(const struct db_rows *rows, int column, struct opl_hash *out, struct opl_err *err)
{
    struct db_cell cell;

    if (!typed_cell(rows, column, DB_BYTES, sizeof(out->b), &cell, err))
        return false;
    memcpy(out->b, cell.data, sizeof(out->b));
    return true;
}

bool db_get_text(const struct db_rows *rows, int column, const char **text, struct opl_err *err)
{
    struct db_cell cell;

    if (!db_cell_at(rows, column, &cell, err))
        return false;
    if (cell.data && !typed_cell(rows, column, DB_TEXT, 0, &cell, err))
        return false;
    *text = (const char *)cell.data;
    return true;
}

static bool one_i64(const uint8_t *at, const uint8_t *end, int64_t *out)
{
    if (end - at < 12 || read_u32(at) != 8)
        return false;
    *out = (int64_t)read_u64(at + 4);
    return true;
}

bool db_get_i64s(const struct db_rows *rows, int column, int64_t *out, size_t max, size_t *count,
                 struct opl_err *err)
{
    const uint32_t array_oid = 1016; /* bigint[] */
    struct db_cell cell;
    size_t n;

    if (!typed_cell(rows, column, array_oid, 0, &cell, err))
        return false;
    n = cell.len < ARRAY_HEAD || read_u32(cell.data) != 1 ? 0 : read_u32(cell.data + 12);
    if (n > max)
        return opl_fail(err, OPL_E_INTERNAL, "database: column %d has %zu elements, %zu at most",
                        column, n, max);
    for (size_t i = 0; i < n; i++)
        if (!one_i64(cell.data + ARRAY_HEAD + 12 * i, cell.data + cell.len, &out[i]))
            return opl_fail(err, OPL_E_INTERNAL, "database: column %d has an element that is NULL",
                            column);
    *count = n;
    return true;
}

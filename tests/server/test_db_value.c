/* SPDX-License-Identifier: Apache-2.0 */
#include "pg.h"
#include "unit.h"

static struct pg *server;
static struct db *db;

static int start(void **state)
{
    server = pg_start();
    db = pg_connect(server, NULL, "postgres");
    return unit_start(state);
}

static int stop(void **state)
{
    (void)state;
    db_free(db);
    pg_stop(server);
    return 0;
}

static void scalars_come_back_as_they_went(void **state)
{
    static const struct sql sql = {
        "scalars", "SELECT $1::bigint, $2::integer, $3::boolean, $4::text, $5::bytea, $6::bigint"};
    OPL_CLEANUP(db_rows_close) struct db_rows rows = {0};
    const struct opl_hash hash = {
        {1, 0, 255}
    };
    struct opl_hash hash_back;
    const char *text;
    int64_t big, least;
    int32_t small;
    bool yes;

    (void)state;
    assert_ok(db_fetch_one(db, &sql,
                           DB_ARGS(db_u64(INT64_MAX), db_i32(-7), db_bool(true), db_text("Grüße"),
                                   db_hash(&hash), db_i64(INT64_MIN)),
                           &rows, err));
    assert_ok(db_get_i64(&rows, 0, &big, err) && db_get_i32(&rows, 1, &small, err) &&
              db_get_bool(&rows, 2, &yes, err) && db_get_text(&rows, 3, &text, err) &&
              db_get_hash(&rows, 4, &hash_back, err) && db_get_i64(&rows, 5, &least, err));
    assert_true(big == INT64_MAX && least == INT64_MIN && small == -7 && yes);
    assert_string_equal(text, "Grüße");
    assert_true(opl_hash_equal(&hash, &hash_back));
}

static void bytes_may_hold_nul_and_be_empty(void **state)
{
    static const struct sql sql = {"bytes", "SELECT $1::bytea, $2::bytea, $3::text"};
    OPL_CLEANUP(db_rows_close) struct db_rows rows = {0};
    const uint8_t *bytes, *none;
    const char *text;
    size_t len, none_len;

    (void)state;
    assert_ok(db_fetch_one(db, &sql,
                           DB_ARGS(db_bytes("a\0b", 3), db_bytes("", 0), db_text_len("xyz", 2)),
                           &rows, err));
    assert_ok(db_get_bytes(&rows, 0, &bytes, &len, err) &&
              db_get_bytes(&rows, 1, &none, &none_len, err) && db_get_text(&rows, 2, &text, err));
    assert_int_equal(len, 3);
    assert_memory_equal(bytes, "a\0b", 3);
    assert_int_equal(none_len, 0);
    assert_string_equal(text, "xy");
}

static void null_is_told_from_empty(void **state)
{
    static const struct sql sql = {"nulls", "SELECT $1::text, $2::text, $3::bigint"};
    OPL_CLEANUP(db_rows_close) struct db_rows rows = {0};
    const char *absent, *empty;
    int64_t number;

    (void)state;
    assert_ok(db_fetch_one(db, &sql, DB_ARGS(db_text(NULL), db_text(""), db_null()), &rows, err));
    assert_ok(db_get_text(&rows, 0, &absent, err) && db_get_text(&rows, 1, &empty, err));
    assert_null(absent);
    assert_string_equal(empty, "");
    assert_true(db_is_null(&rows, 2));
    assert_fails(db_get_i64(&rows, 2, &number, err), OPL_E_INTERNAL);
}

static void a_column_of_another_type_is_refused(void **state)
{
    static const struct sql sql = {"types",
                                   "SELECT 1::integer, 'x'::text, '\\x00'::bytea, -1::bigint"};
    OPL_CLEANUP(db_rows_close) struct db_rows rows = {0};
    struct opl_hash hash;
    const uint8_t *bytes;
    uint64_t natural;
    int64_t number;
    size_t len;

    (void)state;
    assert_ok(db_fetch_one(db, &sql, DB_NO_ARGS, &rows, err));
    assert_fails(db_get_i64(&rows, 0, &number, err), OPL_E_INTERNAL);
    assert_fails(db_get_bytes(&rows, 1, &bytes, &len, err), OPL_E_INTERNAL);
    assert_fails(db_get_hash(&rows, 2, &hash, err), OPL_E_INTERNAL);
    assert_fails(db_get_u64(&rows, 3, &natural, err), OPL_E_INTERNAL);
    assert_fails(db_get_i64(&rows, 4, &number, err), OPL_E_INTERNAL);
}

static void a_number_above_bigint_is_not_sent(void **state)
{
    static const struct sql sql = {"above", "SELECT $1::bigint"};

    (void)state;
    assert_fails(db_exec(db, &sql, DB_ARGS(db_u64((uint64_t)INT64_MAX + 1)), err), OPL_E_NOMEM);
}

static void arrays_unnest_into_rows(void **state)
{
    static const struct sql sql = {
        "unnest", "SELECT * FROM unnest($1::bigint[], $2::text[], $3::bytea[]) AS t (a, b, c)"};
    OPL_CLEANUP(db_array_close) struct db_array numbers = DB_ARRAY_INIT(DB_I64);
    OPL_CLEANUP(db_array_close) struct db_array texts = DB_ARRAY_INIT(DB_TEXT);
    OPL_CLEANUP(db_array_close) struct db_array bytes = DB_ARRAY_INIT(DB_BYTES);
    OPL_CLEANUP(db_rows_close) struct db_rows rows = {0};
    const char *text;
    int64_t number;
    int seen = 0;

    (void)state;
    for (int i = 0; i < 1000; i++) {
        db_array_i64(&numbers, i);
        db_array_text(&texts, i % 2 ? "odd" : NULL);
        db_array_bytes(&bytes, "\0\1", 2);
    }
    assert_ok(db_fetch(db, &sql, DB_ARGS(db_array(&numbers), db_array(&texts), db_array(&bytes)),
                       &rows, err));
    while (db_rows_next(&rows)) {
        assert_ok(db_get_i64(&rows, 0, &number, err) && db_get_text(&rows, 1, &text, err));
        assert_int_equal(number, seen);
        assert_true(seen % 2 ? text && !strcmp(text, "odd") : !text);
        seen++;
    }
    assert_int_equal(seen, 1000);
}

static void an_empty_array_unnests_into_nothing(void **state)
{
    static const struct sql sql = {"empty", "SELECT unnest($1::bytea[])"};
    OPL_CLEANUP(db_array_close) struct db_array array = DB_ARRAY_INIT(DB_BYTES);
    OPL_CLEANUP(db_rows_close) struct db_rows rows = {0};

    (void)state;
    assert_ok(db_fetch(db, &sql, DB_ARGS(db_array(&array)), &rows, err));
    assert_int_equal(rows.count, 0);
    db_array_null(&array);
    db_array_reset(&array);
    assert_ok(db_fetch(db, &sql, DB_ARGS(db_array(&array)), &rows, err));
    assert_int_equal(rows.count, 0);
}

static void an_array_of_mixed_types_is_not_sent(void **state)
{
    static const struct sql sql = {"mixed", "SELECT unnest($1::bigint[])"};
    OPL_CLEANUP(db_array_close) struct db_array array = DB_ARRAY_INIT(DB_I64);

    (void)state;
    db_array_text(&array, "x");
    assert_fails(db_exec(db, &sql, DB_ARGS(db_array(&array)), err), OPL_E_NOMEM);
}

static void bigint_arrays_are_read_within_their_bound(void **state)
{
    static const struct sql sql = {
        "i64s", "SELECT ARRAY[1, -2, 3]::bigint[], '{}'::bigint[], ARRAY[NULL]::bigint[]"};
    OPL_CLEANUP(db_rows_close) struct db_rows rows = {0};
    int64_t out[3];
    size_t count;

    (void)state;
    assert_ok(db_fetch_one(db, &sql, DB_NO_ARGS, &rows, err));
    assert_ok(db_get_i64s(&rows, 0, out, 3, &count, err));
    assert_true(count == 3 && out[0] == 1 && out[1] == -2 && out[2] == 3);
    assert_ok(db_get_i64s(&rows, 1, out, 3, &count, err));
    assert_int_equal(count, 0);
    assert_fails(db_get_i64s(&rows, 0, out, 2, &count, err), OPL_E_INTERNAL);
    assert_fails(db_get_i64s(&rows, 2, out, 3, &count, err), OPL_E_INTERNAL);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(scalars_come_back_as_they_went),
    cmocka_unit_test(bytes_may_hold_nul_and_be_empty),
    cmocka_unit_test(null_is_told_from_empty),
    cmocka_unit_test(a_column_of_another_type_is_refused),
    cmocka_unit_test(a_number_above_bigint_is_not_sent),
    cmocka_unit_test(arrays_unnest_into_rows),
    cmocka_unit_test(an_empty_array_unnests_into_nothing),
    cmocka_unit_test(an_array_of_mixed_types_is_not_sent),
    cmocka_unit_test(bigint_arrays_are_read_within_their_bound),
};

int main(void)
{
    return cmocka_run_group_tests(tests, start, stop);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "server/rows.h"

static void columns_of_a_table_grow_together(void **state)
{
    const struct opl_hash hash = {{0}};
    const struct rows_key key = {.principal = "a", .key = "k", .digest = &hash, .count = 1};
    const struct rows_subject subject = {
        .id = "inc-1", .prefix = "inc", .kind = "k", .status = "open", .actor = "a"};
    struct rows rows;

    (void)state;
    rows_init(&rows);
    rows_add_tile(&rows, 0, 3, hash.b, sizeof hash.b);
    rows_add_nonce(&rows, "n", 1);
    rows_add_blob_ref(&rows, &hash, 1);
    rows_add_key(&rows, &key);
    rows_add_subject(&rows, &subject);
    for (size_t t = 0; t < ROWS_TABLE_COUNT; t++) {
        for (size_t c = 0; c < ROWS_COLUMNS; c++)
            assert_false(rows.column[t][c].failed);
    }
    for (size_t c = 0; c < ROWS_COLUMNS; c++)
        assert_int_equal(rows.column[ROWS_SUBJECT][c].count, 1);
    assert_int_equal(rows_count(&rows, ROWS_ENTRY), 0);
    rows_reset(&rows);
    for (size_t t = 0; t < ROWS_TABLE_COUNT; t++)
        assert_int_equal(rows_count(&rows, (enum rows_table)t), 0);
    rows_close(&rows);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(columns_of_a_table_grow_together),
};

UNIT_MAIN(tests)

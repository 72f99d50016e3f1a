/* SPDX-License-Identifier: Apache-2.0 */
/* Entries as rows and as replies. */
#include "unit.h"

#include <opledger/json.h>

#include "queries.h"
#include "server/entry_json.h"
#include "server/entry_row.h"
#include "testlog.h"

static struct testlog *log_;

static int start(void **state)
{
    (void)state;
    assert_ok(opl_crypto_init(err));
    log_ = testlog_start();
    testlog_add(log_,
                "{\"kind\":\"incident.opened\",\"body\":{\"title\":\"t\",\"severity\":\"low\"}}");
    testlog_notes(log_, 5);
    return 0;
}

static int stop(void **state)
{
    (void)state;
    testlog_stop(log_);
    return 0;
}

static void an_entry_is_read_and_parsed(void **state)
{
    OPL_CLEANUP(db_rows_close) struct db_rows rows = {0};
    OPL_CLEANUP(opl_entry_close) struct opl_entry entry = {0};

    (void)state;
    assert_ok(db_fetch_one(log_->db, &sql_entry_by_seq, DB_ARGS(db_u64(1)), &rows, err));
    assert_ok(entry_row_read(&rows, &entry, err));
    assert_string_equal(entry.id, "inc-1");
    assert_string_equal(entry.actor, "admin");
}

static void replies_carry_bytes_and_texts(void **state)
{
    OPL_CLEANUP(db_rows_close) struct db_rows rows = {0};
    OPL_CLEANUP(opl_buf_close) struct opl_buf out = {0};
    OPL_CLEANUP(opl_json_freep) json_t *list = NULL;
    const json_t *texts;
    size_t count;

    (void)state;
    assert_ok(db_fetch(log_->db, &sql_entry_range, DB_ARGS(db_u64(0), db_u64(100), db_u64(100)),
                       &rows, err));
    assert_ok(entry_json_add(log_->db, &rows, &out, &count, err));
    assert_int_equal(count, 7);
    list = opl_json_parse(out.data, out.len, NULL);
    assert_int_equal(json_array_size(list), 7);
    texts = json_object_get(json_array_get(list, 1), "texts");
    assert_string_equal(opl_json_str(json_object_get(texts, "/body/title"), "text"), "t");
    assert_int_equal(json_object_size(json_object_get(json_array_get(list, 0), "texts")), 0);
}

static void edited_bytes_are_not_given_out(void **state)
{
    OPL_CLEANUP(db_rows_close) struct db_rows rows = {0};
    OPL_CLEANUP(opl_buf_close) struct opl_buf out = {0};
    size_t count;

    (void)state;
    pg_sql(log_->pg, "UPDATE entry SET bytes = overlay(bytes placing 'x' from 12) WHERE seq = 3");
    assert_ok(db_fetch(log_->db, &sql_entry_by_seq, DB_ARGS(db_u64(3)), &rows, err));
    assert_fails(entry_json_add(log_->db, &rows, &out, &count, err), OPL_E_LOG);
}

/* The registry would not see a revoked key that is filed under a subject. */
static void an_entry_filed_under_another_subject_is_no_entry(void **state)
{
    static const struct sql filed[] = {
        {"filed_id",      "SELECT seq, bytes, leaf, 'inc-9'::text, NULL::text FROM entry WHERE seq = 1"},
        {"filed_on",
         "SELECT seq, bytes, leaf, 'inc-1'::text, 'inc-1'::text FROM entry WHERE seq = 1"              },
        {"filed_as_none",
         "SELECT seq, bytes, leaf, NULL::text, NULL::text FROM entry WHERE seq = 1"                    },
    };

    (void)state;
    for (size_t i = 0; i < sizeof filed / sizeof *filed; i++) {
        OPL_CLEANUP(db_rows_close) struct db_rows rows = {0};
        OPL_CLEANUP(opl_entry_close) struct opl_entry entry = {0};

        assert_ok(db_fetch_one(log_->db, &filed[i], DB_NO_ARGS, &rows, err));
        assert_fails(entry_row_read(&rows, &entry, err), OPL_E_LOG);
    }
}

/* That a misfiled one is found is shown where somebody can misfile it: tests/e2e/tamper.py. */
static void a_well_filed_log_is_not_accused(void **state)
{
    OPL_CLEANUP(db_rows_close) struct db_rows rows = {0};

    (void)state;
    assert_ok(db_fetch(log_->db, &sql_entry_misfiled, DB_ARGS(db_u64(0), db_u64(100)), &rows, err));
    assert_int_equal(rows.count, 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(an_entry_is_read_and_parsed),
    cmocka_unit_test(replies_carry_bytes_and_texts),
    cmocka_unit_test(edited_bytes_are_not_given_out),
    cmocka_unit_test(an_entry_filed_under_another_subject_is_no_entry),
    cmocka_unit_test(a_well_filed_log_is_not_accused),
};

int main(void)
{
    return cmocka_run_group_tests(tests, start, stop);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include <signal.h>

#include "pg.h"
#include "unit.h"

static const struct sql insert = {"insert", "INSERT INTO number VALUES ($1::bigint)"};
static const struct sql count = {"count", "SELECT count(*) FROM number"};
static const struct sql broken = {"broken", "SELECT 1 / $1::bigint"};
static const struct sql one = {"one", "SELECT 1::bigint"};

static struct pg *server;
static struct db *db;

static int start(void **state)
{
    server = pg_start_migrated();
    pg_sql(server, "CREATE TABLE number (n bigint PRIMARY KEY);"
                   "CREATE TABLE last_words (n bigint);"
                   "CREATE FUNCTION leave() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
                   "PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(5); "
                   "RETURN NULL; END $$;"
                   "CREATE CONSTRAINT TRIGGER t AFTER INSERT ON last_words DEFERRABLE INITIALLY "
                   "DEFERRED FOR EACH ROW EXECUTE FUNCTION leave();"
                   "CREATE TABLE picky (n bigint REFERENCES number DEFERRABLE INITIALLY DEFERRED)");
    return unit_start(state);
}

static int stop(void **state)
{
    (void)state;
    pg_stop(server);
    return 0;
}

static int setup(void **state)
{
    (void)state;
    pg_sql(server, "TRUNCATE number, picky, last_words");
    db = pg_connect(server, NULL, NULL);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    db_freep(&db);
    return 0;
}

static int64_t numbers(void)
{
    OPL_CLEANUP(db_rows_close) struct db_rows rows = {0};
    int64_t n = -1;

    assert_ok(db_fetch_one(db, &count, DB_NO_ARGS, &rows, err) && db_get_i64(&rows, 0, &n, err));
    return n;
}

static void an_error_names_statement_and_constraint_and_no_data(void **state)
{
    struct opl_err failure = {0};

    (void)state;
    assert_ok(db_exec(db, &insert, DB_ARGS(db_i64(4711)), err));
    assert_false(db_exec(db, &insert, DB_ARGS(db_i64(4711)), &failure));
    assert_int_equal(failure.code, OPL_E_INTERNAL);
    assert_non_null(strstr(failure.text, "insert: "));
    assert_non_null(strstr(failure.text, "23505, constraint number_pkey"));
    assert_null(strstr(failure.text, "4711"));
    assert_string_equal(db_sqlstate(db), "23505");
    assert_int_equal(numbers(), 1);
}

static void a_full_disk_is_told_from_other_errors(void **state)
{
    static const struct sql full = {
        "full", "DO $$ BEGIN RAISE EXCEPTION 'x' USING ERRCODE = '53100'; END $$"};

    (void)state;
    assert_fails(db_exec(db, &full, DB_NO_ARGS, err), OPL_E_STORAGE);
}

static void a_row_that_is_absent_or_double_is_said(void **state)
{
    static const struct sql none = {"none", "SELECT 1 WHERE false"};
    static const struct sql two = {"two", "VALUES (1), (2)"};
    OPL_CLEANUP(db_rows_close) struct db_rows rows = {0};

    (void)state;
    assert_fails(db_fetch_one(db, &none, DB_NO_ARGS, &rows, err), OPL_E_NOT_FOUND);
    assert_fails(db_fetch_one(db, &two, DB_NO_ARGS, &rows, err), OPL_E_INTERNAL);
}

static void waiting_for_a_lock_ends(void **state)
{
    static const struct sql lock = {"lock", "LOCK TABLE number"};
    OPL_CLEANUP(db_freep) struct db *other = pg_connect(server, NULL, NULL);
    OPL_CLEANUP(db_txn_close) struct db_txn txn = {0};

    (void)state;
    assert_ok(db_begin(&txn, other, err) && db_exec(other, &lock, DB_NO_ARGS, err));
    assert_fails(db_exec(db, &insert, DB_ARGS(db_i64(1)), err), OPL_E_TIMED_OUT);
}

static void weaker_durability_is_not_accepted(void **state)
{
    static const struct sql show = {"show", "SELECT current_setting('synchronous_commit')"};
    OPL_CLEANUP(db_rows_close) struct db_rows rows = {0};
    const char *text;

    (void)state;
    pg_sql(server, "ALTER ROLE postgres SET synchronous_commit = off");
    assert_ok(db_fetch_one(db, &show, DB_NO_ARGS, &rows, err) && db_get_text(&rows, 0, &text, err));
    assert_string_equal(text, "on");
    pg_sql(server, "ALTER ROLE postgres RESET synchronous_commit");
}

static void a_transaction_left_open_is_rolled_back(void **state)
{
    (void)state;
    {
        OPL_CLEANUP(db_txn_close) struct db_txn txn = {0};

        assert_ok(db_begin(&txn, db, err) && db_exec(db, &insert, DB_ARGS(db_i64(1)), err));
    }
    assert_int_equal(numbers(), 0);
}

static void a_committed_transaction_stays(void **state)
{
    OPL_CLEANUP(db_txn_close) struct db_txn txn = {0};
    enum db_outcome outcome = DB_UNKNOWN;

    (void)state;
    assert_ok(db_begin(&txn, db, err) && db_exec(db, &insert, DB_ARGS(db_i64(1)), err));
    assert_ok(db_commit(&txn, &outcome, err));
    assert_int_equal(outcome, DB_COMMITTED);
    assert_int_equal(numbers(), 1);
}

static void commit_after_a_failure_reports_the_rollback(void **state)
{
    OPL_CLEANUP(db_txn_close) struct db_txn txn = {0};
    enum db_outcome outcome = DB_UNKNOWN;

    (void)state;
    assert_ok(db_begin(&txn, db, err) && db_exec(db, &insert, DB_ARGS(db_i64(1)), err));
    assert_fails(db_exec(db, &broken, DB_ARGS(db_i64(0)), err), OPL_E_INTERNAL);
    assert_fails(db_commit(&txn, &outcome, err), OPL_E_INTERNAL);
    assert_int_equal(outcome, DB_ROLLED_BACK);
    assert_int_equal(numbers(), 0);
}

static void a_snapshot_does_not_write(void **state)
{
    OPL_CLEANUP(db_txn_close) struct db_txn txn = {0};

    (void)state;
    assert_ok(db_begin_snapshot(&txn, db, err));
    assert_false(db_exec(db, &insert, DB_ARGS(db_i64(1)), NULL));
    assert_string_equal(db_sqlstate(db), "25006");
}

static void a_pipeline_commits_many_statements(void **state)
{
    enum db_outcome outcome = DB_UNKNOWN;

    (void)state;
    {
        OPL_CLEANUP(db_txn_close) struct db_txn txn = {0};
        OPL_CLEANUP(db_pipe_close) struct db_pipe pipe = {0};
        OPL_CLEANUP(db_rows_close) struct db_rows rows = {0};
        int64_t n = 0;

        assert_ok(db_pipe_open(&pipe, db, err) && db_pipe_begin(&pipe, &txn, err) &&
                  db_pipe_send(&pipe, &count, DB_NO_ARGS, &rows, err) && db_pipe_sync(&pipe, err));
        assert_true(db_rows_next(&rows));
        assert_ok(db_get_i64(&rows, 0, &n, err));
        assert_int_equal(n, 0);
        for (int i = 0; i < 200; i++)
            assert_ok(db_pipe_send(&pipe, &insert, DB_ARGS(db_i64(i)), NULL, err));
        assert_ok(db_pipe_send(&pipe, &count, DB_NO_ARGS, &rows, err));
        assert_ok(db_pipe_commit(&pipe, &txn, &outcome, err));
        assert_true(db_rows_next(&rows));
        assert_ok(db_get_i64(&rows, 0, &n, err));
        assert_int_equal(n, 200);
    }
    assert_int_equal(outcome, DB_COMMITTED);
    assert_int_equal(numbers(), 200);
}

static void a_failure_in_a_pipeline_takes_everything_back(void **state)
{
    enum db_outcome outcome = DB_UNKNOWN;
    uint64_t generation = 0;

    (void)state;
    {
        OPL_CLEANUP(db_txn_close) struct db_txn txn = {0};
        OPL_CLEANUP(db_pipe_close) struct db_pipe pipe = {0};

        assert_ok(db_pipe_open(&pipe, db, err) && db_pipe_begin(&pipe, &txn, err));
        generation = db_generation(db);
        assert_ok(db_pipe_send(&pipe, &insert, DB_ARGS(db_i64(1)), NULL, err) &&
                  db_pipe_send(&pipe, &broken, DB_ARGS(db_i64(0)), NULL, err) &&
                  db_pipe_send(&pipe, &one, DB_NO_ARGS, NULL, err));
        assert_fails(db_pipe_commit(&pipe, &txn, &outcome, err), OPL_E_INTERNAL);
        assert_int_equal(outcome, DB_ROLLED_BACK);
    }
    assert_int_equal(numbers(), 0);
    assert_ok(db_exec(db, &one, DB_NO_ARGS, err)); /* it was skipped, so not prepared */
    assert_int_equal(db_generation(db), generation);
}

static void a_pipeline_goes_on_after_an_error(void **state)
{
    OPL_CLEANUP(db_pipe_close) struct db_pipe pipe = {0};

    (void)state;
    assert_ok(db_pipe_open(&pipe, db, err) &&
              db_pipe_send(&pipe, &broken, DB_ARGS(db_i64(0)), NULL, err));
    assert_fails(db_pipe_sync(&pipe, err), OPL_E_INTERNAL);
    assert_ok(db_pipe_send(&pipe, &broken, DB_ARGS(db_i64(1)), NULL, err) &&
              db_pipe_sync(&pipe, err));
}

static void a_constraint_that_fails_at_commit_is_no_commit(void **state)
{
    static const struct sql pick = {"pick", "INSERT INTO picky VALUES (1)"};
    OPL_CLEANUP(db_txn_close) struct db_txn txn = {0};
    OPL_CLEANUP(db_pipe_close) struct db_pipe pipe = {0};
    enum db_outcome outcome = DB_UNKNOWN;

    (void)state;
    assert_ok(db_pipe_open(&pipe, db, err) && db_pipe_begin(&pipe, &txn, err) &&
              db_pipe_send(&pipe, &pick, DB_NO_ARGS, NULL, err));
    assert_fails(db_pipe_commit(&pipe, &txn, &outcome, err), OPL_E_INTERNAL);
    assert_int_equal(outcome, DB_ROLLED_BACK);
}

static const struct sql leave = {"leave", "INSERT INTO last_words VALUES (1)"};

static void a_connection_lost_during_commit_leaves_the_outcome_unknown(void **state)
{
    enum db_outcome outcome = DB_COMMITTED;

    (void)state;
    {
        OPL_CLEANUP(db_txn_close) struct db_txn txn = {0};

        assert_ok(db_begin(&txn, db, err) && db_exec(db, &leave, DB_NO_ARGS, err));
        assert_fails(db_commit(&txn, &outcome, err), OPL_E_UNAVAILABLE);
        assert_int_equal(outcome, DB_UNKNOWN);
    }
    assert_int_equal(numbers(), 0); /* connected anew */
}

static void the_same_in_a_pipeline(void **state)
{
    enum db_outcome outcome = DB_COMMITTED;

    (void)state;
    {
        OPL_CLEANUP(db_txn_close) struct db_txn txn = {0};
        OPL_CLEANUP(db_pipe_close) struct db_pipe pipe = {0};

        assert_ok(db_pipe_open(&pipe, db, err) && db_pipe_begin(&pipe, &txn, err) &&
                  db_pipe_send(&pipe, &leave, DB_NO_ARGS, NULL, err));
        assert_fails(db_pipe_commit(&pipe, &txn, &outcome, err), OPL_E_UNAVAILABLE);
        assert_int_equal(outcome, DB_UNKNOWN);
    }
    assert_int_equal(numbers(), 0);
}

static void an_idle_connection_to_a_restarted_server_is_replaced(void **state)
{
    uint64_t generation;

    (void)state;
    assert_int_equal(numbers(), 0);
    generation = db_generation(db);
    pg_kill(server, SIGQUIT);
    pg_again(server);
    assert_int_equal(numbers(), 0);
    assert_int_equal(db_generation(db), generation + 1);
}

static void a_server_that_is_away_is_said_and_found_again(void **state)
{
    (void)state;
    assert_int_equal(numbers(), 0);
    pg_kill(server, SIGKILL);
    assert_fails(db_exec(db, &one, DB_NO_ARGS, err), OPL_E_UNAVAILABLE);
    assert_fails(db_exec(db, &one, DB_NO_ARGS, err), OPL_E_UNAVAILABLE);
    pg_again(server);
    assert_ok(db_exec(db, &one, DB_NO_ARGS, err));
}

static void a_transaction_does_not_survive_its_connection(void **state)
{
    (void)state;
    {
        OPL_CLEANUP(db_txn_close) struct db_txn txn = {0};

        assert_ok(db_begin(&txn, db, err) && db_exec(db, &insert, DB_ARGS(db_i64(1)), err));
        pg_kill(server, SIGQUIT);
        pg_again(server);
        assert_fails(db_exec(db, &insert, DB_ARGS(db_i64(2)), err), OPL_E_UNAVAILABLE);
        assert_fails(db_exec(db, &insert, DB_ARGS(db_i64(3)), err), OPL_E_UNAVAILABLE);
    }
    assert_int_equal(numbers(), 0);
}

#define with_db(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

static const struct CMUnitTest tests[] = {
    with_db(an_error_names_statement_and_constraint_and_no_data),
    with_db(a_full_disk_is_told_from_other_errors),
    with_db(a_row_that_is_absent_or_double_is_said),
    with_db(waiting_for_a_lock_ends),
    with_db(weaker_durability_is_not_accepted),
    with_db(a_transaction_left_open_is_rolled_back),
    with_db(a_committed_transaction_stays),
    with_db(commit_after_a_failure_reports_the_rollback),
    with_db(a_snapshot_does_not_write),
    with_db(a_pipeline_commits_many_statements),
    with_db(a_failure_in_a_pipeline_takes_everything_back),
    with_db(a_pipeline_goes_on_after_an_error),
    with_db(a_constraint_that_fails_at_commit_is_no_commit),
    with_db(a_connection_lost_during_commit_leaves_the_outcome_unknown),
    with_db(the_same_in_a_pipeline),
    with_db(an_idle_connection_to_a_restarted_server_is_replaced),
    with_db(a_server_that_is_away_is_said_and_found_again),
    with_db(a_transaction_does_not_survive_its_connection),
};

int main(void)
{
    return cmocka_run_group_tests(tests, start, stop);
}

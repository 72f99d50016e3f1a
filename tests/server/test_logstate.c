/* SPDX-License-Identifier: Apache-2.0 */
/* A database that was turned back, forked or edited is noticed before anything is signed again. */
#include "unit.h"

#include "testlog.h"

#define OPENED "{\"kind\":\"incident.opened\",\"body\":{\"title\":\"t\",\"severity\":\"low\"}}"

static struct testlog *log_;

static int start(void **state)
{
    (void)state;
    assert_ok(opl_crypto_init(err));
    log_ = testlog_start();
    testlog_add(log_, OPENED);
    testlog_add(log_, OPENED);
    return 0;
}

static int stop(void **state)
{
    (void)state;
    testlog_stop(log_);
    return 0;
}

static void write_is_refused(enum opl_code code)
{
    struct write *write = testlog_write("", (const char *const[]){OPENED, NULL});

    assert_fails(testlog_run(log_, write, err), code);
    write_free(write);
}

/* Runs `spoil`, expects a refusal, then runs `mend` and expects writes to go on. */
static void noticed(const char *spoil, const char *mend)
{
    pg_sql(log_->pg, "CREATE TABLE IF NOT EXISTS kept AS SELECT * FROM checkpoint WHERE false;"
                     "TRUNCATE kept; INSERT INTO kept SELECT * FROM checkpoint");
    pg_sql(log_->pg, spoil);
    write_is_refused(OPL_E_LOG);
    assert_fails(sequencer_is_well(log_->sequencer, err), OPL_E_LOG);
    pg_sql(log_->pg, mend);
    testlog_add(log_, OPENED);
    assert_ok(sequencer_is_well(log_->sequencer, err));
}

#define RESTORE "TRUNCATE checkpoint; INSERT INTO checkpoint SELECT * FROM kept"

static void a_smaller_log(void **state)
{
    (void)state;
    noticed("DELETE FROM checkpoint WHERE size = (SELECT max(size) FROM checkpoint)", RESTORE);
}

static void an_empty_log(void **state)
{
    (void)state;
    noticed("TRUNCATE checkpoint", RESTORE);
}

static void another_root(void **state)
{
    (void)state;
    noticed("UPDATE checkpoint SET root = sha256('x') "
            "WHERE size = (SELECT max(size) FROM checkpoint)",
            RESTORE);
}

static void a_larger_head_that_nobody_signed(void **state)
{
    (void)state;
    noticed("INSERT INTO checkpoint SELECT size + 1, root, edge, counters, at, note "
            "FROM checkpoint ORDER BY size DESC LIMIT 1",
            RESTORE);
}

static void a_restart_over_an_edited_head(void **state)
{
    (void)state;
    testlog_pause(log_);
    pg_sql(log_->pg, "TRUNCATE kept; INSERT INTO kept SELECT * FROM checkpoint");
    pg_sql(log_->pg, "UPDATE checkpoint SET edge = edge || edge "
                     "WHERE size = (SELECT max(size) FROM checkpoint)");
    assert_fails(testlog_resume(log_, err), OPL_E_LOG);
    pg_sql(log_->pg, RESTORE);
    assert_ok(testlog_resume(log_, err));
}

static void a_restart_over_an_edited_registry_entry(void **state)
{
    (void)state;
    testlog_pause(log_);
    pg_sql(log_->pg, "UPDATE entry SET bytes = replace(convert_from(bytes, 'UTF8'), 'recorder', "
                     "'reviewer')::bytea WHERE seq = 0");
    assert_fails(testlog_resume(log_, err), OPL_E_LOG);
    pg_sql(log_->pg, "UPDATE entry SET bytes = replace(convert_from(bytes, 'UTF8'), 'reviewer', "
                     "'recorder')::bytea WHERE seq = 0");
    assert_ok(testlog_resume(log_, err));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_smaller_log),
    cmocka_unit_test(an_empty_log),
    cmocka_unit_test(another_root),
    cmocka_unit_test(a_larger_head_that_nobody_signed),
    cmocka_unit_test(a_restart_over_an_edited_head),
    cmocka_unit_test(a_restart_over_an_edited_registry_entry),
};

int main(void)
{
    return cmocka_run_group_tests(tests, start, stop);
}

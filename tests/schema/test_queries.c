/* SPDX-License-Identifier: Apache-2.0 */
#include "queries.h"

#include "pg.h"
#include "unit.h"

static struct pg *server;
static struct db *db;

static int start(void **state)
{
    server = pg_start_migrated();
    db = pg_connect(server, NULL, NULL);
    return unit_start(state);
}

static int stop(void **state)
{
    (void)state;
    db_free(db);
    pg_stop(server);
    return 0;
}

static void every_query_is_prepared_by_a_migrated_database(void **state)
{
    (void)state;
    for (const struct sql *const *sql = sql_all; *sql; sql++)
        assert_ok(db_prepare(db, *sql, err));
}

static void every_query_begins_with_a_comment(void **state)
{
    (void)state;
    for (const struct sql *const *sql = sql_all; *sql; sql++)
        if (strncmp((*sql)->text, "-- ", 3) != 0)
            fail_msg("%s has no comment", (*sql)->name);
}

static int parameters(const char *text)
{
    int most = 0;

    while ((text = strchr(text, '$'))) {
        int n = (int)strtol(++text, NULL, 10);

        most = n > most ? n : most;
    }
    return most;
}

/* "EXPLAIN EXECUTE x (NULL, ...)" of a plan made for any parameters. */
static void explain(const struct sql *sql, struct opl_buf *plan)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};
    OPL_CLEANUP(db_rows_close) struct db_rows rows = {0};
    struct sql statement = {"explain", NULL};
    int count = parameters(sql->text);
    const char *line;

    opl_buf_fmt(&text, "DEALLOCATE ALL; PREPARE x AS %s", sql->text);
    assert_ok(db_script(db, sql->name, text.data, err));
    opl_buf_reset(&text);
    opl_buf_str(&text, "EXPLAIN EXECUTE x");
    for (int i = 0; i < count; i++)
        opl_buf_str(&text, i ? ", NULL" : " (NULL");
    opl_buf_str(&text, count ? ")" : "");
    statement.text = text.data;
    assert_ok(db_fetch(db, &statement, DB_NO_ARGS, &rows, err));
    while (db_rows_next(&rows)) {
        assert_ok(db_get_text(&rows, 0, &line, err));
        opl_buf_fmt(plan, "%s\n", line);
    }
}

/* Each word after "Index:" or "Indexes:" up to the full stop or parenthesis. */
static void check_indexes(const struct sql *sql, const char *names)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf plan = {0};
    char name[64];
    int used;

    db_disconnect(db);
    assert_ok(db_script(db, "settings",
                        "SET enable_seqscan = off; SET enable_bitmapscan = off; "
                        "SET plan_cache_mode = force_generic_plan",
                        err));
    explain(sql, &plan);
    while (sscanf(names, " %63[a-z_]%n", name, &used) == 1) {
        if (!strstr(plan.data, name))
            fail_msg("%s does not use %s:\n%s", sql->name, name, plan.data);
        names += used;
        if (*names == ',')
            names++;
        else
            break;
    }
}

static void every_query_uses_the_index_that_it_names(void **state)
{
    int checked = 0;

    (void)state;
    for (const struct sql *const *sql = sql_all; *sql; sql++) {
        const char *at = strstr((*sql)->text, "Index: ");
        const char *all = strstr((*sql)->text, "Indexes: ");

        if (!at && !all)
            continue;
        check_indexes(*sql, at ? at + strlen("Index: ") : all + strlen("Indexes: "));
        checked++;
    }
    assert_true(checked >= 18);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_query_is_prepared_by_a_migrated_database),
    cmocka_unit_test(every_query_begins_with_a_comment),
    cmocka_unit_test(every_query_uses_the_index_that_it_names),
};

int main(void)
{
    return cmocka_run_group_tests(tests, start, stop);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "server/migrate.h"

#include "pg.h"
#include "unit.h"

static struct pg *server;

static int start(void **state)
{
    server = pg_start_migrated();
    return unit_start(state);
}

static int stop(void **state)
{
    (void)state;
    pg_stop(server);
    return 0;
}

static void a_fresh_database_is_brought_to_the_newest_schema(void **state)
{
    OPL_CLEANUP(db_freep) struct db *service = pg_connect(server, "opledger_service", NULL);
    struct migrate_state at;

    (void)state;
    assert_ok(migrate_check(service, &at, err));
    assert_true(at.version >= 3);
    assert_int_equal(at.version, at.wanted);
}

static void running_it_again_changes_nothing(void **state)
{
    OPL_CLEANUP(db_freep) struct db *owner = pg_connect(server, "opledger_owner", NULL);
    struct migrate_state at;

    (void)state;
    pg_sql(server, "ALTER ROLE opledger_owner LOGIN");
    assert_ok(migrate_run(owner, &at, err));
    assert_int_equal(at.version, at.wanted);
}

static void tables_belong_to_the_owner_role(void **state)
{
    static const struct sql strangers = {
        "strangers", "SELECT count(*) FROM pg_class c JOIN pg_roles r ON r.oid = c.relowner "
                     "WHERE c.relnamespace = 'public'::regnamespace AND r.rolname <> "
                     "'opledger_owner'"};
    OPL_CLEANUP(db_freep) struct db *db = pg_connect(server, NULL, NULL);
    OPL_CLEANUP(db_rows_close) struct db_rows rows = {0};
    int64_t count = -1;

    (void)state;
    assert_ok(db_fetch_one(db, &strangers, DB_NO_ARGS, &rows, err) &&
              db_get_i64(&rows, 0, &count, err));
    assert_int_equal(count, 0);
}

static void only_the_two_roles_may_connect(void **state)
{
    OPL_CLEANUP(db_freep) struct db *stranger = pg_connect(server, "stranger", NULL);

    (void)state;
    pg_sql(server, "CREATE ROLE stranger LOGIN");
    assert_fails(db_connect(stranger, err), OPL_E_UNAVAILABLE);
}

static void a_newer_schema_is_refused_with_the_remedy(void **state)
{
    OPL_CLEANUP(db_freep) struct db *db = pg_connect(server, NULL, NULL);
    struct migrate_state at;
    struct opl_err failure = {0};

    (void)state;
    pg_sql(server,
           "INSERT INTO schema_version VALUES (9999, 'x', '\\x00' || repeat('a', 31)::bytea)");
    assert_false(migrate_run(db, &at, &failure));
    assert_int_equal(failure.code, OPL_E_CONFIG);
    assert_non_null(strstr(failure.text, "schema 9999"));
    assert_true(failure.hint[0]);
    assert_fails(migrate_check(db, &at, err), OPL_E_CONFIG);
    pg_sql(server, "DELETE FROM schema_version WHERE version = 9999");
}

static void a_migration_that_changed_after_it_ran_is_refused(void **state)
{
    OPL_CLEANUP(db_freep) struct db *db = pg_connect(server, NULL, NULL);
    struct migrate_state at;

    (void)state;
    pg_sql(server,
           "UPDATE schema_version SET digest = set_byte(digest, 0, get_byte(digest, 0) # 1) "
           "WHERE version = 1");
    assert_fails(migrate_check(db, &at, err), OPL_E_CONFIG);
    pg_sql(server,
           "UPDATE schema_version SET digest = set_byte(digest, 0, get_byte(digest, 0) # 1) "
           "WHERE version = 1");
    assert_ok(migrate_check(db, &at, err));
}

static void a_database_without_schema_names_the_command(void **state)
{
    OPL_CLEANUP(db_freep) struct db *db = pg_connect(server, NULL, "postgres");
    struct migrate_state at;
    struct opl_err failure = {0};

    (void)state;
    assert_false(migrate_check(db, &at, &failure));
    assert_int_equal(failure.code, OPL_E_CONFIG);
    assert_non_null(strstr(failure.hint, "opledgerd migrate"));
}

static void a_role_without_the_right_is_told_what_to_do(void **state)
{
    OPL_CLEANUP(db_freep) struct db *service = pg_connect(server, "opledger_service", NULL);
    struct migrate_state at;
    struct opl_err failure = {0};

    (void)state;
    assert_false(migrate_run(service, &at, &failure));
    assert_int_equal(failure.code, OPL_E_CONFIG);
    assert_true(failure.hint[0]);
}

static void the_owner_of_a_sites_database_needs_no_superuser(void **state)
{
    OPL_CLEANUP(db_freep) struct db *owner = pg_connect(server, "opledger_owner", "site");
    OPL_CLEANUP(db_freep) struct db *service = pg_connect(server, "opledger_service", "site");
    struct migrate_state at;

    (void)state;
    pg_sql(server, "ALTER ROLE opledger_owner LOGIN");
    pg_sql(server, "CREATE DATABASE site OWNER opledger_owner TEMPLATE template0 ENCODING 'UTF8'");
    assert_ok(migrate_run(owner, &at, err));
    assert_ok(migrate_check(service, &at, err));
}

static void another_encoding_is_refused(void **state)
{
    OPL_CLEANUP(db_freep) struct db *db = pg_connect(server, NULL, "latin");
    struct migrate_state at;

    (void)state;
    pg_sql(server, "CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1'");
    assert_fails(migrate_run(db, &at, err), OPL_E_CONFIG);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_fresh_database_is_brought_to_the_newest_schema),
    cmocka_unit_test(running_it_again_changes_nothing),
    cmocka_unit_test(tables_belong_to_the_owner_role),
    cmocka_unit_test(only_the_two_roles_may_connect),
    cmocka_unit_test(a_newer_schema_is_refused_with_the_remedy),
    cmocka_unit_test(a_migration_that_changed_after_it_ran_is_refused),
    cmocka_unit_test(a_database_without_schema_names_the_command),
    cmocka_unit_test(a_role_without_the_right_is_told_what_to_do),
    cmocka_unit_test(the_owner_of_a_sites_database_needs_no_superuser),
    cmocka_unit_test(another_encoding_is_refused),
};

int main(void)
{
    return cmocka_run_group_tests(tests, start, stop);
}

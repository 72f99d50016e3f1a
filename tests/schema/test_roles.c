/* SPDX-License-Identifier: Apache-2.0 */
#include "pg.h"
#include "unit.h"

static const char *const log_tables[] = {"entry", "sealed",         "checkpoint",    "tile",
                                         "nonce", "blob_ref",       "blob_chunk",    "blob_upload",
                                         "blob",  "blob_collected", "schema_version"};
#define LOG_TABLES (sizeof(log_tables) / sizeof(*log_tables))

static struct pg *server;
static struct db *service;

static int start(void **state)
{
    server = pg_start_migrated();
    service = pg_connect(server, "opledger_service", NULL);
    pg_sql(server, "INSERT INTO entry VALUES (0, 'x', repeat('a', 32)::bytea, 'inc-1', NULL)");
    return unit_start(state);
}

static int stop(void **state)
{
    (void)state;
    db_free(service);
    pg_stop(server);
    return 0;
}

static void refuse(const char *fmt, const char *table)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};
    struct opl_err failure = {0};

    opl_buf_fmt(&text, "%s %s", fmt, table);
    if (db_script(service, "refused", text.data, &failure))
        fail_msg("the service may: %s", text.data);
    assert_string_equal(db_sqlstate(service), "42501");
}

static void the_service_cannot_delete_from_the_log(void **state)
{
    (void)state;
    for (size_t i = 0; i < LOG_TABLES; i++)
        refuse("DELETE FROM", log_tables[i]);
}

static void the_service_cannot_truncate_the_log(void **state)
{
    (void)state;
    for (size_t i = 0; i < LOG_TABLES; i++)
        refuse("TRUNCATE", log_tables[i]);
    refuse("TRUNCATE", "idempotency");
}

static void the_service_cannot_update_the_log(void **state)
{
    (void)state;
    refuse("UPDATE entry SET", "bytes = 'y'");
    refuse("UPDATE entry SET", "seq = 7");
    refuse("UPDATE sealed SET", "text = 'y'");
    refuse("UPDATE checkpoint SET", "note = 'y'");
    refuse("UPDATE tile SET", "n = 1");
    refuse("UPDATE nonce SET", "seq = 1");
    refuse("UPDATE blob_ref SET", "seq = 1");
    refuse("UPDATE blob_chunk SET", "data = 'y'");
    refuse("UPDATE blob_upload SET", "at = now()");
    refuse("UPDATE blob SET", "upload = 1");
    refuse("UPDATE idempotency SET", "digest = 'y'");
    refuse("UPDATE schema_version SET", "version = 9");
}

static void the_service_cannot_change_the_schema(void **state)
{
    (void)state;
    refuse("DROP TABLE", "entry");
    refuse("ALTER TABLE entry DISABLE TRIGGER", "ALL");
    refuse("CREATE TABLE public.mine", "(a int)");
    refuse("SET ROLE", "opledger_owner");
    refuse("CREATE OR REPLACE FUNCTION public.blob_collect(bytea) RETURNS boolean",
           "LANGUAGE sql AS 'SELECT true'");
}

static void the_service_may_add_to_the_log_and_read_it(void **state)
{
    (void)state;
    assert_ok(db_script(service, "add",
                        "INSERT INTO entry VALUES (1, 'x', repeat('b', 32)::bytea, NULL, NULL); "
                        "SELECT * FROM entry, sealed, checkpoint, tile, nonce",
                        err));
}

static void the_service_may_rebuild_projections(void **state)
{
    (void)state;
    assert_ok(db_script(service, "projections",
                        "DELETE FROM subject; "
                        "DELETE FROM idempotency WHERE at < 0",
                        err));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_service_cannot_delete_from_the_log),
    cmocka_unit_test(the_service_cannot_truncate_the_log),
    cmocka_unit_test(the_service_cannot_update_the_log),
    cmocka_unit_test(the_service_cannot_change_the_schema),
    cmocka_unit_test(the_service_may_add_to_the_log_and_read_it),
    cmocka_unit_test(the_service_may_rebuild_projections),
};

int main(void)
{
    return cmocka_run_group_tests(tests, start, stop);
}

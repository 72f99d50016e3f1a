/* SPDX-License-Identifier: Apache-2.0 */
#include "server/storage.h"

#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pg.h"
#include "unit.h"

static struct pg *server;
static char dir[64];
static char site[256];

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
    (void)st;
    (void)type;
    (void)at;
    return remove(path);
}

static int start(void **state)
{
    server = pg_start();
    snprintf(dir, sizeof(dir), "/tmp/opledger-stor-XXXXXX");
    log_setup(LOG_LEVEL_WARN, LOG_FORMAT_TEXT, fileno(tmpfile()));
    return mkdtemp(dir) ? unit_start(state) : -1;
}

static int stop(void **state)
{
    (void)state;
    pg_stop(server);
    return nftw(dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static const char *site_as(const char *role, const char *database)
{
    snprintf(site, sizeof(site), "host=%s user=%s dbname=%s", pg_socket(server), role, database);
    return site;
}

static void configure(struct config *config, const char *db)
{
    const char *const argv[] = {"opledgerd", "--data", dir, "--db", db, NULL};

    assert_ok(config_read(config, 5, (char *const *)argv, err));
}

/* The session that is served must not be able to. */
static void refuse(struct db *db, const char *sql)
{
    struct opl_err failure = {0};

    if (db_script(db, "refused", sql, &failure))
        fail_msg("the service may: %s", sql);
    assert_string_equal(db_sqlstate(db), "42501");
}

static void the_embedded_database_is_ready_for_the_service(void **state)
{
    OPL_CLEANUP(config_close) struct config config = {0};
    OPL_CLEANUP(db_freep) struct db *db = NULL;
    struct migrate_state at;
    struct storage storage;

    (void)state;
    configure(&config, "");
    assert_ok(storage_open(&storage, &config, err));
    assert_ok(storage_keep(&storage, err));
    db = db_new(&(struct db_options){.conninfo = storage.conninfo});
    assert_ok(migrate_check(db, &at, err));
    refuse(db, "UPDATE entry SET bytes = 'x'");
    refuse(db, "DELETE FROM entry");
    refuse(db, "SET ROLE opledger_owner");
    db_freep(&db);
    storage_close(&storage);
}

static void a_folder_in_use_is_refused(void **state)
{
    OPL_CLEANUP(config_close) struct config config = {0};
    OPL_CLEANUP(lockfile_close) struct lockfile lock = {0};
    struct storage storage;

    (void)state;
    configure(&config, "");
    assert_ok(lockfile_take(&lock, dir, err));
    assert_fails(storage_open(&storage, &config, err), OPL_E_CONFIG);
    assert_null(storage.postgres);
}

static void a_sites_database_is_migrated_by_its_owner_and_then_served(void **state)
{
    OPL_CLEANUP(config_close) struct config owner = {0}, service = {0};
    OPL_CLEANUP(db_freep) struct db *admin = pg_connect(server, NULL, "postgres");
    struct migrate_state at;
    struct storage storage;
    struct opl_err failure = {0};

    (void)state;
    assert_ok(db_script(admin, "roles",
                        "CREATE ROLE opledger_owner LOGIN; "
                        "CREATE ROLE opledger_service LOGIN",
                        err) &&
              db_script(admin, "database",
                        "CREATE DATABASE ledger OWNER opledger_owner "
                        "TEMPLATE template0 ENCODING 'UTF8'",
                        err));
    configure(&service, site_as("opledger_service", "ledger"));
    assert_false(storage_open(&storage, &service, &failure));
    assert_int_equal(failure.code, OPL_E_CONFIG);
    assert_non_null(strstr(failure.hint, "opledgerd migrate"));

    configure(&owner, site_as("opledger_owner", "ledger"));
    assert_ok(storage_migrate(&owner, &at, err));
    assert_ok(storage_open(&storage, &service, err));
    assert_null(storage.postgres);
    storage_close(&storage);
}

/* Each is a login that could rewrite the log; what is granted is taken back again. */
static void a_login_that_could_rewrite_the_log_is_not_served_with(void **state)
{
    static const struct {
        const char *grant, *login, *says;
    } logins[] = {
        {"SELECT",                                                                             "postgres",         "is a superuser"      },
        {"SELECT",                                                                             "opledger_owner",   "owns tables"         },
        {"CREATE ROLE chief SUPERUSER; GRANT chief TO opledger_service",                       "opledger_service",
         "may become a superuser"                                                                                                        },
        {"REVOKE chief FROM opledger_service; ALTER ROLE opledger_service CREATEROLE",
         "opledger_service",                                                                                       "any other role"      },
        {"ALTER ROLE opledger_service NOCREATEROLE; GRANT opledger_owner TO opledger_service",
         "opledger_service",                                                                                       "owns tables"         },
        {"REVOKE opledger_owner FROM opledger_service; GRANT UPDATE (bytes) ON entry TO "
         "opledger_service",                                                          "opledger_service", "may change or remove"},
        {"REVOKE UPDATE (bytes) ON entry FROM opledger_service; GRANT DELETE ON sealed TO "
         "opledger_service",                                                          "opledger_service", "may change or remove"},
        {"REVOKE DELETE ON sealed FROM opledger_service; GRANT pg_write_all_data TO "
         "opledger_service",                                                          "opledger_service", "may change or remove"},
    };
    OPL_CLEANUP(db_freep) struct db *admin = pg_connect(server, NULL, "ledger");

    (void)state;
    for (size_t i = 0; i < sizeof(logins) / sizeof(*logins); i++) {
        OPL_CLEANUP(config_close) struct config config = {0};
        struct storage storage;
        struct opl_err failure = {0};

        assert_ok(db_script(admin, "grant", logins[i].grant, err));
        configure(&config, site_as(logins[i].login, "ledger"));
        assert_false(storage_open(&storage, &config, &failure));
        assert_int_equal(opl_code_exit(failure.code), 2);
        assert_non_null(strstr(failure.text, logins[i].says));
        assert_non_null(strstr(failure.hint, "user=opledger_service"));
    }
    assert_ok(db_script(admin, "revoke", "REVOKE pg_write_all_data FROM opledger_service", err));
}

static void a_superuser_that_takes_the_services_role_is_still_one(void **state)
{
    OPL_CLEANUP(config_close) struct config config = {0};
    struct storage storage;
    char disguised[512];

    (void)state;
    snprintf(disguised, sizeof(disguised), "%s options='-c role=opledger_service'",
             site_as("postgres", "ledger"));
    configure(&config, disguised);
    assert_fails(storage_open(&storage, &config, err), OPL_E_CONFIG);
}

static void a_sites_server_that_is_away_is_said(void **state)
{
    OPL_CLEANUP(config_close) struct config config = {0};
    struct storage storage;

    (void)state;
    configure(&config, "host=/nonexistent dbname=x");
    assert_fails(storage_open(&storage, &config, err), OPL_E_UNAVAILABLE);
}

static void migrate_without_a_database_is_a_mistake_of_usage(void **state)
{
    OPL_CLEANUP(config_close) struct config config = {0};
    struct migrate_state at;

    (void)state;
    configure(&config, "");
    assert_fails(storage_migrate(&config, &at, err), OPL_E_USAGE);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_embedded_database_is_ready_for_the_service),
    cmocka_unit_test(a_folder_in_use_is_refused),
    cmocka_unit_test(a_sites_database_is_migrated_by_its_owner_and_then_served),
    cmocka_unit_test(a_login_that_could_rewrite_the_log_is_not_served_with),
    cmocka_unit_test(a_superuser_that_takes_the_services_role_is_still_one),
    cmocka_unit_test(a_sites_server_that_is_away_is_said),
    cmocka_unit_test(migrate_without_a_database_is_a_mistake_of_usage),
};

int main(void)
{
    return cmocka_run_group_tests(tests, start, stop);
}

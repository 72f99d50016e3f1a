/* SPDX-License-Identifier: Apache-2.0 */
#include "migrate.h"

#include <opledger/embedded.h>

#include "db_value.h"
#include "queries.h"

#define MIN_SERVER 150000
#define MIGRATE_COMMAND "opledgerd migrate --db CONNINFO"

struct applied {
    int version;
    struct opl_hash digest;
};

static int file_version(const struct embedded_file *file)
{
    return (int)strtol(file->path, NULL, 10);
}

static int newest_version(void)
{
    int newest = 0;

    for (const struct embedded_file *file = embedded_migrations; file->path; file++)
        if (file_version(file) > newest)
            newest = file_version(file);
    return newest;
}

static const struct embedded_file *file_of(int version)
{
    for (const struct embedded_file *file = embedded_migrations; file->path; file++)
        if (file_version(file) == version)
            return file;
    return NULL;
}

/* Encoding and version, and whether there is a schema at all. */
static bool check_facts(struct db *db, bool *has_schema, struct opl_err *err)
{
    OPL_CLEANUP(db_rows_close) struct db_rows rows = {0};
    const char *encoding;
    int32_t version;

    if (!db_fetch_one(db, &sql_database_facts, DB_NO_ARGS, &rows, err) ||
        !db_get_text(&rows, 0, &encoding, err) || !db_get_i32(&rows, 1, &version, err) ||
        !db_get_bool(&rows, 2, has_schema, err))
        return false;
    if (strcmp(encoding, "UTF8") != 0) {
        opl_fail(err, OPL_E_CONFIG, "the database's encoding is %s, not UTF8", encoding);
        return opl_hint(err, "createdb -O %s -T template0 -E UTF8 NAME", "opledger_owner");
    }
    if (version < MIN_SERVER)
        return opl_fail(err, OPL_E_CONFIG, "the server is PostgreSQL %d, 15 or newer is needed",
                        version / 10000);
    return true;
}

static bool check_applied(const struct applied *applied, struct opl_err *err)
{
    const struct embedded_file *file = file_of(applied->version);
    struct opl_hash digest;

    if (!file) {
        opl_fail(err, OPL_E_CONFIG,
                 "the database has schema %d, this program knows schemas up to %d",
                 applied->version, newest_version());
        return opl_hint(err, "install the opledgerd that made it, or a newer one");
    }
    opl_sha256(file->text, file->len, &digest);
    if (opl_hash_equal(&digest, &applied->digest))
        return true;
    opl_fail(err, OPL_E_CONFIG, "migration %s is not the one that made this database", file->path);
    return opl_hint(err, "install the opledgerd that made it; a migration never changes");
}

/* *version is the last that ran, every one that ran being ours and unchanged. */
static bool read_version(struct db *db, int *version, struct opl_err *err)
{
    OPL_CLEANUP(db_rows_close) struct db_rows rows = {0};
    struct applied applied;

    *version = 0;
    if (!db_fetch(db, &sql_version_list, DB_NO_ARGS, &rows, err))
        return false;
    while (db_rows_next(&rows)) {
        if (!db_get_i32(&rows, 0, &applied.version, err) ||
            !db_get_hash(&rows, 2, &applied.digest, err) || !check_applied(&applied, err))
            return false;
        *version = applied.version;
    }
    return true;
}

static bool run_file(struct db *db, const struct embedded_file *file, struct opl_err *err)
{
    OPL_CLEANUP(db_txn_close) struct db_txn txn = {0};
    struct opl_hash digest;

    opl_sha256(file->text, file->len, &digest);
    return db_begin(&txn, db, err) && db_script(db, file->path, file->text, err) &&
           db_exec(db, &sql_version_insert,
                   DB_ARGS(db_i32(file_version(file)), db_text(file->path), db_hash(&digest)),
                   err) &&
           db_commit(&txn, NULL, err);
}

/* Files stand in the order of their numbers. */
static bool run_due(struct db *db, struct migrate_state *state, struct opl_err *err)
{
    for (const struct embedded_file *file = embedded_migrations; file->path; file++) {
        if (file_version(file) <= state->version)
            continue;
        if (!run_file(db, file, err))
            return false;
        state->version = file_version(file);
    }
    return true;
}

static bool ensure_roles(struct db *db, struct opl_err *err)
{
    if (db_exec(db, &sql_role_ensure, DB_NO_ARGS, err) &&
        db_exec(db, &sql_database_ensure, DB_NO_ARGS, err))
        return true;
    if (strcmp(db_sqlstate(db), "42501") != 0)
        return false;
    *err = (struct opl_err){0};
    opl_fail(err, OPL_E_CONFIG, "this database role may not make the roles that opledger needs");
    return opl_hint(err, "as a superuser: CREATE ROLE opledger_owner LOGIN; CREATE ROLE "
                         "opledger_service LOGIN; ALTER DATABASE ... OWNER TO opledger_owner");
}

static bool become_owner(struct db *db, struct opl_err *err)
{
    if (db_exec(db, &sql_owner_assume, DB_NO_ARGS, err))
        return true;
    if (strcmp(db_sqlstate(db), "42501") != 0)
        return false;
    *err = (struct opl_err){0};
    opl_fail(err, OPL_E_CONFIG, "this database role is not opledger_owner and may not become it");
    return opl_hint(err, "connect as opledger_owner, or as a superuser: " MIGRATE_COMMAND);
}

static bool migrate(struct db *db, struct migrate_state *state, struct opl_err *err)
{
    bool has_schema;

    if (!check_facts(db, &has_schema, err) || !ensure_roles(db, err) || !become_owner(db, err))
        return false;
    return (!has_schema || read_version(db, &state->version, err)) && run_due(db, state, err);
}

bool migrate_run(struct db *db, struct migrate_state *state, struct opl_err *err)
{
    *state = (struct migrate_state){.wanted = newest_version()};
    if (db_exec(db, &sql_migrate_lock, DB_NO_ARGS, err) && migrate(db, state, err) &&
        db_exec(db, &sql_owner_leave, DB_NO_ARGS, err) &&
        db_exec(db, &sql_migrate_unlock, DB_NO_ARGS, err))
        return true;
    db_disconnect(db); /* which drops lock and role */
    return false;
}

bool migrate_check(struct db *db, struct migrate_state *state, struct opl_err *err)
{
    bool has_schema;

    *state = (struct migrate_state){.wanted = newest_version()};
    if (!check_facts(db, &has_schema, err) ||
        (has_schema && !read_version(db, &state->version, err)))
        return false;
    if (state->version == state->wanted)
        return true;
    opl_fail(err, OPL_E_CONFIG, "the database has schema %d, this program needs %d", state->version,
             state->wanted);
    return opl_hint(err, MIGRATE_COMMAND);
}

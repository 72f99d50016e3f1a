/* SPDX-License-Identifier: Apache-2.0 */
#include "storage.h"

#include <unistd.h>

#include "disk.h"
#include "ledger.h"
#include "queries.h"

static struct db *connection(const char *conninfo, struct opl_err *err)
{
    const struct db_options options = {.conninfo = conninfo, .application = "opledgerd start"};
    struct db *db = db_new(&options);

    if (!db)
        opl_fail(err, OPL_E_NOMEM, "no memory");
    return db;
}

static bool keep_conninfo(struct storage *storage, const char *conninfo, struct opl_err *err)
{
    storage->conninfo = strdup(conninfo);
    return storage->conninfo || opl_fail(err, OPL_E_NOMEM, "no memory");
}

/* A cluster is never made for a log that has begun elsewhere, or was lost. */
static bool may_make_cluster(const char *data, struct opl_err *err)
{
    char path[4096];

    if (snprintf(path, sizeof path, "%s/postgres", data) >= (int)sizeof path)
        return opl_fail(err, OPL_E_CONFIG, "the path of the data folder is too long");
    return access(path, F_OK) == 0 || ledger_may_begin(data, err);
}

static bool open_embedded(struct storage *storage, const struct config *config, struct opl_err *err)
{
    OPL_CLEANUP(db_freep) struct db *db = NULL;
    struct migrate_state state;

    if (!may_make_cluster(config->data, err) ||
        !postgres_start(&storage->postgres, config->data, config->pg_bin, err))
        return false;
    log_info("postgresql is up", LOG_S("conninfo", postgres_admin_conninfo(storage->postgres)),
             LOG_S("adopted", postgres_was_adopted(storage->postgres) ? "yes" : "no"));
    db = connection(postgres_admin_conninfo(storage->postgres), err);
    return db && migrate_run(db, &state, err) &&
           keep_conninfo(storage, postgres_conninfo(storage->postgres), err);
}

/* Whoever can rewrite the log could do so unseen for a while: such a login is not served with. */
static bool check_rights(struct db *db, struct opl_err *err)
{
    OPL_CLEANUP(db_rows_close) struct db_rows rows = {0};
    const char *login, *reason;

    if (!db_fetch_one(db, &sql_role_rights, DB_NO_ARGS, &rows, err) ||
        !db_get_text(&rows, 0, &login, err) || !db_get_text(&rows, 1, &reason, err))
        return false;
    if (reason == NULL)
        return true;
    opl_fail(err, OPL_E_CONFIG, "the database login %s %s: the log would not be safe from it",
             login, reason);
    return opl_hint(err, "--db 'host=... dbname=... user=" POSTGRES_SERVICE
                         "'; the owner's login is for opledgerd migrate (docs/guides/operator.md)");
}

static bool open_site(struct storage *storage, const struct config *config, struct opl_err *err)
{
    OPL_CLEANUP(db_freep) struct db *db = connection(config->db, err);
    struct migrate_state state;

    return db && migrate_check(db, &state, err) && check_rights(db, err) &&
           keep_conninfo(storage, config->db, err);
}

bool storage_open(struct storage *storage, const struct config *config, struct opl_err *err)
{
    *storage = (struct storage){0};
    if (disk_prepare(config->data, err) && lockfile_take(&storage->lock, config->data, err) &&
        (config->db[0] ? open_site(storage, config, err) : open_embedded(storage, config, err)))
        return true;
    storage_close(storage);
    return false;
}

bool storage_keep(struct storage *storage, struct opl_err *err)
{
    return !storage->postgres || postgres_keep(storage->postgres, err);
}

void storage_close(struct storage *storage)
{
    struct opl_err err = {0};

    if (storage->postgres && !postgres_stop(storage->postgres, &err))
        log_err(LOG_LEVEL_WARN, "postgresql left running", &err);
    postgres_free(storage->postgres);
    free(storage->conninfo);
    lockfile_close(&storage->lock);
    *storage = (struct storage){0};
}

bool storage_migrate(const struct config *config, struct migrate_state *state, struct opl_err *err)
{
    OPL_CLEANUP(db_freep) struct db *db = NULL;

    if (!config->db[0]) {
        opl_fail(err, OPL_E_USAGE, "migrate needs --db; an embedded database is migrated at start");
        return opl_hint(err, "opledgerd migrate --db CONNINFO");
    }
    db = connection(config->db, err);
    return db && migrate_run(db, state, err);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * storage - what opledgerd stands on: the data folder with its lock, and the database, be it the
 * embedded cluster or the site's own server, with the schema that this program needs.
 */
#ifndef OPLEDGER_SERVER_STORAGE_H
#define OPLEDGER_SERVER_STORAGE_H

#include "config.h"
#include "lockfile.h"
#include "migrate.h"
#include "postgres.h"

struct storage {
    struct lockfile lock;
    struct postgres *postgres; /* NULL: the site's own server */
    char *conninfo;            /* of the service role: what connections are made with */
};

/*
 * Prepares and locks the data folder, starts or adopts the embedded cluster and migrates it; or
 * checks the site's schema, which its owner migrates. On failure all is let go again. Codes as of
 * disk_prepare, lockfile_take, postgres_start, migrate_run and migrate_check.
 */
OPL_MUST_CHECK bool storage_open(struct storage *storage, const struct config *config,
                                 struct opl_err *err);

/* From the main loop, every second: starts an embedded server that died. */
OPL_MUST_CHECK bool storage_keep(struct storage *storage, struct opl_err *err);

/* Stops the embedded cluster and drops the lock. After every connection is closed. */
void storage_close(struct storage *storage);

/* `opledgerd migrate --db CONNINFO`: OPL_E_USAGE without one. */
OPL_MUST_CHECK bool storage_migrate(const struct config *config, struct migrate_state *state,
                                    struct opl_err *err);

#endif

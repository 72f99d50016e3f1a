/* SPDX-License-Identifier: Apache-2.0 */
/*
 * postgres - the embedded PostgreSQL cluster in DIR/postgres.
 *
 * Made on first start, owned by the OS user `postgres` when we are root (initdb refuses root), else
 * by ourselves. It listens on a Unix socket only; peer authentication with an ident map lets root
 * and the owner in as the cluster's roles and nobody else. It survives a kill -9 of opledgerd and
 * is then adopted by the next start. The caller holds the lock of DIR (lockfile.h).
 */
#ifndef OPLEDGER_SERVER_POSTGRES_H
#define OPLEDGER_SERVER_POSTGRES_H

#include <opledger/err.h>

#define POSTGRES_MIN_VERSION 15
#define POSTGRES_DATABASE "opledger"
#define POSTGRES_OWNER "opledger_owner"     /* owns the tables, migrates */
#define POSTGRES_SERVICE "opledger_service" /* what opledgerd runs as */

struct postgres;

/*
 * Creates, starts or adopts the cluster, waits until it answers, sees to roles and database, and
 * writes DIR/postgres.conninfo. bin_dir NULL: looked for. OPL_E_CONFIG, with the remedy as hint,
 * for what a person must mend; OPL_E_UNAVAILABLE when it does not come up within 30 s;
 * OPL_E_STORAGE.
 */
OPL_MUST_CHECK bool postgres_start(struct postgres **postgres, const char *data_dir,
                                   const char *bin_dir, struct opl_err *err);

/* Conninfo of the service role, and of the cluster's superuser (for migrations). Borrowed. */
const char *postgres_conninfo(const struct postgres *postgres);
const char *postgres_admin_conninfo(const struct postgres *postgres);

/* Whether the server process lives, and whether this start found it running. */
bool postgres_is_running(struct postgres *postgres);
bool postgres_was_adopted(const struct postgres *postgres);

/* Starts it again when it has died; nothing to do when it lives. For the main loop, every second.
 */
OPL_MUST_CHECK bool postgres_keep(struct postgres *postgres, struct opl_err *err);

/* Fast shutdown, waited for; false when it had to be left running after 60 s. */
OPL_MUST_CHECK bool postgres_stop(struct postgres *postgres, struct opl_err *err);

/* Frees the object and leaves the server as it is. Accepts NULL. */
void postgres_free(struct postgres *postgres);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * migrate - brings the database's schema to what this program knows.
 *
 * Migrations are numbered files, each run once in one transaction and remembered in schema_version
 * with the digest of its text: a file that changed after it ran is refused, and so is a schema
 * newer than the program. An advisory lock lets one process at a time do this.
 */
#ifndef OPLEDGER_SERVER_MIGRATE_H
#define OPLEDGER_SERVER_MIGRATE_H

#include "db.h"

struct migrate_state {
    int version; /* of the database; 0: nothing there */
    int wanted;  /* of this program */
};

/*
 * Makes roles and grants where they are missing and runs what is due, as the role opledger_owner.
 * `db` is connected as that owner, or as a superuser. OPL_E_CONFIG, with a hint, for what a person
 * must mend: no right to make roles, newer schema, changed file, wrong encoding.
 */
OPL_MUST_CHECK bool migrate_run(struct db *db, struct migrate_state *state, struct opl_err *err);

/*
 * What the service asks at start and /readyz: OPL_E_CONFIG with the command to type unless version
 * and wanted agree and every digest is right. Needs only the service role.
 */
OPL_MUST_CHECK bool migrate_check(struct db *db, struct migrate_state *state, struct opl_err *err);

#endif

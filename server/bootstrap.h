/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bootstrap - the first entries of an empty log, written by the service itself (CONTRACT section 3,
 * "Roles"): the principal `admin`, its token, and the shipped policies.
 */
#ifndef OPLEDGER_SERVER_BOOTSTRAP_H
#define OPLEDGER_SERVER_BOOTSTRAP_H

#include <opledger/err.h>

struct db;
struct server;

/*
 * Nothing when the log has entries. Otherwise stores the policies, writes DIR/admin.token (0600)
 * and appends. The sequencer runs; `db` is the caller's own connection.
 */
OPL_MUST_CHECK bool bootstrap_run(struct server *server, struct db *db, struct opl_err *err);

#endif

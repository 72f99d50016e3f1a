/* SPDX-License-Identifier: Apache-2.0 */
/*
 * db_error - what a SQLSTATE means to the caller.
 */
#ifndef OPLEDGER_SERVER_DB_ERROR_H
#define OPLEDGER_SERVER_DB_ERROR_H

#include <opledger/err.h>

/* OPL_E_INTERNAL for what the table does not know; OPL_E_UNAVAILABLE for an empty one. */
enum opl_code db_error_code(const char *sqlstate);

/* What to say of it, without any data: "the database's disk is full". */
const char *db_error_text(const char *sqlstate);

#endif

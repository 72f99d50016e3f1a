/* SPDX-License-Identifier: Apache-2.0 */
/*
 * db_wire - what db.c, the only one that speaks to libpq, gives to db_pipe.c.
 */
#ifndef OPLEDGER_SERVER_DB_WIRE_H
#define OPLEDGER_SERVER_DB_WIRE_H

#include "db.h"

#define DB_MAX_PREPARED 192

/*
 * Three states: none (conn NULL), good, and broken, which is what an error of class
 * OPL_E_UNAVAILABLE makes of it. Outside a transaction the next call replaces a broken connection;
 * inside, every call fails until db_txn_close, since what went before is lost.
 */
struct db {
    struct pg_conn *conn;
    char *conninfo;
    char *application;
    char lock_timeout[16];
    char statement_timeout[16];
    char sqlstate[6];
    uint64_t generation;
    bool broken;
    bool in_txn;
    bool in_pipe;
    const struct sql *prepared[DB_MAX_PREPARED]; /* on this connection */
    size_t prepared_count;
};

bool db_is_prepared(const struct db *db, const struct sql *sql);
void db_remember_prepared(struct db *db, const struct sql *sql);
void db_forget_prepared(struct db *db, const struct sql *sql);

/* Marks the connection as broken and fails with OPL_E_UNAVAILABLE. */
bool db_lost(struct db *db, const char *doing, struct opl_err *err);

OPL_MUST_CHECK bool db_wire_enter(struct db *db, struct opl_err *err);
OPL_MUST_CHECK bool db_wire_leave(struct db *db);
OPL_MUST_CHECK bool db_wire_prepare(struct db *db, const struct sql *sql, struct opl_err *err);
OPL_MUST_CHECK bool db_wire_send(struct db *db, const struct sql *sql, struct db_args args,
                                 struct opl_err *err);
OPL_MUST_CHECK bool db_wire_sync(struct db *db, struct opl_err *err);

/*
 * Takes the next reply; true when it is a success. A statement that was skipped because one before
 * it failed is no success and records no error. *outcome is what it says if it answers a COMMIT.
 */
bool db_wire_receive(struct db *db, const struct sql *sql, struct db_rows *rows,
                     enum db_outcome *outcome, struct opl_err *err);
void db_wire_receive_sync(struct db *db);

#endif

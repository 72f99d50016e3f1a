/* SPDX-License-Identifier: Apache-2.0 */
/*
 * db - connections to PostgreSQL, their transactions and pipelines. The only door to libpq.
 *
 * A `struct db` is one connection for one thread at a time. It connects on first use and again
 * after it was lost: a call that finds the server gone fails with OPL_E_UNAVAILABLE, and a later
 * call tries anew. Statements are prepared by name on their first use on a connection.
 *
 * Every call can fail with
 *   OPL_E_UNAVAILABLE  no connection, lost connection, server starting, stopping or read-only
 *   OPL_E_TIMED_OUT    lock_timeout, statement_timeout or a deadlock
 *   OPL_E_STORAGE      the database's disk is full
 *   OPL_E_NOMEM        no memory here or there
 *   OPL_E_INTERNAL     anything else: a broken statement or a violated constraint
 * Error texts name statement, SQLSTATE and constraint; never a parameter or the content of a row.
 */
#ifndef OPLEDGER_SERVER_DB_H
#define OPLEDGER_SERVER_DB_H

#include "db_value.h"

/* One statement of schema/queries; queries.h (generated) declares each as sql_<file stem>. */
struct sql {
    const char *name;
    const char *text;
};

struct db_options {
    const char *conninfo;     /* libpq keywords or URI; copied */
    const char *application;  /* application_name; NULL: "opledgerd" */
    int lock_timeout_ms;      /* 0: none */
    int statement_timeout_ms; /* 0: none */
};

struct db;

/* A connection object, not yet connected. NULL: no memory. */
struct db *db_new(const struct db_options *options);
void db_free(struct db *db);
void db_freep(struct db **db); /* cleanup function */

/* Connects now, if there is no good connection; what every other call does by itself. */
OPL_MUST_CHECK bool db_connect(struct db *db, struct opl_err *err);

/* Drops the connection; the next call makes a new one. */
void db_disconnect(struct db *db);

/* SQLSTATE of the last failure, "" when the server gave none. Borrowed until the next call. */
const char *db_sqlstate(const struct db *db);

/* Counts connections made: a change tells that session state (prepared, SET) is new. */
uint64_t db_generation(const struct db *db);

/* Prepares without running, as the first use would. */
OPL_MUST_CHECK bool db_prepare(struct db *db, const struct sql *sql, struct opl_err *err);

/* Runs a statement whose rows nobody wants. */
OPL_MUST_CHECK bool db_exec(struct db *db, const struct sql *sql, struct db_args args,
                            struct opl_err *err);

/* The same, and says how many rows it touched. */
OPL_MUST_CHECK bool db_exec_count(struct db *db, const struct sql *sql, struct db_args args,
                                  uint64_t *count, struct opl_err *err);

/* Runs a statement for its rows, which replace what *rows held; before the first row. */
OPL_MUST_CHECK bool db_fetch(struct db *db, const struct sql *sql, struct db_args args,
                             struct db_rows *rows, struct opl_err *err);

/* The same for exactly one row, which is current already; OPL_E_NOT_FOUND when there is none. */
OPL_MUST_CHECK bool db_fetch_one(struct db *db, const struct sql *sql, struct db_args args,
                                 struct db_rows *rows, struct opl_err *err);

/*
 * A script of several statements, in one transaction of the server's (or the caller's own). Only
 * for migrations: nothing is prepared and there are no parameters.
 */
OPL_MUST_CHECK bool db_script(struct db *db, const char *name, const char *text,
                              struct opl_err *err);

/* What a COMMIT did. */
enum db_outcome {
    DB_ROLLED_BACK, /* nothing of it is there */
    DB_COMMITTED,   /* durable */
    DB_UNKNOWN      /* the connection broke after COMMIT was sent: reconnect and look */
};

/* A transaction, READ COMMITTED. db_txn_close (the cleanup function) rolls back unless committed.
 */
struct db_txn {
    struct db *db;
};

OPL_MUST_CHECK bool db_begin(struct db_txn *txn, struct db *db, struct opl_err *err);

/* The same, REPEATABLE READ, READ ONLY: everything read belongs to one moment. */
OPL_MUST_CHECK bool db_begin_snapshot(struct db_txn *txn, struct db *db, struct opl_err *err);

/* True: committed. False: *outcome (may be NULL) tells rolled back from unknown. Ends the txn. */
OPL_MUST_CHECK bool db_commit(struct db_txn *txn, enum db_outcome *outcome, struct opl_err *err);
void db_txn_close(struct db_txn *txn);

/*
 * A pipeline: statements are sent without waiting and answered together, so that a transaction of
 * many statements costs one round trip. After the first that fails, the server skips the rest up to
 * the next sync. While it is open, no other call but these and db_txn_close may use the connection.
 *
 *     OPL_CLEANUP(db_txn_close) struct db_txn txn = {0};      (declared first: closed last)
 *     OPL_CLEANUP(db_pipe_close) struct db_pipe pipe = {0};
 *     db_pipe_open(&pipe, db, err) && db_pipe_begin(&pipe, &txn, err) &&
 *     db_pipe_send(&pipe, &sql_log_lock, DB_NO_ARGS, NULL, err) &&
 *     db_pipe_send(&pipe, &sql_checkpoint_last, DB_NO_ARGS, &rows, err) && db_pipe_sync(&pipe, err)
 *     ... fold in memory ...
 *     db_pipe_send(&pipe, &sql_entry_insert, args, NULL, err) &&
 *     db_pipe_commit(&pipe, &txn, &outcome, err)
 */
struct db_pipe {
    struct db *db;
    struct db_pending *pending; /* replies awaited, in order */
    size_t count, size;
    enum db_outcome outcome; /* of its last COMMIT */
};

OPL_MUST_CHECK bool db_pipe_open(struct db_pipe *pipe, struct db *db, struct opl_err *err);

/* Sends BEGIN. */
OPL_MUST_CHECK bool db_pipe_begin(struct db_pipe *pipe, struct db_txn *txn, struct opl_err *err);

/* Sends one statement. `rows` (NULL: nobody wants them) must live until the sync that fills it. */
OPL_MUST_CHECK bool db_pipe_send(struct db_pipe *pipe, const struct sql *sql, struct db_args args,
                                 struct db_rows *rows, struct opl_err *err);

/* Waits for every reply; false with the first statement's error. The pipeline stays usable. */
OPL_MUST_CHECK bool db_pipe_sync(struct db_pipe *pipe, struct opl_err *err);

/* Sends COMMIT and syncs; as db_commit(). */
OPL_MUST_CHECK bool db_pipe_commit(struct db_pipe *pipe, struct db_txn *txn,
                                   enum db_outcome *outcome, struct opl_err *err);

/* Leaves pipeline mode, discarding what was not synced; a connection that cannot is dropped. */
void db_pipe_close(struct db_pipe *pipe);

#endif

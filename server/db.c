/* SPDX-License-Identifier: Apache-2.0 */
#include "db.h"

#include <assert.h>
#include <libpq-fe.h>
#include <poll.h>

#include "db_cell.h"
#include "db_error.h"
#include "db_wire.h"
#include "queries.h"

#define MAX_ARGS 24

/* The arguments as libpq wants them. */
struct wire_args {
    const char *values[MAX_ARGS];
    int lengths[MAX_ARGS];
    int formats[MAX_ARGS];
    int count;
};

static void ignore_notice(void *arg, const PGresult *res)
{
    (void)arg;
    (void)res;
}

/* Errors. */

bool db_lost(struct db *db, const char *doing, struct opl_err *err)
{
    db->broken = true;
    db->sqlstate[0] = '\0';
    return opl_fail(err, OPL_E_UNAVAILABLE, "%s: %s", doing, db_error_text(""));
}

/* Only fields without data are quoted: the primary message may repeat a value, DETAIL does. */
static bool refused(struct db *db, const char *doing, const PGresult *res, struct opl_err *err)
{
    const char *state = PQresultErrorField(res, PG_DIAG_SQLSTATE);
    const char *constraint = PQresultErrorField(res, PG_DIAG_CONSTRAINT_NAME);
    enum opl_code code;

    if (!state || PQstatus(db->conn) == CONNECTION_BAD)
        return db_lost(db, doing, err);

    snprintf(db->sqlstate, sizeof(db->sqlstate), "%s", state);
    code = db_error_code(state);
    db->broken = db->broken || code == OPL_E_UNAVAILABLE;
    return opl_fail(err, code, "%s: %s (SQLSTATE %s%s%s)", doing, db_error_text(state), state,
                    constraint ? ", constraint " : "", constraint ? constraint : "");
}

static bool is_good(const PGresult *res)
{
    ExecStatusType status = PQresultStatus(res);

    return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
}

static void result_clear(PGresult **res)
{
    PQclear(*res);
}

/* Connection. */

struct db *db_new(const struct db_options *options)
{
    const char *application = options->application ? options->application : "opledgerd";
    struct db *db = calloc(1, sizeof(*db));

    if (!db)
        return NULL;
    db->conninfo = strdup(options->conninfo);
    db->application = strdup(application);
    snprintf(db->lock_timeout, sizeof(db->lock_timeout), "%d", options->lock_timeout_ms);
    snprintf(db->statement_timeout, sizeof(db->statement_timeout), "%d",
             options->statement_timeout_ms);
    if (db->conninfo && db->application)
        return db;
    db_free(db);
    return NULL;
}

void db_disconnect(struct db *db)
{
    PQfinish(db->conn);
    db->conn = NULL;
    db->broken = false;
    db->prepared_count = 0;
}

void db_free(struct db *db)
{
    if (!db)
        return;
    db_disconnect(db);
    free(db->conninfo);
    free(db->application);
    free(db);
}

void db_freep(struct db **db)
{
    db_free(*db);
    *db = NULL;
}

const char *db_sqlstate(const struct db *db)
{
    return db->sqlstate;
}

uint64_t db_generation(const struct db *db)
{
    return db->generation;
}

/* libpq's text of a failed connection names host and role, never a password. One line of it. */
static bool connect_failed(struct db *db, struct opl_err *err)
{
    const char *text = PQerrorMessage(db->conn);

    opl_fail(err, OPL_E_UNAVAILABLE, "cannot connect to the database: %.*s",
             (int)strcspn(text, "\n"), text);
    db_disconnect(db);
    return false;
}

static bool session_setup(struct db *db, struct opl_err *err)
{
    const char *values[] = {db->lock_timeout, db->statement_timeout};
    OPL_CLEANUP(result_clear)
    PGresult *res = PQexecParams(db->conn, sql_session_setup.text, 2, NULL, values, NULL, NULL, 1);

    return is_good(res) || refused(db, sql_session_setup.name, res, err);
}

/* Later keywords win: the site's conninfo may change all but the encoding. */
static bool connect_anew(struct db *db, struct opl_err *err)
{
    const char *keys[] = {"connect_timeout",
                          "keepalives_idle",
                          "tcp_user_timeout",
                          "application_name",
                          "dbname",
                          "client_encoding",
                          NULL};
    const char *values[] = {"10", "30", "30000", db->application, db->conninfo, "UTF8", NULL};

    db_disconnect(db);
    db->conn = PQconnectdbParams(keys, values, 1);
    if (!db->conn)
        return opl_fail(err, OPL_E_NOMEM, "no memory for a database connection");
    if (PQstatus(db->conn) != CONNECTION_OK)
        return connect_failed(db, err);
    PQsetNoticeReceiver(db->conn, ignore_notice, NULL);
    db->generation++;
    return session_setup(db, err);
}

/* Reads what came while nobody waited: a server that went away has left its farewell and an end. */
static bool is_alive(struct db *db)
{
    struct pollfd fd = {.fd = PQsocket(db->conn), .events = POLLIN};

    if (db->broken || PQstatus(db->conn) != CONNECTION_OK)
        return false;
    for (int i = 0; i < 4 && poll(&fd, 1, 0) > 0; i++)
        if (!PQconsumeInput(db->conn))
            return false;
    return PQstatus(db->conn) == CONNECTION_OK;
}

bool db_connect(struct db *db, struct opl_err *err)
{
    db->sqlstate[0] = '\0';
    if (db->in_txn || db->in_pipe)
        return (db->conn && !db->broken) || db_lost(db, "transaction", err);
    return (db->conn && is_alive(db)) || connect_anew(db, err);
}

/* Statements. */

static bool wire(struct wire_args *out, const struct sql *sql, struct db_args args,
                 struct opl_err *err)
{
    assert(args.count <= MAX_ARGS);
    for (size_t i = 0; i < args.count; i++) {
        const struct db_param *param = &args.list[i];
        const void *data = param->data ? param->data : param->scalar;

        if (param->failed)
            return opl_fail(err, OPL_E_NOMEM, "%s: parameter %zu is too large or found no memory",
                            sql->name, i + 1);
        out->values[i] = param->is_null ? NULL : data;
        out->lengths[i] = (int)param->len;
        out->formats[i] = 1;
    }
    out->count = (int)args.count;
    return true;
}

bool db_is_prepared(const struct db *db, const struct sql *sql)
{
    for (size_t i = 0; i < db->prepared_count; i++)
        if (db->prepared[i] == sql)
            return true;
    return false;
}

void db_remember_prepared(struct db *db, const struct sql *sql)
{
    assert(db->prepared_count < DB_MAX_PREPARED);
    db->prepared[db->prepared_count++] = sql;
}

void db_forget_prepared(struct db *db, const struct sql *sql)
{
    for (size_t i = 0; i < db->prepared_count; i++)
        if (db->prepared[i] == sql)
            db->prepared[i--] = db->prepared[--db->prepared_count];
}

static bool prepare(struct db *db, const struct sql *sql, struct opl_err *err)
{
    OPL_CLEANUP(result_clear) PGresult *res = NULL;

    if (db_is_prepared(db, sql))
        return true;
    res = PQprepare(db->conn, sql->name, sql->text, 0, NULL);
    if (!is_good(res))
        return refused(db, sql->name, res, err);
    db_remember_prepared(db, sql);
    return true;
}

bool db_prepare(struct db *db, const struct sql *sql, struct opl_err *err)
{
    assert(!db->in_pipe);
    return db_connect(db, err) && prepare(db, sql, err);
}

/* The reply to one statement, for the caller to clear; NULL on failure. */
static PGresult *run(struct db *db, const struct sql *sql, struct db_args args, struct opl_err *err)
{
    struct wire_args wired;
    PGresult *res;

    assert(!db->in_pipe);
    if (!db_connect(db, err) || !wire(&wired, sql, args, err) || !prepare(db, sql, err))
        return NULL;
    res = PQexecPrepared(db->conn, sql->name, wired.count, wired.values, wired.lengths,
                         wired.formats, 1);
    if (is_good(res))
        return res;
    refused(db, sql->name, res, err);
    PQclear(res);
    return NULL;
}

bool db_exec(struct db *db, const struct sql *sql, struct db_args args, struct opl_err *err)
{
    OPL_CLEANUP(result_clear) PGresult *res = run(db, sql, args, err);

    return res != NULL;
}

bool db_exec_count(struct db *db, const struct sql *sql, struct db_args args, uint64_t *count,
                   struct opl_err *err)
{
    OPL_CLEANUP(result_clear) PGresult *res = run(db, sql, args, err);

    if (!res)
        return false;
    *count = strtoull(PQcmdTuples(res), NULL, 10);
    return true;
}

static void rows_take(struct db_rows *rows, PGresult *res)
{
    db_rows_close(rows);
    rows->result = res;
    rows->count = (size_t)PQntuples(res);
}

bool db_fetch(struct db *db, const struct sql *sql, struct db_args args, struct db_rows *rows,
              struct opl_err *err)
{
    PGresult *res = run(db, sql, args, err);

    if (!res)
        return false;
    rows_take(rows, res);
    return true;
}

bool db_fetch_one(struct db *db, const struct sql *sql, struct db_args args, struct db_rows *rows,
                  struct opl_err *err)
{
    if (!db_fetch(db, sql, args, rows, err))
        return false;
    if (rows->count > 1)
        return opl_fail(err, OPL_E_INTERNAL, "%s: more than one row", sql->name);
    return db_rows_next(rows) || opl_fail(err, OPL_E_NOT_FOUND, "%s: no such row", sql->name);
}

bool db_script(struct db *db, const char *name, const char *text, struct opl_err *err)
{
    OPL_CLEANUP(result_clear) PGresult *res = NULL;

    if (!db_connect(db, err))
        return false;
    res = PQexec(db->conn, text);
    return is_good(res) || refused(db, name, res, err);
}

void db_rows_close(struct db_rows *rows)
{
    PQclear(rows->result);
    *rows = (struct db_rows){0};
}

bool db_cell_at(const struct db_rows *rows, int column, struct db_cell *cell, struct opl_err *err)
{
    int row = (int)rows->next - 1;

    if (row < 0 || column < 0 || column >= PQnfields(rows->result))
        return opl_fail(err, OPL_E_INTERNAL, "database: no row is current, or no column %d",
                        column);
    *cell = (struct db_cell){.oid = PQftype(rows->result, column)};
    if (PQgetisnull(rows->result, row, column))
        return true;
    cell->data = (const uint8_t *)PQgetvalue(rows->result, row, column);
    cell->len = (size_t)PQgetlength(rows->result, row, column);
    return true;
}

/* Transactions. */

static bool begin(struct db_txn *txn, struct db *db, const struct sql *sql, struct opl_err *err)
{
    assert(!db->in_txn);
    if (!db_exec(db, sql, DB_NO_ARGS, err))
        return false;
    db->in_txn = true;
    txn->db = db;
    return true;
}

bool db_begin(struct db_txn *txn, struct db *db, struct opl_err *err)
{
    return begin(txn, db, &sql_txn_begin, err);
}

bool db_begin_snapshot(struct db_txn *txn, struct db *db, struct opl_err *err)
{
    return begin(txn, db, &sql_txn_snapshot, err);
}

/*
 * What the reply to COMMIT says. The server answers COMMIT in a failed transaction with success and
 * the tag ROLLBACK. A connection that is lost, or a server that says it is stopping, may have
 * committed before.
 */
static enum db_outcome commit_outcome(const struct db *db, PGresult *res)
{
    if (is_good(res))
        return strcmp(PQcmdStatus(res), "COMMIT") ? DB_ROLLED_BACK : DB_COMMITTED;
    return db->broken ? DB_UNKNOWN : DB_ROLLED_BACK;
}

static bool rolled_back(struct opl_err *err)
{
    return opl_fail(err, OPL_E_INTERNAL, "the database rolled the transaction back");
}

bool db_commit(struct db_txn *txn, enum db_outcome *outcome, struct opl_err *err)
{
    struct db *db = txn->db;
    OPL_CLEANUP(result_clear) PGresult *res = NULL;
    enum db_outcome did = DB_ROLLED_BACK;

    if (prepare(db, &sql_txn_commit, err)) {
        res = PQexecPrepared(db->conn, sql_txn_commit.name, 0, NULL, NULL, NULL, 1);
        if (!is_good(res))
            refused(db, sql_txn_commit.name, res, err);
        did = commit_outcome(db, res);
    }
    db_txn_close(txn);
    if (outcome)
        *outcome = did;
    return did == DB_COMMITTED || rolled_back(err);
}

void db_txn_close(struct db_txn *txn)
{
    struct db *db = txn->db;
    OPL_CLEANUP(result_clear) PGresult *res = NULL;

    if (!db)
        return;
    txn->db = NULL;
    if (db->conn && !db->in_pipe && PQtransactionStatus(db->conn) == PQTRANS_IDLE) {
        db->in_txn = false;
        return;
    }
    if (db->conn && !db->in_pipe && !db->broken)
        res = PQexec(db->conn, sql_txn_rollback.text);
    db->in_txn = false;
    if (!is_good(res))
        db_disconnect(db);
}

/* The wire of a pipeline. */

bool db_wire_enter(struct db *db, struct opl_err *err)
{
    return PQenterPipelineMode(db->conn) || db_lost(db, "pipeline", err);
}

bool db_wire_leave(struct db *db)
{
    return PQexitPipelineMode(db->conn);
}

bool db_wire_prepare(struct db *db, const struct sql *sql, struct opl_err *err)
{
    return PQsendPrepare(db->conn, sql->name, sql->text, 0, NULL) || db_lost(db, sql->name, err);
}

bool db_wire_send(struct db *db, const struct sql *sql, struct db_args args, struct opl_err *err)
{
    struct wire_args wired;

    if (!wire(&wired, sql, args, err))
        return false;
    return PQsendQueryPrepared(db->conn, sql->name, wired.count, wired.values, wired.lengths,
                               wired.formats, 1) ||
           db_lost(db, sql->name, err);
}

bool db_wire_sync(struct db *db, struct opl_err *err)
{
    return PQpipelineSync(db->conn) || db_lost(db, "pipeline", err);
}

bool db_wire_receive(struct db *db, const struct sql *sql, struct db_rows *rows,
                     enum db_outcome *outcome, struct opl_err *err)
{
    PGresult *res = PQgetResult(db->conn);
    bool good = is_good(res);

    if (!good && PQresultStatus(res) != PGRES_PIPELINE_ABORTED)
        refused(db, sql->name, res, err);
    *outcome = commit_outcome(db, res);
    if (good && rows)
        rows_take(rows, res);
    else
        PQclear(res);
    if (!db->broken)
        PQclear(PQgetResult(db->conn)); /* the NULL that ends each reply */
    return good;
}

void db_wire_receive_sync(struct db *db)
{
    PQclear(PQgetResult(db->conn));
}

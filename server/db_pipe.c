/* SPDX-License-Identifier: Apache-2.0 */
#include <assert.h>

#include "db_wire.h"
#include "queries.h"

enum pending_kind { PENDING_PREPARE, PENDING_STATEMENT, PENDING_COMMIT };

struct db_pending {
    enum pending_kind kind;
    const struct sql *sql;
    struct db_rows *rows;
};

static bool expect(struct db_pipe *pipe, struct db_pending what, struct opl_err *err)
{
    if (pipe->count == pipe->size) {
        size_t size = pipe->size ? 2 * pipe->size : 32;
        struct db_pending *grown = reallocarray(pipe->pending, size, sizeof(*grown));

        if (!grown)
            return opl_fail(err, OPL_E_NOMEM, "no memory for a pipeline");
        pipe->pending = grown;
        pipe->size = size;
    }
    pipe->pending[pipe->count++] = what;
    return true;
}

bool db_pipe_open(struct db_pipe *pipe, struct db *db, struct opl_err *err)
{
    if (!db_connect(db, err) || !db_wire_enter(db, err))
        return false;
    db->in_pipe = true;
    *pipe = (struct db_pipe){.db = db};
    return true;
}

/* Remembered as prepared when sent, so that it is not sent twice; forgotten if it then fails. */
static bool send_prepare(struct db_pipe *pipe, const struct sql *sql, struct opl_err *err)
{
    const struct db_pending what = {PENDING_PREPARE, sql, NULL};

    if (db_is_prepared(pipe->db, sql))
        return true;
    if (!expect(pipe, what, err) || !db_wire_prepare(pipe->db, sql, err))
        return false;
    db_remember_prepared(pipe->db, sql);
    return true;
}

static bool send_statement(struct db_pipe *pipe, struct db_pending what, struct db_args args,
                           struct opl_err *err)
{
    assert(pipe->db->in_pipe);
    return db_connect(pipe->db, err) && send_prepare(pipe, what.sql, err) &&
           expect(pipe, what, err) && db_wire_send(pipe->db, what.sql, args, err);
}

bool db_pipe_send(struct db_pipe *pipe, const struct sql *sql, struct db_args args,
                  struct db_rows *rows, struct opl_err *err)
{
    return send_statement(pipe, (struct db_pending){PENDING_STATEMENT, sql, rows}, args, err);
}

bool db_pipe_begin(struct db_pipe *pipe, struct db_txn *txn, struct opl_err *err)
{
    assert(!pipe->db->in_txn);
    if (!db_pipe_send(pipe, &sql_txn_begin, DB_NO_ARGS, NULL, err))
        return false;
    pipe->db->in_txn = true;
    txn->db = pipe->db;
    return true;
}

static bool receive(struct db_pipe *pipe, const struct db_pending *what, struct opl_err *err)
{
    enum db_outcome outcome;
    bool good = db_wire_receive(pipe->db, what->sql, what->rows, &outcome, err);

    if (!good && what->kind == PENDING_PREPARE)
        db_forget_prepared(pipe->db, what->sql);
    if (what->kind == PENDING_COMMIT)
        pipe->outcome = outcome;
    return good;
}

bool db_pipe_sync(struct db_pipe *pipe, struct opl_err *err)
{
    struct db *db = pipe->db;
    bool good = db_connect(db, err) && db_wire_sync(db, err);

    for (size_t i = 0; i < pipe->count && !db->broken; i++)
        good = receive(pipe, &pipe->pending[i], err) && good;
    if (db->broken)
        return db_lost(db, "pipeline", err);

    pipe->count = 0;
    db_wire_receive_sync(db);
    return good;
}

bool db_pipe_commit(struct db_pipe *pipe, struct db_txn *txn, enum db_outcome *outcome,
                    struct opl_err *err)
{
    const struct db_pending what = {PENDING_COMMIT, &sql_txn_commit, NULL};
    bool good;

    pipe->outcome = DB_UNKNOWN; /* until a reply says more */
    good = send_statement(pipe, what, DB_NO_ARGS, err) && db_pipe_sync(pipe, err) &&
           pipe->outcome == DB_COMMITTED;
    if (outcome)
        *outcome = pipe->outcome;
    if (!good)
        return opl_fail(err, OPL_E_INTERNAL, "the database rolled the transaction back");
    pipe->db->in_txn = false;
    txn->db = NULL;
    return true;
}

void db_pipe_close(struct db_pipe *pipe)
{
    struct db *db = pipe->db;

    if (db && db->in_pipe) {
        db->in_pipe = false;
        if (pipe->count || db->broken || !db_wire_leave(db))
            db_disconnect(db);
    }
    free(pipe->pending);
    *pipe = (struct db_pipe){0};
}

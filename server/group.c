/* SPDX-License-Identifier: Apache-2.0 */
#include "group.h"

#include <stdlib.h>

#include "group_commit.h"
#include "group_fold.h"
#include "queries.h"
#include "waiting.h"

#define CLOCK_EVERY_US 1000000
#define CLOCK_OFF_MAX (5 * 60 * OPL_SECOND)

void group_init(struct group *group, struct logstate *state, struct metrics *metrics)
{
    *group = (struct group){.state = state, .metrics = metrics};
    group->clock_offset_us = opl_time_now() - waiting_now();
    rows_init(&group->rows);
}

void group_close(struct group *group)
{
    rows_close(&group->rows);
    opl_buf_close(&group->bytes);
    free(group->leaves);
    free(group->touched);
    free(group->nonces);
}

/* What the first round trip tells. */
struct opening {
    struct db_rows last, keys, clock;
};

static void opening_close(struct opening *opening)
{
    db_rows_close(&opening->last);
    db_rows_close(&opening->keys);
    db_rows_close(&opening->clock);
}

static bool ask_keys(struct group *group, struct db_pipe *pipe, struct db_rows *rows,
                     struct opl_err *err)
{
    OPL_CLEANUP(db_array_close) struct db_array principals = DB_ARRAY_INIT(DB_TEXT);
    OPL_CLEANUP(db_array_close) struct db_array keys = DB_ARRAY_INIT(DB_TEXT);

    for (struct write *write = group->writes; write != NULL; write = write->next) {
        if (write->key[0] == '\0')
            continue;
        db_array_text(&principals, write->writer.principal);
        db_array_text(&keys, write->key);
    }
    return keys.count == 0 ||
           db_pipe_send(pipe, &sql_idempotency_get, DB_ARGS(db_array(&principals), db_array(&keys)),
                        rows, err);
}

static bool open_group(struct group *group, struct db_txn *txn, struct opening *opening,
                       struct opl_err *err)
{
    OPL_CLEANUP(db_pipe_close) struct db_pipe pipe = {0};
    bool check_clock = waiting_now() - group->clock_checked_us > CLOCK_EVERY_US;

    return db_pipe_open(&pipe, group->state->db, err) && db_pipe_begin(&pipe, txn, err) &&
           db_pipe_send(&pipe, &sql_log_lock, DB_NO_ARGS, NULL, err) &&
           db_pipe_send(&pipe, &sql_checkpoint_last, DB_NO_ARGS, &opening->last, err) &&
           ask_keys(group, &pipe, &opening->keys, err) &&
           (!check_clock ||
            db_pipe_send(&pipe, &sql_database_clock, DB_NO_ARGS, &opening->clock, err)) &&
           db_pipe_sync(&pipe, err);
}

static bool clock_off(struct opl_err *err, const char *from)
{
    opl_fail(err, OPL_E_UNAVAILABLE, "this host's clock departs from %s by over five minutes",
             from);
    return opl_hint(err, "set the clock (chronyc makestep); nothing is signed until then");
}

static bool check_clock(struct group *group, struct db_rows *clock, struct opl_err *err)
{
    int64_t now = opl_time_now(), theirs;
    int64_t drift = now - waiting_now() - group->clock_offset_us;

    if (llabs(drift) > CLOCK_OFF_MAX)
        return clock_off(err, "its own monotonic clock");
    if (group->state->at - now > CLOCK_OFF_MAX)
        return clock_off(err, "the log's last entry");
    if (!db_rows_next(clock))
        return true;
    if (!db_get_i64(clock, 0, &theirs, err))
        return false;
    if (llabs(theirs - now) > CLOCK_OFF_MAX)
        return clock_off(err, "the database's");
    group->clock_checked_us = waiting_now();
    return true;
}

static struct write *find_key(struct group *group, const char *principal, const char *key)
{
    struct write *write = group->writes;

    while (write != NULL &&
           (strcmp(write->key, key) != 0 || strcmp(write->writer.principal, principal) != 0))
        write = write->next;
    return write;
}

static bool mark_replay(struct write *write, const struct db_rows *row, struct opl_err *err)
{
    struct opl_hash digest;
    int32_t count;

    if (!db_get_hash(row, 2, &digest, err))
        return false;
    if (!opl_hash_equal(&digest, &write->digest)) {
        opl_fail(&write->err, OPL_E_CONFLICT, "this Idempotency-Key was used for other content");
        opl_hint(&write->err, "draw a new key for new content");
        return true;
    }
    if (!db_get_u64(row, 3, &write->first, err) || !db_get_i32(row, 4, &count, err) ||
        !db_get_u64(row, 5, &write->tree_size, err))
        return false;
    write->replay_count = (size_t)count;
    write->is_replay = true;
    return true;
}

static bool mark_replays(struct group *group, struct db_rows *keys, struct opl_err *err)
{
    const char *principal, *key;

    while (db_rows_next(keys)) {
        struct write *write;

        if (!db_get_text(keys, 0, &principal, err) || !db_get_text(keys, 1, &key, err))
            return false;
        write = find_key(group, principal, key);
        if (write != NULL && !mark_replay(write, keys, err))
            return false;
    }
    return true;
}

static void start(struct group *group, struct write *writes)
{
    group->writes = writes;
    group->is_spoiled = false;
    group->leaf_count = group->touched_count = group->nonce_count = 0;
    rows_reset(&group->rows);
}

static bool fold(struct group *group, struct opl_err *err)
{
    struct logstate *state = group->state;
    int64_t now = opl_time_now();

    group->world = state->world;
    group->edge = state->edge;
    group->size = state->edge.size;
    group->now = now > state->at ? now : state->at;
    memcpy(group->counters, state->counters, sizeof group->counters);
    for (struct write *write = group->writes; write != NULL; write = write->next) {
        if (write->err.code != OPL_OK || write->is_replay)
            continue;
        if (!group_fold_write(group, write, err))
            return false;
        if (group->is_spoiled)
            return true;
    }
    return true;
}

/* Gives the writes that have no answer yet the error of the group. */
static void fail_all(struct group *group, const struct opl_err *err)
{
    for (struct write *write = group->writes; write != NULL; write = write->next) {
        if (write->err.code == OPL_OK)
            write->err = *err;
        write->is_replay = false;
    }
}

/* Everything between lock and COMMIT. */
static bool run(struct group *group, struct opl_err *err)
{
    OPL_CLEANUP(db_txn_close) struct db_txn txn = {0};
    OPL_CLEANUP(opening_close) struct opening opening = {0};

    if (!open_group(group, &txn, &opening, err) ||
        !logstate_sync(group->state, &opening.last, err) ||
        !check_clock(group, &opening.clock, err) || !mark_replays(group, &opening.keys, err) ||
        !fold(group, err))
        return false;
    if (group->is_spoiled || group->leaf_count == 0)
        return true; /* nothing to add: what was refused says so */
    return group_commit(group, &txn, err);
}

/*
 * What clients are told of a failure inside: try again, unless the disk or the log is the cause.
 * What the database said stays in our log.
 */
static struct opl_err told(const struct opl_err *err)
{
    struct opl_err out = {0};

    if (err->code == OPL_E_LOG || err->code == OPL_E_STORAGE || err->hint[0] != '\0')
        return *err;
    opl_fail(&out, OPL_E_UNAVAILABLE, "the log takes no writes now; nothing of this is in it");
    opl_hint(&out, "repeat it with the same Idempotency-Key");
    return out;
}

bool group_run(struct group *group, struct write *writes, struct opl_err *err)
{
    struct opl_err shown;
    bool ok;

    start(group, writes);
    ok = run(group, err);
    if (!ok || group->is_spoiled)
        logstate_forget(group->state);
    if (!ok) {
        shown = told(err);
        fail_all(group, &shown);
        atomic_fetch_add(&group->metrics->group_failures, 1);
        return false;
    }
    for (struct write *write = writes; write != NULL; write = write->next) {
        if (write->err.code != OPL_OK)
            atomic_fetch_add(&group->metrics->refused, 1);
        if (write->head == NULL && group->state->head != NULL)
            write->head = signed_head_hold(group->state->head);
    }
    logstate_trim(group->state);
    return true;
}

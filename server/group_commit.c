/* SPDX-License-Identifier: Apache-2.0 */
#include "group_commit.h"

#include <unistd.h>

#include <opledger/json.h>
#include <opledger/merkle_group.h>

#include "group_fold.h"
#include "log.h"
#include "queries.h"

#define LOOK_TRIES 150 /* every 200 ms: longer than PostgreSQL takes to recover from a crash */
#define LOOK_PAUSE_US 200000

static void keep_tile(void *ctx, unsigned level, uint64_t index,
                      const struct opl_hash hash[static OPL_TILE_WIDTH])
{
    rows_add_tile(ctx, level, index, hash, OPL_TILE_WIDTH * sizeof *hash);
}

static int by_id(const void *a, const void *b)
{
    return strcmp(a, b);
}

static bool project(struct group *group, const char *id, struct opl_err *err)
{
    const struct opl_fold *fold = NULL;
    const struct opl_fact *made;
    struct rows_subject row = {.id = id};
    char model[260];

    if (!opl_world_find(group->world, id, &fold, err))
        return false;
    if (fold == NULL)
        return true;
    made = opl_fold_creation(fold);
    if (made == NULL || !subject_status(group->world, fold, group->now, &row.status, err))
        return made == NULL;
    subject_model(made->body, model, sizeof model);
    row.prefix = opl_prefix_name(fold->prefix);
    row.number = fold->number;
    row.kind = made->kind->name;
    row.on = fold->on[0] != '\0' ? fold->on : NULL;
    row.actor = made->actor;
    row.model = model[0] != '\0' ? model : NULL;
    row.target = opl_json_str(made->body, "target");
    row.since_seq = fold->created;
    row.status_seq = fold->last_seq;
    row.at = made->at;
    row.updated_at = group->now;
    rows_add_subject(&group->rows, &row);
    return true;
}

/* What blocks a hypothesis blocks those that refine or replace it: its incident's are all judged.
 */
static bool touch_kin(struct group *group, const char *id, struct opl_err *err)
{
    OPL_CLEANUP(db_rows_close) struct db_rows rows = {0};
    const struct opl_fold *fold = NULL;
    const char *kin;

    if (!opl_world_find(group->world, id, &fold, err))
        return false;
    if (fold == NULL || fold->prefix != OPL_ID_HYP || fold->created >= group->edge.size)
        return true;
    if (!db_fetch(group->state->db, &sql_subject_children,
                  DB_ARGS(db_text(fold->on), db_u64(group->edge.size)), &rows, err))
        return false;
    while (db_rows_next(&rows)) {
        if (!db_get_text(&rows, 0, &kin, err))
            return false;
        if (kin != NULL && strncmp(kin, "hyp-", 4) == 0 && !group_touch(group, kin, err))
            return false;
    }
    return true;
}

/* Sorted, each once. */
static void order_touched(struct group *group)
{
    size_t kept = 0;

    if (group->touched_count > 1)
        qsort(group->touched, group->touched_count, sizeof *group->touched, by_id);
    for (size_t i = 0; i < group->touched_count; i++) {
        if (kept == 0 || strcmp(group->touched[kept - 1], group->touched[i]) != 0)
            memmove(group->touched[kept++], group->touched[i], sizeof *group->touched);
    }
    group->touched_count = kept;
}

static bool project_all(struct group *group, struct opl_err *err)
{
    size_t count;

    order_touched(group);
    count = group->touched_count;
    for (size_t i = 0; i < count; i++) {
        char id[OPL_ID_SIZE]; /* the array may move */

        memcpy(id, group->touched[i], sizeof id);
        if (!touch_kin(group, id, err))
            return false;
    }
    order_touched(group);
    for (size_t i = 0; i < group->touched_count; i++) {
        if (!project(group, group->touched[i], err))
            return false;
    }
    return true;
}

static bool was_written(const struct write *write)
{
    return write->err.code == OPL_OK && !write->is_replay && write->count > 0;
}

static void add_keys(struct group *group)
{
    for (struct write *write = group->writes; write != NULL; write = write->next) {
        const struct rows_key key = {.principal = write->writer.principal,
                                     .key = write->key,
                                     .digest = &write->digest,
                                     .first = write->first,
                                     .count = write->count,
                                     .size = group->size,
                                     .at = group->now};

        if (was_written(write) && write->key[0] != '\0')
            rows_add_key(&group->rows, &key);
    }
}

static struct signed_head *sign(struct group *group, const struct opl_edge *edge,
                                struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf note = {0};
    const struct ledger *ledger = group->state->ledger;
    struct signed_head *made = NULL;
    struct opl_head head = {.size = edge->size};

    snprintf(head.origin, sizeof head.origin, "%s", ledger->origin);
    opl_edge_root(edge, &head.root);
    if (ledger_sign(ledger, &head, &note, err) && opl_buf_ok(&note, err)) {
        made = signed_head_new(&head, group->now, opl_buf_text(&note));
        if (made == NULL)
            opl_fail(err, OPL_E_NOMEM, "no memory for a checkpoint");
    }
    return made;
}

static bool send_checkpoint(struct group *group, struct db_pipe *pipe, const struct opl_edge *edge,
                            const struct signed_head *head, struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf bytes = {0};
    OPL_CLEANUP(db_array_close) struct db_array counters = DB_ARRAY_INIT(DB_I64);

    opl_edge_write(edge, &bytes);
    for (size_t i = 0; i < OPL_PREFIXES; i++)
        db_array_u64(&counters, group->counters[i]);
    return opl_buf_ok(&bytes, err) &&
           db_pipe_send(pipe, &sql_checkpoint_insert,
                        DB_ARGS(db_u64(edge->size), db_hash(&head->head.root),
                                db_bytes(bytes.data, bytes.len), db_array(&counters),
                                db_i64(head->at), db_text(head->note)),
                        NULL, err);
}

static bool insert(struct group *group, struct db_txn *txn, const struct opl_edge *edge,
                   const struct signed_head *head, enum db_outcome *outcome, struct opl_err *err)
{
    OPL_CLEANUP(db_pipe_close) struct db_pipe pipe = {0};

    *outcome = DB_ROLLED_BACK;
    return db_pipe_open(&pipe, group->state->db, err) && rows_send(&group->rows, &pipe, err) &&
           send_checkpoint(group, &pipe, edge, head, err) &&
           db_pipe_commit(&pipe, txn, outcome, err);
}

/* Whether the checkpoint is there, asked under the lock, which the lost session holds to its end.
 */
static bool look(struct db *db, const struct signed_head *head, bool *there, struct opl_err *err)
{
    OPL_CLEANUP(db_txn_close) struct db_txn txn = {0};
    OPL_CLEANUP(db_rows_close) struct db_rows rows = {0};
    struct opl_hash root;
    uint64_t size;

    *there = false;
    if (!db_begin(&txn, db, err) || !db_exec(db, &sql_log_lock, DB_NO_ARGS, err) ||
        !db_fetch(db, &sql_checkpoint_at, DB_ARGS(db_u64(head->head.size)), &rows, err))
        return false;
    if (!db_rows_next(&rows))
        return true;
    if (!db_get_u64(&rows, 0, &size, err) || !db_get_hash(&rows, 1, &root, err))
        return false;
    *there = size == head->head.size && opl_hash_equal(&root, &head->head.root);
    return true;
}

/* Settles what a lost COMMIT did; false with the error that waiters get. */
static bool was_committed(struct db *db, const struct signed_head *head, struct opl_err *err)
{
    bool there = false;

    log_warn("commit outcome unknown, looking", LOG_I("size", head->head.size));
    for (int tries = 0; tries < LOOK_TRIES; tries++) {
        struct opl_err why = {0};

        if (look(db, head, &there, &why))
            return there;
        usleep(LOOK_PAUSE_US);
    }
    *err = (struct opl_err){0};
    opl_fail(err, OPL_E_UNAVAILABLE,
             "the database was lost; whether this was written is not known");
    return opl_hint(err, "repeat it with the same Idempotency-Key to learn which");
}

static void give_results(struct group *group, const struct opl_merkle_group *merkle,
                         struct signed_head *head)
{
    for (struct write *write = group->writes; write != NULL; write = write->next) {
        if (!was_written(write))
            continue;
        if (!write->is_batch)
            opl_group_proof(merkle, write->first - group->edge.size, &write->proof);
        write->tree_size = head->head.size;
        write->head = signed_head_hold(head);
    }
}

bool group_commit(struct group *group, struct db_txn *txn, struct opl_err *err)
{
    OPL_CLEANUP(opl_group_freep)
    struct opl_merkle_group *merkle = opl_group_new(&group->edge, group->leaves, group->leaf_count);
    OPL_CLEANUP(signed_head_dropp) struct signed_head *head = NULL;
    enum db_outcome outcome;

    if (merkle == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for a group's proofs");
    head = sign(group, opl_group_edge(merkle), err);
    if (head == NULL || !project_all(group, err))
        return false;
    add_keys(group);
    for (size_t i = 0; i < group->leaf_count; i++)
        frontier_append(group->state->frontier, &group->leaves[i], keep_tile, &group->rows);
    if (!insert(group, txn, opl_group_edge(merkle), head, &outcome, err) &&
        (outcome != DB_UNKNOWN || !was_committed(group->state->db, head, err)))
        return false;
    *err = (struct opl_err){0};
    give_results(group, merkle, head);
    logstate_advance(group->state, opl_group_edge(merkle), group->counters, signed_head_hold(head));
    atomic_fetch_add(&group->metrics->entries, group->leaf_count);
    atomic_fetch_add(&group->metrics->groups, 1);
    return true;
}

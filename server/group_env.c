/* SPDX-License-Identifier: Apache-2.0 */
#include "blob.h"
#include "group_fold.h"
#include "queries.h"

static bool has_blob(void *ctx, const struct opl_hash *sha256, bool *yes, struct opl_err *err)
{
    struct group *group = ctx;
    struct opl_err why = {0};
    struct blob_info info;

    *yes = blob_find(group->state->db, sha256, &info, &why);
    if (*yes || why.code == OPL_E_NOT_FOUND)
        return true;
    *err = why;
    return false;
}

static bool blob_is(void *ctx, const struct opl_hash *sha256, uint64_t size, bool *yes,
                    struct opl_err *err)
{
    struct group *group = ctx;
    struct blob_info info;

    if (!blob_find(group->state->db, sha256, &info, err))
        return false;
    *yes = info.size == size;
    return true;
}

static bool nonce_used(void *ctx, const char *nonce, bool *yes, struct opl_err *err)
{
    OPL_CLEANUP(db_array_close) struct db_array wanted = DB_ARRAY_INIT(DB_TEXT);
    OPL_CLEANUP(db_rows_close) struct db_rows rows = {0};
    struct group *group = ctx;

    *yes = true;
    for (size_t i = 0; i < group->nonce_count; i++) {
        if (strcmp(group->nonces[i], nonce) == 0)
            return true;
    }
    db_array_text(&wanted, nonce);
    if (!db_fetch(group->state->db, &sql_nonce_get, DB_ARGS(db_array(&wanted)), &rows, err))
        return false;
    *yes = rows.count > 0;
    return true;
}

/* Heads that were signed stand in their table; others are worked out from the tree. */
static bool was_signed(struct group *group, const struct opl_head *head, bool *yes,
                       struct opl_err *err)
{
    OPL_CLEANUP(db_rows_close) struct db_rows rows = {0};
    struct opl_hash root;
    uint64_t size;

    *yes = false;
    if (!db_fetch(group->state->db, &sql_checkpoint_at, DB_ARGS(db_u64(head->size)), &rows, err))
        return false;
    if (!db_rows_next(&rows))
        return true;
    if (!db_get_u64(&rows, 0, &size, err) || !db_get_hash(&rows, 1, &root, err))
        return false;
    *yes = size == head->size && opl_hash_equal(&root, &head->root);
    return true;
}

static bool on_history(void *ctx, const struct opl_head *head, bool *yes, struct opl_err *err)
{
    struct group *group = ctx;
    struct logstate *state = group->state;
    OPL_CLEANUP(history_freep) struct history *history = NULL;

    *yes = false;
    if (strcmp(head->origin, state->ledger->origin) != 0 || head->size > state->edge.size)
        return true;
    if (!was_signed(group, head, yes, err))
        return false;
    if (*yes)
        return true;
    history = history_new(state->db, state->edge.size);
    if (history == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for the log's history");
    return history_has_root(history, head->size, &head->root, yes, err);
}

/* A worker has run the pass before the write was queued; see scrubbed.h. */
static bool clean_output(void *ctx, const struct opl_hash *sha256, struct opl_err *err)
{
    const struct write *write = ((struct group *)ctx)->current;

    for (size_t i = 0; i < write->clean_count; i++) {
        if (opl_hash_equal(&write->clean[i], sha256))
            return true;
    }
    return opl_fail(err, OPL_E_INTERNAL, "an output was not verified before it was recorded");
}

struct opl_admit_env group_env(struct group *group)
{
    return (struct opl_admit_env){.ctx = group,
                                  .has_blob = has_blob,
                                  .blob_is = blob_is,
                                  .nonce_used = nonce_used,
                                  .on_history = on_history,
                                  .clean_output = clean_output};
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "logstate.h"

#include "entry_row.h"
#include "queries.h"

#define SUBJECTS_MAX 20000   /* held at most between groups */
#define DOCUMENT_GROUPS 1000 /* after so many, documents are read anew */

static bool fresh_world(struct logstate *state, struct opl_err *err)
{
    struct opl_source source = world_source(&state->reader);

    opl_world_free(state->world);
    state->world = opl_world_new(&source);
    return state->world != NULL || opl_fail(err, OPL_E_NOMEM, "no memory for the world");
}

bool logstate_init(struct logstate *state, const struct ledger *ledger, struct db *db,
                   struct opl_err *err)
{
    *state = (struct logstate){.ledger = ledger, .db = db};
    state->reader = (struct world_reader){db, &state->edge.size};
    state->frontier = calloc(1, sizeof *state->frontier);
    if (state->frontier == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for the log's edge");
    return fresh_world(state, err);
}

void logstate_close(struct logstate *state)
{
    opl_world_free(state->world);
    signed_head_drop(state->head);
    free(state->frontier);
}

void logstate_forget(struct logstate *state)
{
    state->known = false;
}

static bool differs(struct opl_err *err, const char *how)
{
    opl_fail(err, OPL_E_LOG, "the log in the database %s", how);
    return opl_hint(err,
                    "nothing is signed until this is cleared: see docs/THREATS.md, and compare "
                    "what other clients remember with `opledger log verify`");
}

/* What the row says, checked in itself: edge, root and note belong together. */
struct row {
    struct opl_edge edge;
    struct opl_hash root;
    uint64_t counters[OPL_PREFIXES];
    int64_t at;
    const char *note;
};

static bool read_counters(const struct db_rows *last, struct row *row, struct opl_err *err)
{
    int64_t counters[OPL_PREFIXES];
    size_t count;

    if (!db_get_i64s(last, 3, counters, OPL_PREFIXES, &count, err))
        return false;
    if (count != OPL_PREFIXES)
        return differs(err, "has a head with other counters");
    for (size_t i = 0; i < OPL_PREFIXES; i++)
        row->counters[i] = (uint64_t)counters[i];
    return true;
}

static bool read_row(const struct logstate *state, const struct db_rows *last, struct row *row,
                     struct opl_err *err)
{
    struct opl_hash root;
    struct opl_head head;
    const uint8_t *edge;
    uint64_t size;
    size_t len;

    if (!db_get_u64(last, 0, &size, err) || !db_get_hash(last, 1, &row->root, err) ||
        !db_get_bytes(last, 2, &edge, &len, err) || !read_counters(last, row, err) ||
        !db_get_i64(last, 4, &row->at, err) || !db_get_text(last, 5, &row->note, err) ||
        !opl_edge_read(size, edge, len, &row->edge, err))
        return false;
    opl_edge_root(&row->edge, &root);
    if (row->note == NULL ||
        !opl_checkpoint_open(row->note, strlen(row->note), &state->ledger->vkey, &head, NULL))
        return differs(err, "has a head that our key did not sign");
    if (!opl_hash_equal(&root, &row->root) || !opl_hash_equal(&root, &head.root) ||
        head.size != size)
        return differs(err, "has a head that contradicts itself");
    return true;
}

/* The head that this process has seen must be on the history of the new one. */
static bool check_seen(struct logstate *state, const struct row *row, struct history *history,
                       struct opl_err *err)
{
    bool same = false;

    if (row->edge.size < state->seen_size)
        return differs(err, "is smaller than the one this process has seen");
    if (state->seen_size == 0)
        return true;
    if (!history_has_root(history, state->seen_size, &state->seen_root, &same, err))
        return false;
    return same || differs(err, "is not a continuation of the one this process has seen");
}

/* An entry filed under another key would be missing where it counts, and nobody would see it. */
static bool check_filing(struct logstate *state, uint64_t from, uint64_t size, struct opl_err *err)
{
    OPL_CLEANUP(db_rows_close) struct db_rows rows = {0};
    char how[80];
    uint64_t seq;

    if (!db_fetch(state->db, &sql_entry_misfiled, DB_ARGS(db_u64(from), db_u64(size)), &rows, err))
        return false;
    if (!db_rows_next(&rows))
        return true;
    if (!db_get_u64(&rows, 0, &seq, err))
        return false;
    (void)snprintf(how, sizeof how, "has entry %llu filed under another subject",
                   (unsigned long long)seq);
    return differs(err, how);
}

static bool apply_registry(struct logstate *state, uint64_t from, uint64_t size,
                           struct opl_err *err)
{
    OPL_CLEANUP(db_rows_close) struct db_rows rows = {0};

    if (!db_fetch(state->db, &sql_entry_registry, DB_ARGS(db_u64(from), db_u64(size)), &rows, err))
        return false;
    while (db_rows_next(&rows)) {
        OPL_CLEANUP(opl_entry_close) struct opl_entry entry = {0};

        if (!entry_row_read(&rows, &entry, err) || !opl_world_apply(state->world, &entry, err))
            return false;
    }
    return true;
}

/* Takes a row over, reading what this process does not know yet. */
static bool adopt(struct logstate *state, const struct row *row, struct opl_err *err)
{
    OPL_CLEANUP(history_freep) struct history *history = history_new(state->db, row->edge.size);
    OPL_CLEANUP(signed_head_dropp) struct signed_head *made = NULL;
    uint64_t from = state->known ? state->edge.size : 0;
    struct opl_head head = {.size = row->edge.size, .root = row->root};

    snprintf(head.origin, sizeof head.origin, "%s", state->ledger->origin);
    made = signed_head_new(&head, row->at, row->note);
    if (history == NULL || made == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for the log's head");
    if (!check_seen(state, row, history, err) || !frontier_load(state->frontier, history, err))
        return false;
    if (!state->known && !fresh_world(state, err))
        return false;
    opl_world_forget_all(state->world);
    state->known = false; /* until all of it is done */
    state->edge = row->edge;
    if (!check_filing(state, from, row->edge.size, err) ||
        !apply_registry(state, from, row->edge.size, err))
        return false;
    state->at = row->at;
    logstate_advance(state, &row->edge, row->counters, made);
    made = NULL;
    state->registry_changed = true;
    return true;
}

static bool adopt_empty(struct logstate *state, struct opl_err *err)
{
    if (state->seen_size > 0)
        return differs(err, "is empty, and it was not before");
    if (state->known)
        return true;
    state->edge = (struct opl_edge){0};
    memset(state->counters, 0, sizeof state->counters);
    opl_edge_root(&state->edge, &state->root);
    state->frontier->size = 0;
    state->known = fresh_world(state, err);
    return state->known;
}

bool logstate_sync(struct logstate *state, struct db_rows *last, struct opl_err *err)
{
    struct row row = {0};
    uint64_t size;
    struct opl_hash root;

    if (!db_rows_next(last))
        return adopt_empty(state, err);
    if (!db_get_u64(last, 0, &size, err) || !db_get_hash(last, 1, &root, err))
        return false;
    if (state->known && size == state->edge.size && opl_hash_equal(&root, &state->root))
        return true;
    if (size < state->seen_size ||
        (size == state->seen_size && !opl_hash_equal(&root, &state->seen_root)))
        return differs(err, "is not the one that this process has seen");
    return read_row(state, last, &row, err) && adopt(state, &row, err);
}

void logstate_advance(struct logstate *state, const struct opl_edge *edge,
                      const uint64_t counters[static OPL_PREFIXES], struct signed_head *head)
{
    signed_head_drop(state->head);
    state->head = head;
    state->edge = *edge;
    state->root = head->head.root;
    state->at = head->at;
    memmove(state->counters, counters, sizeof state->counters);
    state->seen_size = edge->size;
    state->seen_root = head->head.root;
    state->known = true;
}

struct opl_registry *logstate_registry(struct logstate *state)
{
    if (!state->registry_changed)
        return NULL;
    state->registry_changed = false;
    return opl_registry_share((struct opl_registry *)opl_world_registry(state->world));
}

void logstate_trim(struct logstate *state)
{
    bool is_full = opl_world_subjects(state->world) > SUBJECTS_MAX;

    if (state->known && is_full)
        opl_world_forget_all(state->world);
    if (is_full || ++state->groups % DOCUMENT_GROUPS == 0)
        opl_world_forget_documents(state->world);
}

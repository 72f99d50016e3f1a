/* SPDX-License-Identifier: Apache-2.0 */
#include "world_source.h"

#include <opledger/json.h>

#include "blob.h"
#include "entry_row.h"
#include "queries.h"

static bool load_subject(void *ctx, const char *id, struct opl_world *world, struct opl_err *err)
{
    OPL_CLEANUP(db_rows_close) struct db_rows rows = {0};
    const struct world_reader *reader = ctx;

    if (!db_fetch(reader->db, &sql_entry_by_subject, DB_ARGS(db_text(id), db_u64(*reader->size)),
                  &rows, err))
        return false;
    while (db_rows_next(&rows)) {
        OPL_CLEANUP(opl_entry_close) struct opl_entry entry = {0};

        if (!entry_row_read(&rows, &entry, err) || !opl_world_apply(world, &entry, err))
            return false;
    }
    return true;
}

static bool load_document(void *ctx, const struct opl_hash *sha256, struct opl_buf *out,
                          bool *found, struct opl_err *err)
{
    const struct world_reader *reader = ctx;
    struct opl_err why = {0};

    *found = blob_get(reader->db, sha256, out, &why);
    if (*found || why.code == OPL_E_NOT_FOUND)
        return true;
    *err = why;
    return false;
}

static bool read_ids(struct db *db, const struct sql *sql, struct db_args args, json_t *ids,
                     struct opl_err *err)
{
    OPL_CLEANUP(db_rows_close) struct db_rows rows = {0};
    const char *id;

    if (!db_fetch(db, sql, args, &rows, err))
        return false;
    while (db_rows_next(&rows)) {
        if (!db_get_text(&rows, 0, &id, err))
            return false;
        if (json_array_append_new(ids, json_string(id)) != 0)
            return opl_fail(err, OPL_E_NOMEM, "no memory for ids");
    }
    return true;
}

/* Brings in the subjects that a query names: hints, the world looks at each itself. */
static bool bring_in(const struct world_reader *reader, const struct sql *sql, struct db_args args,
                     struct opl_world *world, struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *ids = json_array();
    const struct opl_fold *fold;

    if (ids == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for ids");
    if (!read_ids(reader->db, sql, args, ids, err))
        return false;
    for (size_t i = 0; i < json_array_size(ids); i++) {
        if (!opl_world_find(world, json_string_value(json_array_get(ids, i)), &fold, err))
            return false;
    }
    return true;
}

static bool find_started(void *ctx, const char *target, struct opl_world *world,
                         struct opl_err *err)
{
    return bring_in(ctx, &sql_subject_on_target, DB_ARGS(db_text(target), db_text("started")),
                    world, err);
}

static bool find_evidence(void *ctx, const struct opl_hash *sha256, const char *incident,
                          struct opl_world *world, struct opl_err *err)
{
    return bring_in(ctx, &sql_evidence_hypotheses, DB_ARGS(db_hash(sha256), db_text(incident)),
                    world, err);
}

struct opl_source world_source(struct world_reader *reader)
{
    return (struct opl_source){.ctx = reader,
                               .subject = load_subject,
                               .document = load_document,
                               .evidence = find_evidence,
                               .started_on = find_started};
}

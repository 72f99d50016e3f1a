/* SPDX-License-Identifier: Apache-2.0 */
#include "group_fold.h"

/* Makes room for one element more in an array of `each` bytes. */
static bool grow(void **array, size_t count, size_t *size, size_t each, struct opl_err *err)
{
    size_t wanted = *size == 0 ? 64 : *size * 2;
    void *grown;

    if (count < *size)
        return true;
    grown = realloc(*array, wanted * each);
    if (grown == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for a group of writes");
    *array = grown;
    *size = wanted;
    return true;
}

bool group_touch(struct group *group, const char *id, struct opl_err *err)
{
    if (!grow((void **)&group->touched, group->touched_count, &group->touched_size,
              sizeof *group->touched, err))
        return false;
    snprintf(group->touched[group->touched_count++], sizeof *group->touched, "%s", id);
    return true;
}

static bool use_nonce(struct group *group, const char *nonce, uint64_t seq, struct opl_err *err)
{
    char *slot;

    if (nonce[0] == '\0')
        return true;
    if (!grow((void **)&group->nonces, group->nonce_count, &group->nonce_size,
              sizeof *group->nonces, err))
        return false;
    slot = group->nonces[group->nonce_count++];
    snprintf(slot, sizeof *group->nonces, "%s", nonce);
    rows_add_nonce(&group->rows, nonce, seq); /* copied into the column */
    return true;
}

/* The line as the entry that it becomes; borrows everything. */
static struct opl_entry entry_of(const struct write_line *line, const struct opl_place *place)
{
    return (struct opl_entry){.seq = line->seq,
                              .kind = line->draft.kind,
                              .kind_name = line->draft.kind->name,
                              .actor = place->actor,
                              .id = place->id,
                              .on = line->draft.on[0] != '\0' ? line->draft.on : NULL,
                              .body = line->draft.body,
                              .prev = place->prev,
                              .at = place->at,
                              .observed_at = line->draft.observed_at};
}

static bool add_rows(struct group *group, const struct write_line *line,
                     const struct opl_entry *entry, const struct opl_admission *admission,
                     struct opl_err *err)
{
    for (size_t i = 0; i < line->draft.text_count; i++)
        rows_add_sealed(&group->rows, line->seq, &line->draft.texts[i]);
    for (size_t i = 0; i < admission->blob_count; i++)
        rows_add_blob_ref(&group->rows, &admission->blobs[i], line->seq);
    if (entry->id != NULL && !group_touch(group, entry->id, err))
        return false;
    if (entry->on != NULL && subject_moves(entry->kind) && !group_touch(group, entry->on, err))
        return false;
    return use_nonce(group, admission->nonce, line->seq, err);
}

/* From here on the world has changed: any failure spoils the group. */
static bool join(struct group *group, struct write_line *line, const struct opl_place *place,
                 const struct opl_admission *admission, const struct opl_buf *bytes)
{
    struct opl_entry entry = entry_of(line, place);
    struct opl_err *err = &group->current->err;

    opl_leaf_hash(bytes->data, bytes->len, &line->leaf);
    if (!grow((void **)&group->leaves, group->leaf_count, &group->leaf_size, sizeof *group->leaves,
              err))
        return false;
    group->is_spoiled = true;
    if (!opl_world_apply(group->world, &entry, err) ||
        !add_rows(group, line, &entry, admission, err))
        return false;
    rows_add_entry(&group->rows, &entry, bytes, &line->leaf);
    group->leaves[group->leaf_count++] = line->leaf;
    group->size++;
    if (admission->creates != OPL_ID_NONE)
        group->counters[admission->creates]++;
    if (entry.kind->flags & OPL_KIND_ADMIN)
        group->state->registry_changed = true;
    group->is_spoiled = false;
    return true;
}

static bool fold_line(struct group *group, struct write *write, struct write_line *line,
                      struct opl_err *err)
{
    OPL_CLEANUP(opl_admission_close) struct opl_admission admission = {0};
    char *scope[IDENTITY_SCOPE_MAX + 1];
    struct opl_writer writer = identity_writer(&write->writer, scope);
    struct opl_admit_env env = group_env(group);
    struct opl_place place = {.actor = writer.principal, .at = group->now};

    line->seq = group->size;
    if (!opl_admit(group->world, &env, &writer, &line->draft, line->seq, group->now, &admission,
                   err))
        return false;
    if (admission.creates != OPL_ID_NONE) {
        opl_id_format(admission.creates, group->counters[admission.creates] + 1, line->id);
        place.id = line->id;
    }
    place.prev = line->prev = admission.prev;
    opl_buf_reset(&group->bytes);
    if (!opl_draft_finish(&line->draft, &place, &group->bytes, err))
        return false;
    if (write->keep_bytes && line == write->lines)
        opl_buf_add(&write->bytes, group->bytes.data, group->bytes.len);
    if (!join(group, line, &place, &admission, &group->bytes))
        return opl_fail(err, OPL_E_INTERNAL, "an entry could not join the log");
    return true;
}

static void refuse(struct write *write, size_t line, const struct opl_err *why)
{
    if (write->err.code == OPL_OK)
        write->err = *why;
    if (write->is_batch)
        write_add_error(write, line + 1, why);
}

static bool resolve(struct write *write, size_t i, char (*ids)[OPL_ID_SIZE], struct opl_err *err)
{
    struct opl_draft *draft = &write->lines[i].draft;

    return !draft->has_line_refs ||
           opl_draft_resolve(draft, (const char(*)[OPL_ID_SIZE])ids, i, err);
}

/* All lines are tried, so that the refusal names every one that does not hold. */
static bool fold_lines(struct group *group, struct write *write, struct opl_err *err)
{
    char(*ids)[OPL_ID_SIZE] = calloc(write->count + 1, sizeof *ids);
    size_t joined = 0;

    if (ids == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for the ids of a batch");
    for (size_t i = 0; i < write->count && !group->is_spoiled; i++) {
        struct write_line *line = &write->lines[i];
        struct opl_err why = {0};

        if (resolve(write, i, ids, &why) && fold_line(group, write, line, &why)) {
            memcpy(ids[i], line->id, sizeof *ids);
            joined++;
        } else {
            refuse(write, i, &why);
        }
    }
    free(ids);
    if (write->err.code != OPL_OK && joined > 0)
        group->is_spoiled = true;
    return true;
}

static bool compose(struct group *group, struct write *write)
{
    struct opl_admit_env env = group_env(group);
    const struct write_moment moment = {.world = group->world,
                                        .env = &env,
                                        .origin = group->state->ledger->origin,
                                        .size = group->size,
                                        .now = group->now};

    if (write->compose == NULL || write->compose(write, &moment, &write->err))
        return true;
    return opl_fail(&write->err, OPL_E_INTERNAL, "an act could not be decided");
}

bool group_fold_write(struct group *group, struct write *write, struct opl_err *err)
{
    group->current = write;
    write->at = group->now;
    write->first = group->size;
    if (!compose(group, write) || write->count == 0)
        return true;
    if (!fold_lines(group, write, err))
        return false;
    if (write->err.code != OPL_OK || write->nonce[0] == '\0')
        return true;
    return use_nonce(group, write->nonce, write->first, err);
}

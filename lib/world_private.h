/* SPDX-License-Identifier: Apache-2.0 */
/* world_private - the body of a world, and the fold's half of applying an entry (fold.c). */
#ifndef OPLEDGER_LIB_WORLD_PRIVATE_H
#define OPLEDGER_LIB_WORLD_PRIVATE_H

#include <opledger/world.h>

/* One subject that is held; chained where two share a slot. */
struct opl_subject {
    struct opl_fold fold;
    struct opl_subject *next;
};

/* One small document that is held. */
struct opl_document {
    struct opl_hash sha256;
    char *text;
    size_t len;
    struct opl_document *next;
};

/* A hypothesis that is held and whose closing says what takes its place. */
struct opl_replaced {
    const char *by; /* borrowed from the closing's body */
    const struct opl_fold *fold;
};

struct opl_world {
    struct opl_source source;
    struct opl_registry *registry;
    struct opl_subject **subjects;
    size_t subject_slots; /* a power of two, or 0 */
    size_t subject_count;
    struct opl_document **documents;
    size_t document_slots;
    size_t document_count;
    struct opl_replaced *replaced;
    size_t replaced_count;
    size_t replaced_size;
    const char *loading; /* the subject that the source is applying, or NULL */
};

/* The fold of a subject if it is held; loads nothing. */
const struct opl_fold *opl_world_held(const struct opl_world *world, const char *id);

/* The next hypothesis that is held and that `by` takes the place of, from *at on; or NULL. */
const struct opl_fold *opl_world_replaced(const struct opl_world *world, const char *by,
                                          size_t *at);

/* Keeps, and forgets, what a fold's closing says of its successor. */
OPL_MUST_CHECK bool opl_world_add_replaced(struct opl_world *world, const struct opl_fold *fold,
                                           const struct opl_entry *closing, struct opl_err *err);
void opl_world_drop_replaced(struct opl_world *world, const struct opl_fold *fold);

/* Starts an empty fold from the entry that creates it; OPL_E_LOG for a bad id. */
OPL_MUST_CHECK bool opl_fold_create(struct opl_fold *fold, const struct opl_entry *entry,
                                    struct opl_err *err);

/* Adds an entry about the fold, or the one that created it: its fact, its state, its place. */
OPL_MUST_CHECK bool opl_fold_add(struct opl_fold *fold, const struct opl_entry *entry,
                                 struct opl_err *err);
void opl_fold_close(struct opl_fold *fold);

#endif

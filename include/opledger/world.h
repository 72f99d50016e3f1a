/* SPDX-License-Identifier: Apache-2.0 */
/*
 * world - the state of the log at one size: the registry and the fold of each subject.
 *
 * A fold is the facts about one subject in log order: the entry that created it and those about it.
 * Everything the gate and admission need is computed by walking facts, so nothing here can disagree
 * with the log. A verifier applies all entries; the server loads subjects on demand through
 * `struct opl_source` and forgets them again.
 */
#ifndef OPLEDGER_WORLD_H
#define OPLEDGER_WORLD_H

#include <opledger/registry.h>

struct opl_world;

#define OPL_NO_SEQ UINT64_MAX

struct opl_fact {
    uint64_t seq;
    uint64_t withdrawn_by; /* the fact.withdrawn that took it back, or OPL_NO_SEQ */
    const struct opl_kind *kind;
    char *actor;
    int64_t at;
    char id[OPL_ID_SIZE]; /* what it created, or "" */
    char on[OPL_ID_SIZE]; /* what it is about, or "" */
    json_t *body;         /* owned reference */
};

struct opl_fold {
    char id[OPL_ID_SIZE];
    enum opl_prefix prefix;
    uint64_t number;
    char on[OPL_ID_SIZE]; /* of the creating entry; "" when none */
    enum opl_state state;
    uint64_t created;       /* sequence numbers */
    uint64_t last_seq;      /* the newest entry that created or was about it: the next one's prev */
    struct opl_fact *facts; /* notes and model calls are counted, not kept */
    size_t fact_count;
    size_t fact_size;
    uint64_t *notes; /* sequence numbers of the notes, rising */
    size_t note_count;
    size_t note_size;
    size_t *evidence; /* positions in facts of what was attached, rising */
    size_t evidence_count;
    size_t evidence_size;
};

/*
 * Where a world gets what it does not hold. Each function may fail; `found` false means that the
 * log holds no such thing. A verifier that holds everything leaves them NULL.
 */
struct opl_source {
    void *ctx;
    /* Applies every entry of subject `id`, in order, with opl_world_apply. */
    bool (*subject)(void *ctx, const char *id, struct opl_world *world, struct opl_err *err);
    /* A small document (manifest, policy, models) by digest; the caller checks the digest again. */
    bool (*document)(void *ctx, const struct opl_hash *sha256, struct opl_buf *out, bool *found,
                     struct opl_err *err);
    /*
     * Calls opl_world_find for the hypotheses of this incident to which evidence of this digest was
     * attached: a hint, the folds decide. NULL: all of its hypotheses are loaded and looked
     * through.
     */
    bool (*evidence)(void *ctx, const struct opl_hash *sha256, const char *incident,
                     struct opl_world *world, struct opl_err *err);
    /* Calls opl_world_find for every change of this target that may be started; NULL: all are held.
     */
    bool (*started_on)(void *ctx, const char *target, struct opl_world *world, struct opl_err *err);
};

struct opl_world *opl_world_new(const struct opl_source *source); /* copied; NULL allowed */
void opl_world_free(struct opl_world *world);
void opl_world_freep(struct opl_world **world);

const struct opl_registry *opl_world_registry(const struct opl_world *world);

/* Replaces the registry, taking it over: the server keeps one and clones it. */
void opl_world_set_registry_take(struct opl_world *world, struct opl_registry *registry);

/*
 * Applies one log entry: to the registry, to the fold that it creates and to the one it is on (if
 * that is held or is being loaded). Entries come in order; one whose `prev` is not the last entry
 * of its subject is OPL_E_LOG: something in between is missing. Unknown kinds move last_seq only.
 */
OPL_MUST_CHECK bool opl_world_apply(struct opl_world *world, const struct opl_entry *entry,
                                    struct opl_err *err);

/* The fold of a subject, loading it if need be; *fold is NULL when the log has no such subject. */
OPL_MUST_CHECK bool opl_world_find(struct opl_world *world, const char *id,
                                   const struct opl_fold **fold, struct opl_err *err);

/* A document by digest (cached, digest checked); *text stays valid while the world does not change.
 * *text is NULL when it is not there. */
OPL_MUST_CHECK bool opl_world_document(struct opl_world *world, const struct opl_hash *sha256,
                                       const char **text, size_t *len, struct opl_err *err);

/* Hands a document to a world without a source. */
OPL_MUST_CHECK bool opl_world_add_document(struct opl_world *world, const char *text, size_t len,
                                           struct opl_err *err);

/* Forgets one subject, or all but the registry: the next find loads again. */
void opl_world_forget(struct opl_world *world, const char *id);
void opl_world_forget_all(struct opl_world *world);
void opl_world_forget_documents(struct opl_world *world);
size_t opl_world_subjects(const struct opl_world *world); /* how many are held */

/* A change of this target that is started at `now`, other than `except`; "" when there is none. */
OPL_MUST_CHECK bool opl_world_started_on(struct opl_world *world, const char *target,
                                         const char *except, int64_t now, char id[OPL_ID_SIZE],
                                         struct opl_err *err);

/* Helpers over folds. */

/* The state at a moment: a started change past its deadline is unknown. */
enum opl_state opl_fold_state(const struct opl_fold *fold, int64_t now);
const struct opl_fact *opl_fold_fact(const struct opl_fold *fold, uint64_t seq); /* or NULL */
const struct opl_fact *opl_fold_creation(const struct opl_fold *fold);

bool opl_fold_has_note(const struct opl_fold *fold, uint64_t seq);

/* The digest of the change's manifest in force (proposed or last revised) as text; borrowed. */
const char *opl_change_manifest(const struct opl_fold *change);
const char *opl_change_proposer(const struct opl_fold *change);
/* The ids of the hypotheses that it rests on now; a borrowed array of strings, or NULL. */
const json_t *opl_change_hypotheses(const struct opl_fold *change);
/* The entry in force: change.proposed or the last change.revised. */
const struct opl_fact *opl_change_version(const struct opl_fold *change);

/* Whether evidence with this digest, not empty and not withdrawn, was attached to the fold below
 * sequence number `below`. */
bool opl_fold_has_evidence(const struct opl_fold *fold, const char *digest, uint64_t below);

/*
 * The same within a fold's reach: itself, its incident, and that incident's hypotheses; for a
 * change also the incidents of the hypotheses that it rests on.
 */
OPL_MUST_CHECK bool opl_world_has_evidence(struct opl_world *world, const struct opl_fold *fold,
                                           const char *digest, uint64_t below, bool *yes,
                                           struct opl_err *err);

#endif

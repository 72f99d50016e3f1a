/* SPDX-License-Identifier: Apache-2.0 */
/*
 * admit - whether a draft may become the next entry: the rules that need the state of the log.
 *
 * Writers and roles, parents and states, ids and sequence numbers that must exist, evidence that
 * must have been attached, Statements (one function for what all share), the gate for
 * change.started. What it cannot know without I/O it asks `struct opl_admit_env`.
 */
#ifndef OPLEDGER_ADMIT_H
#define OPLEDGER_ADMIT_H

#include <opledger/statement.h>
#include <opledger/world.h>

/* Who writes. */
struct opl_writer {
    const char *principal; /* OPL_SELF: the service itself */
    /* the token's scope, NULL-terminated; NULL: all that the principal's roles allow */
    char *const *scope;
};

struct opl_admit_env {
    void *ctx;
    /* whether the blob is stored */
    bool (*has_blob)(void *ctx, const struct opl_hash *sha256, bool *yes, struct opl_err *err);
    /* whether a stored blob has that many bytes */
    bool (*blob_is)(void *ctx, const struct opl_hash *sha256, uint64_t size, bool *yes,
                    struct opl_err *err);
    /* whether a Statement's nonce was used before; inside the group too */
    bool (*nonce_used)(void *ctx, const char *nonce, bool *yes, struct opl_err *err);
    /* whether (size, root) is a head on this log's history under this origin */
    bool (*on_history)(void *ctx, const struct opl_head *head, bool *yes, struct opl_err *err);
    /* runs the filter's verify pass over a stored output: OPL_E_INVALID names what it found */
    bool (*clean_output)(void *ctx, const struct opl_hash *sha256, struct opl_err *err);
};

struct opl_admission {
    int64_t prev;               /* -1 when there is none */
    enum opl_prefix creates;    /* the id to number, or OPL_ID_NONE */
    char nonce[OPL_NONCE_SIZE]; /* of the Statement now used, or "" */
    struct opl_hash *blobs;     /* owned: references that the entry makes, all stored */
    size_t blob_count;
    size_t blob_size; /* allocated */
};

void opl_admission_close(struct opl_admission *admission);

/*
 * Checks one draft (its "#n" resolved) against the world as it would be written at sequence number
 * `seq` and time `now` by `writer`. The error says which rule, with field and hint. Nothing
 * changes. *out is for the caller to close; on failure it is empty.
 */
OPL_MUST_CHECK bool opl_admit(struct opl_world *world, const struct opl_admit_env *env,
                              const struct opl_writer *writer, const struct opl_draft *draft,
                              uint64_t seq, int64_t now, struct opl_admission *out,
                              struct opl_err *err);

/* Whether a writer holds one of the roles ("recorder|approver.*"), by principal and by token. */
bool opl_writer_may(const struct opl_registry *registry, const struct opl_writer *writer,
                    const char *roles);

/* The rules digest of CONTRACT section 3 over all adopted redaction policies and models. */
OPL_MUST_CHECK bool opl_adopted_rules(const struct opl_registry *registry, struct opl_hash *out,
                                      struct opl_err *err);

/*
 * What all Statements share: signature, signer's key valid now, type, not expired, not from the
 * future, log on history, nonce unused. Also used by login, whose challenge the caller checks.
 * OPL_E_SIGNATURE, OPL_E_STALE, OPL_E_INVALID, at /statement or /sshsig.
 */
OPL_MUST_CHECK bool opl_statement_check(const struct opl_registry *registry,
                                        const struct opl_admit_env *env, const char *text,
                                        const char *sshsig, const char *type, int64_t now,
                                        struct opl_statement *out,
                                        const struct opl_person_key **key, struct opl_err *err);

#endif

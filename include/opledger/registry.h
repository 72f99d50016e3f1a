/* SPDX-License-Identifier: Apache-2.0 */
/*
 * registry - who may do what, and which policies are in force: the fold of administration entries.
 *
 * Pure and complete: it is built by applying every administration entry in log order and nothing
 * else. After bootstrap.closed it ignores those that lack a different approver's signature,
 * whatever the server let through.
 */
#ifndef OPLEDGER_REGISTRY_H
#define OPLEDGER_REGISTRY_H

#include <opledger/entry.h>

enum opl_class {
    OPL_CLASS_PERSON = 1,
    OPL_CLASS_SERVICE = 2,
    OPL_CLASS_AGENT = 4,
    OPL_CLASS_ITSELF = 8
};

#define OPL_SELF "opledger" /* the service's own name */

struct opl_principal {
    char name[65];
    enum opl_class class;   /* the same bits as OPL_W_* */
    char owner[65];         /* the person behind a service or agent; "" for a person */
    struct opl_model model; /* an agent's; provider "" otherwise */
    char **roles;           /* NULL-terminated */
    bool revoked;
    uint64_t seq;
};

struct opl_person_key {
    char principal[65];
    char fingerprint[64]; /* "SHA256:..." */
    char *line;           /* OpenSSH public key line without comment */
    bool hardware_seen;
    int64_t not_before; /* INT64_MIN when open */
    int64_t not_after;  /* INT64_MAX when open */
    bool revoked;
    uint64_t seq;
};

struct opl_token {
    char id[17];
    char principal[65];
    struct opl_hash sha256;
    char **scope; /* NULL-terminated */
    int64_t expires;
    bool bootstrap; /* the first one, made without a login: revoked by bootstrap.closed */
    bool revoked;
};

struct opl_adopted {
    char what[8]; /* gate, redact, models */
    char name[65];
    struct opl_hash sha256;
    uint64_t seq;
};

struct opl_registry;

struct opl_registry *opl_registry_new(void); /* NULL: no memory */
void opl_registry_free(struct opl_registry *registry);
void opl_registry_freep(struct opl_registry **registry);
struct opl_registry *opl_registry_clone(const struct opl_registry *registry);
/*
 * The same object with one owner more; each frees it. A shared one must not be changed: a world
 * clones it before it applies administration. Any thread.
 */
struct opl_registry *opl_registry_share(struct opl_registry *registry);
bool opl_registry_is_shared(const struct opl_registry *registry);

/*
 * Applies one entry; those that are not administration change nothing. An entry that does not count
 * (unknown principal, missing second signature) is ignored, not an error; only OPL_E_NOMEM is,
 * after which the registry is good for nothing but freeing.
 */
OPL_MUST_CHECK bool opl_registry_apply(struct opl_registry *registry, const struct opl_entry *entry,
                                       struct opl_err *err);

bool opl_registry_bootstrap_closed(const struct opl_registry *registry);

/* Borrowed until the registry changes; NULL when unknown. Revoked ones are returned too. */
const struct opl_principal *opl_registry_principal(const struct opl_registry *registry,
                                                   const char *name);
const struct opl_person_key *opl_registry_key(const struct opl_registry *registry,
                                              const char *fingerprint);
const struct opl_token *opl_registry_token(const struct opl_registry *registry,
                                           const struct opl_hash *token_sha256);
const struct opl_token *opl_registry_token_by_id(const struct opl_registry *registry,
                                                 const char *id);

/* By position, NULL past the end; for lists. */
const struct opl_principal *opl_registry_principal_at(const struct opl_registry *registry,
                                                      size_t i);
const struct opl_person_key *opl_registry_key_at(const struct opl_registry *registry, size_t i);
/* The policies in force: one per (what, name). */
const struct opl_adopted *opl_registry_policy_at(const struct opl_registry *registry, size_t i);
const struct opl_adopted *opl_registry_policy(const struct opl_registry *registry, const char *what,
                                              const char *name);

/* The person behind a principal: itself, or a service's or agent's owner. Borrowed. */
const char *opl_registry_person(const struct opl_registry *registry, const char *principal);
bool opl_registry_same_person(const struct opl_registry *registry, const char *a, const char *b);

/* Whether a principal holds a role now: "slurm" style names mean approver.slurm is asked by its
 * full word. */
bool opl_principal_has_role(const struct opl_principal *principal, const char *role);
bool opl_principal_has_approver_role(const struct opl_principal *principal);

/* Whether a key may sign at this moment: not revoked, inside its dates, its principal not revoked.
 */
bool opl_registry_key_valid(const struct opl_registry *registry, const struct opl_person_key *key,
                            int64_t at);

/* How many people hold an approver role and a valid key: two are needed to close the bootstrap. */
size_t opl_registry_approvers(const struct opl_registry *registry, int64_t at);

#endif

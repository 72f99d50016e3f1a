/* SPDX-License-Identifier: Apache-2.0 */
/* registry_private - what the files of the registry share among themselves. */
#ifndef OPLEDGER_LIB_REGISTRY_PRIVATE_H
#define OPLEDGER_LIB_REGISTRY_PRIVATE_H

#include <stdatomic.h>

#include <opledger/registry.h>

#include "map.h"

struct opl_registry {
    atomic_size_t owners;
    bool bootstrap_closed;
    struct opl_principal *principals;
    size_t principal_count;
    size_t principal_size;
    struct opl_person_key *keys;
    size_t key_count;
    size_t key_size;
    struct opl_token *tokens;
    size_t token_count;
    size_t token_size;
    struct opl_adopted *policies;
    size_t policy_count;
    size_t policy_size;
    struct opl_map by_name;        /* of principals */
    struct opl_map by_fingerprint; /* of keys */
    struct opl_map by_secret;      /* of tokens, by the digest of the secret */
    struct opl_map by_token_id;
};

/* The role words of a JSON list: a NULL-terminated array for opl_words_free, or NULL. */
char **opl_words_read(const json_t *list);
char **opl_words_copy(char *const *words);
void opl_words_free(char **words);
bool opl_words_have(char *const *words, const char *word);

/* Whether a principal is a person with an approver role and a key, other than `without`, that is
 * valid then. */
bool opl_registry_is_approver(const struct opl_registry *registry,
                              const struct opl_principal *principal, int64_t at,
                              const char *without);

/* Whether an administration entry needs the signature of a second approver (CONTRACT section 3). */
bool opl_admin_needs_second(const struct opl_registry *registry, const char *kind,
                            const char *actor, const json_t *body);

struct opl_statement;

/* An administration entry as far as a second signature covers it. */
struct opl_admin_act {
    const char *kind;
    const char *actor;
    const json_t *body;
    int64_t at;
};

/*
 * Whether `statement` (whose signature is verified, by `key`) is a second approver's under exactly
 * this entry. OPL_E_FORBIDDEN or OPL_E_INVALID with what is wrong.
 */
OPL_MUST_CHECK bool opl_admin_second_fits(const struct opl_registry *registry,
                                          const struct opl_admin_act *act,
                                          const struct opl_statement *statement,
                                          struct opl_err *err);

/* The fold's own check: verifies the signature in the body too; needs no log and no nonces. */
OPL_MUST_CHECK bool opl_admin_second_holds(const struct opl_registry *registry,
                                           const struct opl_admin_act *act, struct opl_err *err);

#endif

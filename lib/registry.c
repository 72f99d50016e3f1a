/* SPDX-License-Identifier: Apache-2.0 */
#include <opledger/registry.h>

#include "registry_private.h"

char **opl_words_read(const json_t *list)
{
    size_t count = json_array_size(list);
    char **words = calloc(count + 1, sizeof *words);

    for (size_t i = 0; words != NULL && i < count; i++) {
        const char *word = json_string_value(json_array_get(list, i));

        words[i] = strdup(word == NULL ? "" : word);
        if (words[i] == NULL) {
            opl_words_free(words);
            return NULL;
        }
    }
    return words;
}

char **opl_words_copy(char *const *words)
{
    size_t count = 0;
    char **copy;

    while (words[count] != NULL)
        count++;
    copy = calloc(count + 1, sizeof *copy);
    for (size_t i = 0; copy != NULL && i < count; i++) {
        copy[i] = strdup(words[i]);
        if (copy[i] == NULL) {
            opl_words_free(copy);
            return NULL;
        }
    }
    return copy;
}

void opl_words_free(char **words)
{
    for (size_t i = 0; words != NULL && words[i] != NULL; i++)
        free(words[i]);
    free(words);
}

bool opl_words_have(char *const *words, const char *word)
{
    for (size_t i = 0; words[i] != NULL; i++) {
        if (strcmp(words[i], word) == 0)
            return true;
    }
    return false;
}

struct opl_registry *opl_registry_new(void)
{
    struct opl_registry *registry = calloc(1, sizeof *registry);

    if (registry != NULL)
        atomic_init(&registry->owners, 1);
    return registry;
}

struct opl_registry *opl_registry_share(struct opl_registry *registry)
{
    atomic_fetch_add(&registry->owners, 1);
    return registry;
}

bool opl_registry_is_shared(const struct opl_registry *registry)
{
    return atomic_load(&registry->owners) > 1;
}

void opl_registry_free(struct opl_registry *registry)
{
    if (registry == NULL || atomic_fetch_sub(&registry->owners, 1) > 1)
        return;
    for (size_t i = 0; i < registry->principal_count; i++)
        opl_words_free(registry->principals[i].roles);
    for (size_t i = 0; i < registry->key_count; i++)
        free(registry->keys[i].line);
    for (size_t i = 0; i < registry->token_count; i++)
        opl_words_free(registry->tokens[i].scope);
    free(registry->principals);
    free(registry->keys);
    free(registry->tokens);
    free(registry->policies);
    opl_map_close(&registry->by_name);
    opl_map_close(&registry->by_fingerprint);
    opl_map_close(&registry->by_secret);
    opl_map_close(&registry->by_token_id);
    free(registry);
}

void opl_registry_freep(struct opl_registry **registry)
{
    opl_registry_free(*registry);
    *registry = NULL;
}

/* Counts rise one by one, so that a copy that fails half-way is freed like any other. */
static bool copy_principals(struct opl_registry *to, const struct opl_registry *from)
{
    to->principals = calloc(from->principal_size + 1, sizeof *to->principals);
    if (to->principals == NULL)
        return false;
    to->principal_size = from->principal_size + 1;
    for (size_t i = 0; i < from->principal_count; i++) {
        char **roles = opl_words_copy(from->principals[i].roles);

        if (roles == NULL)
            return false;
        to->principals[i] = from->principals[i];
        to->principals[i].roles = roles;
        to->principal_count++;
    }
    return true;
}

static bool copy_keys(struct opl_registry *to, const struct opl_registry *from)
{
    to->keys = calloc(from->key_size + 1, sizeof *to->keys);
    if (to->keys == NULL)
        return false;
    to->key_size = from->key_size + 1;
    for (size_t i = 0; i < from->key_count; i++) {
        char *line = strdup(from->keys[i].line);

        if (line == NULL)
            return false;
        to->keys[i] = from->keys[i];
        to->keys[i].line = line;
        to->key_count++;
    }
    return true;
}

static bool copy_tokens(struct opl_registry *to, const struct opl_registry *from)
{
    to->tokens = calloc(from->token_size + 1, sizeof *to->tokens);
    if (to->tokens == NULL)
        return false;
    to->token_size = from->token_size + 1;
    for (size_t i = 0; i < from->token_count; i++) {
        char **scope = opl_words_copy(from->tokens[i].scope);

        if (scope == NULL)
            return false;
        to->tokens[i] = from->tokens[i];
        to->tokens[i].scope = scope;
        to->token_count++;
    }
    return true;
}

static bool copy_policies(struct opl_registry *to, const struct opl_registry *from)
{
    to->policies = calloc(from->policy_size + 1, sizeof *to->policies);
    if (to->policies == NULL)
        return false;
    to->policy_size = from->policy_size + 1;
    for (size_t i = 0; i < from->policy_count; i++)
        to->policies[i] = from->policies[i];
    to->policy_count = from->policy_count;
    return true;
}

static bool copy_maps(struct opl_registry *to, const struct opl_registry *from)
{
    return opl_map_copy(&to->by_name, &from->by_name, NULL) &&
           opl_map_copy(&to->by_fingerprint, &from->by_fingerprint, NULL) &&
           opl_map_copy(&to->by_secret, &from->by_secret, NULL) &&
           opl_map_copy(&to->by_token_id, &from->by_token_id, NULL);
}

struct opl_registry *opl_registry_clone(const struct opl_registry *registry)
{
    struct opl_registry *copy = opl_registry_new();

    if (copy == NULL)
        return NULL;
    copy->bootstrap_closed = registry->bootstrap_closed;
    if (copy_principals(copy, registry) && copy_keys(copy, registry) &&
        copy_tokens(copy, registry) && copy_policies(copy, registry) && copy_maps(copy, registry))
        return copy;
    opl_registry_free(copy);
    return NULL;
}

bool opl_registry_bootstrap_closed(const struct opl_registry *registry)
{
    return registry->bootstrap_closed;
}

const struct opl_principal *opl_registry_principal(const struct opl_registry *registry,
                                                   const char *name)
{
    struct opl_map_walk walk = {opl_map_hash(name, strlen(name)), 0};
    size_t i;

    while (opl_map_next(&registry->by_name, &walk, &i)) {
        if (strcmp(registry->principals[i].name, name) == 0)
            return &registry->principals[i];
    }
    return NULL;
}

const struct opl_person_key *opl_registry_key(const struct opl_registry *registry,
                                              const char *fingerprint)
{
    struct opl_map_walk walk = {opl_map_hash(fingerprint, strlen(fingerprint)), 0};
    size_t i;

    while (opl_map_next(&registry->by_fingerprint, &walk, &i)) {
        if (strcmp(registry->keys[i].fingerprint, fingerprint) == 0)
            return &registry->keys[i];
    }
    return NULL;
}

const struct opl_token *opl_registry_token(const struct opl_registry *registry,
                                           const struct opl_hash *token_sha256)
{
    struct opl_map_walk walk = {opl_map_hash(token_sha256->b, sizeof token_sha256->b), 0};
    size_t i;

    while (opl_map_next(&registry->by_secret, &walk, &i)) {
        if (opl_hash_equal(&registry->tokens[i].sha256, token_sha256))
            return &registry->tokens[i];
    }
    return NULL;
}

const struct opl_token *opl_registry_token_by_id(const struct opl_registry *registry,
                                                 const char *id)
{
    struct opl_map_walk walk = {opl_map_hash(id, strlen(id)), 0};
    size_t i;

    while (opl_map_next(&registry->by_token_id, &walk, &i)) {
        if (strcmp(registry->tokens[i].id, id) == 0)
            return &registry->tokens[i];
    }
    return NULL;
}

const struct opl_principal *opl_registry_principal_at(const struct opl_registry *registry, size_t i)
{
    return i < registry->principal_count ? &registry->principals[i] : NULL;
}

const struct opl_person_key *opl_registry_key_at(const struct opl_registry *registry, size_t i)
{
    return i < registry->key_count ? &registry->keys[i] : NULL;
}

const struct opl_adopted *opl_registry_policy_at(const struct opl_registry *registry, size_t i)
{
    return i < registry->policy_count ? &registry->policies[i] : NULL;
}

const struct opl_adopted *opl_registry_policy(const struct opl_registry *registry, const char *what,
                                              const char *name)
{
    for (size_t i = 0; i < registry->policy_count; i++) {
        const struct opl_adopted *policy = &registry->policies[i];

        if (strcmp(policy->what, what) == 0 && strcmp(policy->name, name) == 0)
            return policy;
    }
    return NULL;
}

const char *opl_registry_person(const struct opl_registry *registry, const char *principal)
{
    const struct opl_principal *known = opl_registry_principal(registry, principal);

    return known == NULL || known->owner[0] == '\0' ? principal : known->owner;
}

bool opl_registry_same_person(const struct opl_registry *registry, const char *a, const char *b)
{
    return strcmp(opl_registry_person(registry, a), opl_registry_person(registry, b)) == 0;
}

/* Every role implies reader. */
bool opl_principal_has_role(const struct opl_principal *principal, const char *role)
{
    if (strcmp(role, "reader") == 0)
        return principal->roles[0] != NULL;
    return opl_words_have(principal->roles, role);
}

bool opl_principal_has_approver_role(const struct opl_principal *principal)
{
    for (size_t i = 0; principal->roles[i] != NULL; i++) {
        if (strncmp(principal->roles[i], "approver.", strlen("approver.")) == 0)
            return true;
    }
    return false;
}

bool opl_registry_key_valid(const struct opl_registry *registry, const struct opl_person_key *key,
                            int64_t at)
{
    const struct opl_principal *owner = opl_registry_principal(registry, key->principal);

    return owner != NULL && !owner->revoked && !key->revoked && at >= key->not_before &&
           at < key->not_after;
}

bool opl_registry_is_approver(const struct opl_registry *registry,
                              const struct opl_principal *principal, int64_t at,
                              const char *without)
{
    if (principal->revoked || principal->class != OPL_CLASS_PERSON ||
        !opl_principal_has_approver_role(principal))
        return false;
    for (size_t i = 0; i < registry->key_count; i++) {
        const struct opl_person_key *key = &registry->keys[i];

        if (strcmp(key->principal, principal->name) == 0 &&
            (without == NULL || strcmp(key->fingerprint, without) != 0) &&
            opl_registry_key_valid(registry, key, at))
            return true;
    }
    return false;
}

size_t opl_registry_approvers(const struct opl_registry *registry, int64_t at)
{
    size_t count = 0;

    for (size_t i = 0; i < registry->principal_count; i++)
        count += opl_registry_is_approver(registry, &registry->principals[i], at, NULL);
    return count;
}

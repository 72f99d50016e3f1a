/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What each administration entry does to the registry. An entry that may not count is passed over
 * in silence: it stands in the log, and admission is where its writer is told.
 */
#include "registry_private.h"

#include <opledger/encode.h>
#include <opledger/json.h>
#include <opledger/sshkey.h>
#include <opledger/time.h>

#include "array.h"

typedef bool (*fold_fn)(struct opl_registry *registry, const struct opl_entry *entry,
                        struct opl_err *err);

static struct opl_principal *named_principal(struct opl_registry *registry, const json_t *body,
                                             const char *field)
{
    const char *name = opl_json_str(body, field);

    return name == NULL ? NULL : (struct opl_principal *)opl_registry_principal(registry, name);
}

static void copy_text(char *to, size_t size, const char *from)
{
    (void)snprintf(to, size, "%s", from == NULL ? "" : from);
}

static enum opl_class class_of(const char *word)
{
    if (word == NULL)
        return 0;
    if (strcmp(word, "person") == 0)
        return OPL_CLASS_PERSON;
    if (strcmp(word, "service") == 0)
        return OPL_CLASS_SERVICE;
    return strcmp(word, "agent") == 0 ? OPL_CLASS_AGENT : 0;
}

/* A service or agent stands for a person, whose votes it shares. */
static bool has_fit_owner(struct opl_registry *registry, const json_t *body, enum opl_class class)
{
    const struct opl_principal *owner = named_principal(registry, body, "owner");

    if (class == OPL_CLASS_PERSON)
        return opl_json_str(body, "owner") == NULL;
    return owner != NULL && owner->class == OPL_CLASS_PERSON && !owner->revoked;
}

static bool add_principal(struct opl_registry *registry, struct opl_principal *principal_take,
                          struct opl_err *err)
{
    struct opl_principal *items = opl_array_room(registry->principals, registry->principal_count,
                                                 &registry->principal_size, sizeof *items, err);
    const char *name = principal_take->name;

    if (items != NULL)
        registry->principals = items;
    if (items == NULL || !opl_map_add(&registry->by_name, opl_map_hash(name, strlen(name)),
                                      registry->principal_count, err)) {
        opl_words_free(principal_take->roles);
        return false;
    }
    items[registry->principal_count++] = *principal_take;
    return true;
}

static bool enroll(struct opl_registry *registry, const struct opl_entry *entry,
                   struct opl_err *err)
{
    const json_t *body = entry->body, *model = json_object_get(body, "model");
    const char *name = opl_json_str(body, "name");
    struct opl_principal added = {.class = class_of(opl_json_str(body, "class")),
                                  .seq = entry->seq};

    if (name == NULL || added.class == 0 || strcmp(name, OPL_SELF) == 0 ||
        opl_registry_principal(registry, name) != NULL ||
        !has_fit_owner(registry, body, added.class) ||
        (added.class == OPL_CLASS_AGENT && opl_json_str(model, "provider") == NULL))
        return true;
    copy_text(added.name, sizeof added.name, name);
    copy_text(added.owner, sizeof added.owner, opl_json_str(body, "owner"));
    copy_text(added.model.provider, sizeof added.model.provider, opl_json_str(model, "provider"));
    copy_text(added.model.name, sizeof added.model.name, opl_json_str(model, "name"));
    copy_text(added.model.version, sizeof added.model.version, opl_json_str(model, "version"));
    added.roles = opl_words_read(json_object_get(body, "roles"));
    if (added.roles == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for a principal");
    return add_principal(registry, &added, err);
}

static bool change(struct opl_registry *registry, const struct opl_entry *entry,
                   struct opl_err *err)
{
    struct opl_principal *principal = named_principal(registry, entry->body, "name");
    char **roles;

    if (principal == NULL)
        return true;
    roles = opl_words_read(json_object_get(entry->body, "roles"));
    if (roles == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for roles");
    opl_words_free(principal->roles);
    principal->roles = roles;
    return true;
}

static bool revoke_principal(struct opl_registry *registry, const struct opl_entry *entry,
                             struct opl_err *err)
{
    struct opl_principal *principal = named_principal(registry, entry->body, "name");

    (void)err;
    if (principal != NULL)
        principal->revoked = true;
    return true;
}

static int64_t moment(const json_t *body, const char *field, int64_t otherwise)
{
    const char *text = opl_json_str(body, field);
    int64_t at;

    return text != NULL && opl_time_parse(text, &at, NULL) ? at : otherwise;
}

/* Lack of memory is the one reason that must not pass for a missing signature. */
static bool second_holds(const struct opl_registry *registry, const struct opl_entry *entry,
                         bool *yes, struct opl_err *err)
{
    const struct opl_admin_act act = {entry->kind->name, entry->actor, entry->body, entry->at};
    struct opl_err why = {0};

    *yes = opl_admin_second_holds(registry, &act, &why);
    return why.code != OPL_E_NOMEM || opl_fail(err, OPL_E_NOMEM, "%s", why.text);
}

/* The token counts as seen only when the entry carries the word of the person who saw it. */
static bool hardware_seen(const struct opl_registry *registry, const struct opl_entry *entry,
                          bool *yes, struct opl_err *err)
{
    const char *hardware = opl_json_str(entry->body, "hardware");

    *yes = false;
    return hardware == NULL || strcmp(hardware, "seen") != 0 ||
           second_holds(registry, entry, yes, err);
}

static bool append_key(struct opl_registry *registry, struct opl_person_key *key_take,
                       struct opl_err *err)
{
    struct opl_person_key *items = opl_array_room(registry->keys, registry->key_count,
                                                  &registry->key_size, sizeof *items, err);
    const char *fingerprint = key_take->fingerprint;

    if (items != NULL)
        registry->keys = items;
    if (items == NULL ||
        !opl_map_add(&registry->by_fingerprint, opl_map_hash(fingerprint, strlen(fingerprint)),
                     registry->key_count, err)) {
        free(key_take->line);
        return false;
    }
    items[registry->key_count++] = *key_take;
    return true;
}

static bool add_key(struct opl_registry *registry, const struct opl_entry *entry,
                    struct opl_err *err)
{
    const json_t *body = entry->body;
    const struct opl_principal *owner = named_principal(registry, body, "principal");
    const char *line = opl_json_str(body, "public_key");
    char fingerprint[OPL_FINGERPRINT_SIZE];
    struct opl_person_key added = {.seq = entry->seq};
    struct opl_sshkey key;

    if (owner == NULL || owner->class != OPL_CLASS_PERSON || line == NULL ||
        !opl_sshkey_parse(line, &key, NULL))
        return true;
    opl_sshkey_fingerprint(&key, fingerprint);
    if (opl_registry_key(registry, fingerprint) != NULL)
        return true; /* one key, one person; and a revoked one never comes back */
    copy_text(added.principal, sizeof added.principal, owner->name);
    copy_text(added.fingerprint, sizeof added.fingerprint, fingerprint);
    added.not_before = moment(body, "not_before", INT64_MIN);
    added.not_after = moment(body, "not_after", INT64_MAX);
    if (!hardware_seen(registry, entry, &added.hardware_seen, err))
        return false;
    added.line = strdup(line);
    if (added.line == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for a key");
    return append_key(registry, &added, err);
}

static bool revoke_key(struct opl_registry *registry, const struct opl_entry *entry,
                       struct opl_err *err)
{
    const char *fingerprint = opl_json_str(entry->body, "fingerprint");
    const char *owner = opl_json_str(entry->body, "principal");
    struct opl_person_key *key =
        fingerprint == NULL ? NULL
                            : (struct opl_person_key *)opl_registry_key(registry, fingerprint);

    (void)err;
    if (key != NULL && owner != NULL && strcmp(key->principal, owner) == 0)
        key->revoked = true;
    return true;
}

static bool has_key(const struct opl_registry *registry, const char *principal)
{
    for (size_t i = 0; i < registry->key_count; i++) {
        if (strcmp(registry->keys[i].principal, principal) == 0)
            return true;
    }
    return false;
}

static bool append_token(struct opl_registry *registry, struct opl_token *token_take,
                         struct opl_err *err)
{
    struct opl_token *items = opl_array_room(registry->tokens, registry->token_count,
                                             &registry->token_size, sizeof *items, err);
    uint64_t secret = opl_map_hash(token_take->sha256.b, sizeof token_take->sha256.b);
    uint64_t id = opl_map_hash(token_take->id, strlen(token_take->id));

    if (items != NULL)
        registry->tokens = items;
    if (items == NULL || !opl_map_add(&registry->by_secret, secret, registry->token_count, err) ||
        !opl_map_add(&registry->by_token_id, id, registry->token_count, err)) {
        opl_words_free(token_take->scope);
        return false;
    }
    items[registry->token_count++] = *token_take;
    return true;
}

static bool create_token(struct opl_registry *registry, const struct opl_entry *entry,
                         struct opl_err *err)
{
    const json_t *body = entry->body;
    const struct opl_principal *owner = named_principal(registry, body, "principal");
    const char *id = opl_json_str(body, "token_id"), *digest = opl_json_str(body, "token_sha256");
    struct opl_token added = {.expires = moment(body, "expires", 0)};

    if (owner == NULL || id == NULL || digest == NULL ||
        !opl_hash_from_hex(digest, &added.sha256, NULL) ||
        opl_registry_token_by_id(registry, id) != NULL ||
        opl_registry_token(registry, &added.sha256) != NULL)
        return true;
    copy_text(added.id, sizeof added.id, id);
    copy_text(added.principal, sizeof added.principal, owner->name);
    /* a login needs a key: the service's token for somebody without one is the first start's */
    added.bootstrap = strcmp(entry->actor, OPL_SELF) == 0 && !registry->bootstrap_closed &&
                      !has_key(registry, owner->name);
    added.scope = opl_words_read(json_object_get(body, "scope"));
    if (added.scope == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for a token");
    return append_token(registry, &added, err);
}

static bool revoke_token(struct opl_registry *registry, const struct opl_entry *entry,
                         struct opl_err *err)
{
    const char *id = opl_json_str(entry->body, "token_id");
    struct opl_token *token =
        id == NULL ? NULL : (struct opl_token *)opl_registry_token_by_id(registry, id);

    (void)err;
    if (token != NULL)
        token->revoked = true;
    return true;
}

static bool adopt(struct opl_registry *registry, const struct opl_entry *entry, struct opl_err *err)
{
    const char *what = opl_json_str(entry->body, "what"), *name = opl_json_str(entry->body, "name");
    const char *digest = opl_json_str(entry->body, "sha256");
    struct opl_adopted adopted = {.seq = entry->seq}, *policy, *items;

    if (what == NULL || name == NULL || digest == NULL ||
        !opl_hash_from_hex(digest, &adopted.sha256, NULL))
        return true;
    copy_text(adopted.what, sizeof adopted.what, what);
    copy_text(adopted.name, sizeof adopted.name, name);
    policy = (struct opl_adopted *)opl_registry_policy(registry, adopted.what, adopted.name);
    if (policy != NULL) {
        *policy = adopted;
        return true;
    }
    items = opl_array_room(registry->policies, registry->policy_count, &registry->policy_size,
                           sizeof *items, err);
    if (items == NULL)
        return false;
    registry->policies = items;
    items[registry->policy_count++] = adopted;
    return true;
}

static bool close_bootstrap(struct opl_registry *registry, const struct opl_entry *entry,
                            struct opl_err *err)
{
    (void)err;
    if (opl_registry_approvers(registry, entry->at) < 2)
        return true;
    registry->bootstrap_closed = true;
    for (size_t i = 0; i < registry->token_count; i++)
        registry->tokens[i].revoked |= registry->tokens[i].bootstrap;
    return true;
}

static const struct {
    const char *kind;
    fold_fn fold;
} folds[] = {
    {"principal.enrolled", enroll          },
    {"principal.changed",  change          },
    {"principal.revoked",  revoke_principal},
    {"key.added",          add_key         },
    {"key.revoked",        revoke_key      },
    {"token.created",      create_token    },
    {"token.revoked",      revoke_token    },
    {"policy.adopted",     adopt           },
    {"bootstrap.closed",   close_bootstrap },
};

/* Whether the actor could write this at all, as far as the log alone can tell. */
static bool may_administer(const struct opl_registry *registry, const struct opl_entry *entry)
{
    const struct opl_principal *actor;
    const char *kind = entry->kind->name, *whose = opl_json_str(entry->body, "principal");

    if (strcmp(entry->actor, OPL_SELF) == 0)
        return (entry->kind->writers & OPL_W_ITSELF) != 0 &&
               (!registry->bootstrap_closed || strncmp(kind, "token.", strlen("token.")) == 0);
    actor = opl_registry_principal(registry, entry->actor);
    if (actor == NULL || actor->revoked || actor->class != OPL_CLASS_PERSON)
        return false;
    if (strcmp(kind, "key.revoked") == 0 && whose != NULL && strcmp(whose, actor->name) == 0)
        return true;
    return opl_principal_has_role(actor, "admin");
}

static bool counts(const struct opl_registry *registry, const struct opl_entry *entry, bool *yes,
                   struct opl_err *err)
{
    *yes = may_administer(registry, entry);
    if (!*yes || !opl_admin_needs_second(registry, entry->kind->name, entry->actor, entry->body))
        return true;
    return second_holds(registry, entry, yes, err);
}

bool opl_registry_apply(struct opl_registry *registry, const struct opl_entry *entry,
                        struct opl_err *err)
{
    bool yes;

    if (entry->kind == NULL || (entry->kind->flags & OPL_KIND_ADMIN) == 0)
        return true;
    if (!counts(registry, entry, &yes, err))
        return false;
    for (size_t i = 0; yes && i < sizeof folds / sizeof *folds; i++) {
        if (strcmp(folds[i].kind, entry->kind->name) == 0)
            return folds[i].fold(registry, entry, err);
    }
    return true;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Who is enrolled and what is in force, from the registry: whoami, principals, policies. */
#include <opledger/encode.h>

#include "api.h"
#include "server.h"

static json_t *words_json(char *const *words)
{
    json_t *list = json_array();

    for (size_t i = 0; words != NULL && words[i] != NULL; i++)
        json_array_append_new(list, json_string(words[i]));
    return list;
}

static json_t *principal_json(const struct opl_principal *principal)
{
    static const struct {
        enum opl_class class;
        const char *name;
    } classes[] = {
        {OPL_CLASS_PERSON,  "person" },
        {OPL_CLASS_SERVICE, "service"},
        {OPL_CLASS_AGENT,   "agent"  }
    };
    const char *class = "service";

    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        if (classes[i].class == principal->class)
            class = classes[i].name;
    }
    return json_pack("{s:s, s:s, s:s?, s:o, s:b}", "name", principal->name, "class", class, "owner",
                     principal->owner[0] != '\0' ? principal->owner : NULL, "roles",
                     words_json(principal->roles), "revoked", principal->revoked);
}

static bool take_registry(struct request *request, struct opl_registry **registry,
                          struct opl_err *err)
{
    if (!request_only(request, "", err))
        return false;
    *registry = published_registry(&request->server->published);
    return *registry != NULL || opl_fail(err, OPL_E_UNAVAILABLE, "the log is not open yet");
}

static json_t *scope_json(const struct identity *identity)
{
    json_t *list = json_array();

    for (size_t i = 0; i < identity->scope_count; i++)
        json_array_append_new(list, json_string(identity->scope_words[i]));
    return list;
}

bool api_whoami(struct request *request, struct db *db, struct opl_err *err)
{
    OPL_CLEANUP(opl_registry_freep) struct opl_registry *registry = NULL;
    const struct opl_principal *principal;
    char expires[OPL_TIME_SIZE];
    json_t *who;

    (void)db;
    if (!take_registry(request, &registry, err))
        return false;
    principal = opl_registry_principal(registry, request->identity.principal);
    if (principal == NULL)
        return opl_fail(err, OPL_E_UNAUTHENTICATED, "this token's principal is gone");
    opl_time_format(request->identity.expires, expires);
    who = principal_json(principal);
    json_object_del(who, "revoked");
    json_object_set_new(who, "scope", scope_json(&request->identity));
    json_object_set_new(who, "expires", json_string(expires));
    return reply_json(&request->reply, 200, who, err);
}

static json_t *keys_json(const struct opl_registry *registry, const char *principal)
{
    const struct opl_person_key *key;
    json_t *list = json_array();

    for (size_t i = 0; (key = opl_registry_key_at(registry, i)) != NULL; i++) {
        if (strcmp(key->principal, principal) != 0 || key->revoked)
            continue;
        json_array_append_new(list, json_pack("{s:s, s:s, s:s}", "fingerprint", key->fingerprint,
                                              "hardware", key->hardware_seen ? "seen" : "no",
                                              "public_key", key->line));
    }
    return list;
}

/* {items, next, size}: the registry is small, so that a list is one page. */
static bool reply_list(struct request *request, json_t *items, struct opl_err *err)
{
    OPL_CLEANUP(signed_head_dropp)
    struct signed_head *head = published_head(&request->server->published);

    return reply_json(&request->reply, 200,
                      json_pack("{s:o, s:n, s:I}", "items", items, "next", "size",
                                (json_int_t)(head != NULL ? head->head.size : 0)),
                      err);
}

bool api_principals(struct request *request, struct db *db, struct opl_err *err)
{
    OPL_CLEANUP(opl_registry_freep) struct opl_registry *registry = NULL;
    const struct opl_principal *principal;
    json_t *items;

    (void)db;
    if (!take_registry(request, &registry, err))
        return false;
    items = json_array();
    for (size_t i = 0; (principal = opl_registry_principal_at(registry, i)) != NULL; i++) {
        json_t *item = principal_json(principal);

        json_object_set_new(item, "keys", keys_json(registry, principal->name));
        json_array_append_new(items, item);
    }
    return reply_list(request, items, err);
}

bool api_policies(struct request *request, struct db *db, struct opl_err *err)
{
    OPL_CLEANUP(opl_registry_freep) struct opl_registry *registry = NULL;
    const struct opl_adopted *policy;
    json_t *items;

    (void)db;
    if (!take_registry(request, &registry, err))
        return false;
    items = json_array();
    for (size_t i = 0; (policy = opl_registry_policy_at(registry, i)) != NULL; i++) {
        char hex[OPL_HEX_SIZE];

        opl_hash_hex(&policy->sha256, hex);
        json_array_append_new(items, json_pack("{s:s, s:s, s:s, s:I}", "what", policy->what, "name",
                                               policy->name, "sha256", hex, "seq",
                                               (json_int_t)policy->seq));
    }
    return reply_list(request, items, err);
}

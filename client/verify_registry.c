/* SPDX-License-Identifier: Apache-2.0 */
/*
 * verify_registry - who is enrolled and which policies are in force, as the ledger says and as the
 * administration entries make it. An entry hidden from the ledger's index shows here.
 */
#include "verify.h"

#include <opledger/encode.h>
#include <opledger/json.h>

#include "api.h"
#include "client.h"

static bool same(const json_t *item, const char *name, const char *want)
{
    const char *have = opl_json_str(item, name);

    return have != NULL && strcmp(have, want) == 0;
}

static bool is_policy(const struct opl_adopted *policy, const json_t *item)
{
    char hex[OPL_HEX_SIZE];

    opl_hash_hex(&policy->sha256, hex);
    return same(item, "what", policy->what) && same(item, "name", policy->name) &&
           same(item, "sha256", hex) && opl_json_int(item, "seq", -1) == (int64_t)policy->seq;
}

static bool has_roles(const struct opl_principal *principal, const json_t *roles)
{
    size_t count = 0;

    for (; principal->roles != NULL && principal->roles[count] != NULL; count++) {
        const char *role = json_string_value(json_array_get(roles, count));

        if (role == NULL || strcmp(role, principal->roles[count]) != 0)
            return false;
    }
    return json_array_size(roles) == count;
}

static size_t valid_keys(const struct opl_registry *registry, const char *principal)
{
    const struct opl_person_key *key;
    size_t count = 0;

    for (size_t i = 0; (key = opl_registry_key_at(registry, i)) != NULL; i++)
        count += !key->revoked && strcmp(key->principal, principal) == 0;
    return count;
}

static bool is_principal(const struct opl_registry *registry, const struct opl_principal *principal,
                         const json_t *item)
{
    return same(item, "name", principal->name) &&
           has_roles(principal, json_object_get(item, "roles")) &&
           json_is_true(json_object_get(item, "revoked")) == principal->revoked &&
           json_array_size(json_object_get(item, "keys")) == valid_keys(registry, principal->name);
}

/* The items of a list at the size that was read; NULL without an error when it has grown. */
static json_t *fetch(struct verify *verify, const char *path, struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *page = NULL;

    if (!api_get(verify->client->api, path, &page, err) ||
        opl_json_int(page, "size", -1) != (int64_t)verify->head.size)
        return NULL;
    return json_incref(json_object_get(page, "items"));
}

static bool check_policies(struct verify *verify, struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *items = fetch(verify, "/v1/policies", err);
    const struct opl_registry *registry = opl_world_registry(verify->world);
    const struct opl_adopted *policy;
    size_t i;

    if (items == NULL)
        return err->code == OPL_OK;
    for (i = 0; (policy = opl_registry_policy_at(registry, i)) != NULL; i++)
        if (!is_policy(policy, json_array_get(items, i)))
            verify_wrong(verify, policy->seq,
                         "the ledger does not apply the policy %s that it "
                         "adopts",
                         policy->name);
    if (json_array_size(items) > i)
        verify_wrong_thing(verify, "policies", "the ledger applies one that no entry adopts");
    return true;
}

static bool check_principals(struct verify *verify, struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *items = fetch(verify, "/v1/principals", err);
    const struct opl_registry *registry = opl_world_registry(verify->world);
    const struct opl_principal *principal;
    size_t i;

    if (items == NULL)
        return err->code == OPL_OK;
    for (i = 0; (principal = opl_registry_principal_at(registry, i)) != NULL; i++)
        if (!is_principal(registry, principal, json_array_get(items, i)))
            verify_wrong_thing(verify, principal->name,
                               "the ledger takes it for another principal than its entries make "
                               "it");
    if (json_array_size(items) > i)
        verify_wrong_thing(verify, "principals", "the ledger knows one that no entry enrols");
    return true;
}

bool verify_registry(struct verify *verify, struct opl_err *err)
{
    return check_policies(verify, err) && check_principals(verify, err);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include <opledger/gate_policy.h>

#include <opledger/json.h>
#include <opledger/manifest.h>
#include <opledger/yaml.h>

#include "policy_fields.h"
#include "requirement.h"

static const struct policy_field top_fields[] = {
    POLICY_WORD("v", POLICY_REQUIRED, "1"),
    POLICY_FIELD("name", NAME, POLICY_REQUIRED),
    POLICY_FIELD("applies", MAPPING, POLICY_REQUIRED),
    POLICY_FIELD("require", SEQUENCE, POLICY_REQUIRED),
    POLICY_FIELD("override", MAPPING, 0),
    POLICY_FIELD("hold", DURATION, 0),
    POLICY_END,
};

static const struct policy_field applies_fields[] = {
    POLICY_WORD("class", POLICY_LIST | POLICY_REQUIRED, "config|upgrade|script"),
    POLICY_FIELD("target", GLOB, POLICY_LIST),
    POLICY_FIELD("path", GLOB, POLICY_LIST),
    POLICY_END,
};

static const struct policy_field override_fields[] = {
    POLICY_FIELD("roles", NAME, POLICY_LIST | POLICY_REQUIRED),
    POLICY_FIELD("max", DURATION, POLICY_REQUIRED),
    POLICY_WORD("hardware-key", 0, "shown|required"),
    POLICY_END,
};

#define OVERRIDE_MAX_S 86400 /* CONTRACT section 4: an override lives for 24 hours at most */
#define HOLD_MAX_S 14400     /* CONTRACT section 5: a decision is kept for 4 hours at most */

static bool check_most(const json_t *mapping, const char *key, int64_t most, const char *pointer,
                       struct opl_err *err)
{
    if (policy_duration(mapping, key, 0) <= most)
        return true;
    return opl_fail_at(err, OPL_E_CONFIG, pointer, "%s is longer than %dh", key,
                       (int)(most / 3600));
}

static bool check_applies(const json_t *applies, struct opl_err *err)
{
    if (!policy_fields_check(applies, applies_fields, "/applies", err))
        return false;
    if (json_object_get(applies, "target") || json_object_get(applies, "path"))
        return true;
    return opl_fail_at(err, OPL_E_CONFIG, "/applies", "neither target nor path says to what");
}

static bool check_override(const json_t *override, struct opl_err *err)
{
    if (!override)
        return true;
    return policy_fields_check(override, override_fields, "/override", err) &&
           check_most(override, "max", OVERRIDE_MAX_S, "/override/max", err);
}

/* One `- name: { options }` of the list. */
static bool read_requirement(json_t *item, size_t i, struct opl_requirement_spec *spec,
                             struct opl_err *err)
{
    const char *name = json_object_iter_key(json_object_iter(item));
    json_t *options = json_object_iter_value(json_object_iter(item));
    const struct requirement *found;
    char pointer[96];

    (void)snprintf(pointer, sizeof pointer, "/require/%zu", i);
    if (!name || json_object_size(item) != 1)
        return opl_fail_at(err, OPL_E_CONFIG, pointer,
                           "one requirement with its options is wanted");
    found = requirement_find(name);
    if (!found)
        return opl_fail_at(err, OPL_E_CONFIG, pointer, "no such requirement: %.64s", name);
    (void)snprintf(pointer, sizeof pointer, "/require/%zu/%s", i, found->name);
    *spec =
        (struct opl_requirement_spec){(enum opl_requirement_kind)(found - requirements), options};
    return policy_fields_check(options, found->options, pointer, err);
}

static bool read_requirements(struct opl_gate_policy *policy, const json_t *list,
                              struct opl_err *err)
{
    size_t count = json_array_size(list);

    if (count == 0 || count > OPL_POLICY_REQUIREMENTS_MAX)
        return opl_fail_at(err, OPL_E_CONFIG, "/require",
                           "1 to %d requirements are wanted, not %zu", OPL_POLICY_REQUIREMENTS_MAX,
                           count);
    for (size_t i = 0; i < count; i++) {
        if (!read_requirement(json_array_get(list, i), i, &policy->require[i], err))
            return false;
        policy->require_count++;
    }
    return true;
}

static bool read_policy(struct opl_gate_policy *policy, struct opl_err *err)
{
    const json_t *root = policy->root;
    const json_t *applies;

    if (!policy_fields_check(root, top_fields, "", err))
        return false;
    applies = json_object_get(root, "applies");
    policy->name = opl_json_str(root, "name");
    policy->classes = json_object_get(applies, "class");
    policy->targets = json_object_get(applies, "target");
    policy->paths = json_object_get(applies, "path");
    policy->override = json_object_get(root, "override");
    policy->hold_s = policy_duration(root, "hold", 0);
    return check_applies(applies, err) && check_override(policy->override, err) &&
           check_most(root, "hold", HOLD_MAX_S, "/hold", err) &&
           read_requirements(policy, json_object_get(root, "require"), err);
}

bool opl_gate_policy_parse(const char *yaml, size_t len, struct opl_gate_policy *out,
                           struct opl_err *err)
{
    struct opl_err why = {0};

    *out = (struct opl_gate_policy){.root = opl_yaml_parse(yaml, len, &why)};
    if (!out->root)
        return opl_fail_at(err, OPL_E_CONFIG, why.field, "%s", why.text);
    if (read_policy(out, err))
        return true;
    opl_gate_policy_close(out);
    return false;
}

void opl_gate_policy_close(struct opl_gate_policy *policy)
{
    json_decref(policy->root);
    *policy = (struct opl_gate_policy){0};
}

static bool any_glob(const json_t *globs, const char *text)
{
    for (size_t i = 0; text && i < json_array_size(globs); i++) {
        if (opl_glob_match(json_string_value(json_array_get(globs, i)), text))
            return true;
    }
    return false;
}

static bool has_class(const struct opl_gate_policy *policy, const char *class)
{
    for (size_t i = 0; class && i < json_array_size(policy->classes); i++) {
        if (strcmp(json_string_value(json_array_get(policy->classes, i)), class) == 0)
            return true;
    }
    return false;
}

bool opl_gate_policy_applies(const struct opl_gate_policy *policy, const char *class,
                             const char *target, const struct opl_manifest *manifest)
{
    if (!has_class(policy, class))
        return false;
    if (any_glob(policy->targets, target) || any_glob(policy->targets, manifest->target))
        return true;
    for (size_t i = 0; i < manifest->file_count; i++) {
        if (any_glob(policy->paths, manifest->files[i].path))
            return true;
    }
    return false;
}

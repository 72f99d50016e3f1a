/* SPDX-License-Identifier: Apache-2.0 */
#include "families.h"

#include <opledger/json.h>
#include <opledger/yaml.h>

#include "policy_fields.h"

struct families {
    json_t *root;
    const json_t *list; /* borrowed from root */
};

static const struct policy_field family_fields[] = {
    POLICY_FIELD("name", NAME, POLICY_REQUIRED),
    POLICY_FIELD("match", GLOB, POLICY_REQUIRED | POLICY_LIST),
    POLICY_END,
};

static bool check(const json_t *list, struct opl_err *err)
{
    char pointer[32];

    if (!json_is_array(list))
        return opl_fail_at(err, OPL_E_CONFIG, "/families", "a list of families is wanted here");
    for (size_t i = 0; i < json_array_size(list); i++) {
        (void)snprintf(pointer, sizeof pointer, "/families/%zu", i);
        if (!policy_fields_check(json_array_get(list, i), family_fields, pointer, err))
            return false;
    }
    return true;
}

struct families *families_parse(const char *yaml, size_t len, struct opl_err *err)
{
    struct opl_err why = {0};
    OPL_CLEANUP(opl_json_freep) json_t *root = opl_yaml_parse(yaml, len, &why);
    const json_t *list = json_object_get(root, "families");
    struct families *families;

    if (!root) {
        opl_fail_at(err, OPL_E_CONFIG, why.field, "%s", why.text);
        return NULL;
    }
    if (!check(list, err))
        return NULL;
    families = calloc(1, sizeof *families);
    if (!families) {
        opl_fail(err, OPL_E_NOMEM, "no memory for families");
        return NULL;
    }
    *families = (struct families){json_incref(root), list};
    return families;
}

void families_free(struct families *families)
{
    if (!families)
        return;
    json_decref(families->root);
    free(families);
}

static bool claims(const json_t *family, const char *model)
{
    const json_t *globs = json_object_get(family, "match");

    for (size_t i = 0; i < json_array_size(globs); i++) {
        if (opl_glob_match(json_string_value(json_array_get(globs, i)), model))
            return true;
    }
    return false;
}

const char *families_of(const struct families *families, const struct opl_model *model)
{
    const char *found = NULL;
    char text[sizeof model->provider + sizeof model->name + 1];

    (void)snprintf(text, sizeof text, "%s/%s", model->provider, model->name);
    for (size_t i = 0; families && i < json_array_size(families->list); i++) {
        const json_t *family = json_array_get(families->list, i);

        const char *name = opl_json_str(family, "name");

        if (!claims(family, text))
            continue;
        if (found && strcmp(found, name) != 0)
            return NULL;
        found = name;
    }
    return found;
}

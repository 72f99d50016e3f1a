/* SPDX-License-Identifier: Apache-2.0 */
#include <opledger/models.h>

#include <opledger/embedded.h>
#include <opledger/json.h>
#include <opledger/redact.h>
#include <opledger/time.h>
#include <opledger/yaml.h>

#include "families.h"
#include "policy_fields.h"

#define DESTINATIONS_MAX 64

struct opl_models {
    json_t *root;
    struct families *families;
    struct opl_destination destinations[DESTINATIONS_MAX];
    size_t count;
};

static const struct policy_field models_fields[] = {
    POLICY_NUMBER("v", POLICY_REQUIRED, 1, 1),
    POLICY_FIELD("name", NAME, POLICY_REQUIRED),
    POLICY_FIELD("families", SEQUENCE, POLICY_REQUIRED),
    POLICY_FIELD("destinations", SEQUENCE, POLICY_REQUIRED),
    POLICY_END,
};

static const struct policy_field destination_fields[] = {
    POLICY_FIELD("name", NAME, POLICY_REQUIRED),
    POLICY_FIELD("models", GLOB, POLICY_REQUIRED | POLICY_LIST),
    POLICY_FIELD("endpoints", TEXT, POLICY_REQUIRED | POLICY_LIST),
    POLICY_WORD("hosting", POLICY_REQUIRED, "hosted|local"),
    POLICY_FIELD("owner", TEXT, POLICY_REQUIRED),
    POLICY_WORD("sources", POLICY_REQUIRED | POLICY_LIST, "strace|json|plain|slurm-log|config"),
    POLICY_WORD("unmasked", POLICY_LIST, "identity|network|site|usertext"),
    POLICY_FIELD("until", TEXT, POLICY_REQUIRED),
    POLICY_WORD("context", 0, "incident|own|shared"),
    POLICY_END,
};

static const char *const context_names[] = {"incident", "own", "shared"};

static bool read_until(const char *text, const char *pointer, int64_t *until, struct opl_err *err)
{
    char moment[32];

    /* a date is good to its end */
    if (strlen(text) == 10) {
        (void)snprintf(moment, sizeof moment, "%sT23:59:59Z", text);
        text = moment;
    }
    return opl_time_parse(text, until, NULL) ||
           opl_fail_at(err, OPL_E_CONFIG, pointer, "until: %.40s is no date such as 2028-06-30",
                       text);
}

static bool read_endpoints(const json_t *list, const char *pointer, struct opl_err *err)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *host = json_string_value(json_array_get(list, i));

        if (!opl_is_host(host))
            return opl_fail_at(err, OPL_E_CONFIG, pointer, "endpoints: %.64s is no host", host);
    }
    return true;
}

static unsigned read_classes(const json_t *list)
{
    unsigned bits = 0;
    enum opl_rule_class class;

    for (size_t i = 0; i < json_array_size(list); i++)
        if (opl_rule_class_parse(json_string_value(json_array_get(list, i)), &class))
            bits |= OPL_RULES_BIT(class);
    return bits & ~OPL_RULES_BIT(OPL_RULES_SECRET);
}

/* A hosted service's pseudonyms join within one incident, a local one's across the site. */
static enum opl_context read_context(const json_t *spec, bool hosted)
{
    const char *text = opl_json_str(spec, "context");

    for (int i = 0; text && i < 3; i++)
        if (strcmp(context_names[i], text) == 0)
            return (enum opl_context)i;
    return hosted ? OPL_CONTEXT_INCIDENT : OPL_CONTEXT_OWN;
}

static bool read_destination(struct opl_models *models, const json_t *spec, size_t i,
                             struct opl_err *err)
{
    struct opl_destination *out = &models->destinations[models->count];
    char pointer[40];

    (void)snprintf(pointer, sizeof pointer, "/destinations/%zu", i);
    if (!policy_fields_check(spec, destination_fields, pointer, err))
        return false;
    *out = (struct opl_destination){
        .name = opl_json_str(spec, "name"),
        .owner = opl_json_str(spec, "owner"),
        .hosted = strcmp(opl_json_str(spec, "hosting"), "hosted") == 0,
        .unmasked = read_classes(json_object_get(spec, "unmasked")),
        .models = json_object_get(spec, "models"),
        .endpoints = json_object_get(spec, "endpoints"),
        .sources = json_object_get(spec, "sources"),
    };
    out->context = read_context(spec, out->hosted);
    if (opl_models_destination(models, out->name, NULL))
        return opl_fail_at(err, OPL_E_CONFIG, pointer, "%s is listed twice", out->name);
    models->count++;
    return read_until(opl_json_str(spec, "until"), pointer, &out->until, err) &&
           read_endpoints(out->endpoints, pointer, err);
}

static bool read_models(struct opl_models *models, const char *yaml, size_t len,
                        struct opl_err *err)
{
    struct opl_err why = {0};
    const json_t *list;

    models->root = opl_yaml_parse(yaml, len, &why);
    if (!models->root)
        return opl_fail(err, OPL_E_CONFIG, "%s", why.text);
    if (!policy_fields_check(models->root, models_fields, "", err))
        return false;
    models->families = families_parse(yaml, len, err);
    list = json_object_get(models->root, "destinations");
    if (!models->families || json_array_size(list) > DESTINATIONS_MAX)
        return opl_fail(err, OPL_E_CONFIG, "more than %d destinations", DESTINATIONS_MAX);
    for (size_t i = 0; i < json_array_size(list); i++)
        if (!read_destination(models, json_array_get(list, i), i, err))
            return false;
    return true;
}

struct opl_models *opl_models_new(const char *yaml, size_t len, struct opl_err *err)
{
    struct opl_models *models = calloc(1, sizeof *models);

    if (!models) {
        opl_fail(err, OPL_E_NOMEM, "no memory for models");
        return NULL;
    }
    if (read_models(models, yaml, len, err))
        return models;
    opl_models_free(models);
    return NULL;
}

void opl_models_free(struct opl_models *models)
{
    if (!models)
        return;
    families_free(models->families);
    json_decref(models->root);
    free(models);
}

void opl_models_freep(struct opl_models **models)
{
    opl_models_free(*models);
}

const char *opl_models_builtin_text(size_t *len)
{
    for (const struct embedded_file *file = embedded_policies; file->path; file++)
        if (strcmp(file->path, "models.yaml") == 0) {
            *len = file->len;
            return file->text;
        }
    *len = 0;
    return "";
}

struct opl_models *opl_models_builtin(struct opl_err *err)
{
    size_t len;
    const char *text = opl_models_builtin_text(&len);

    return opl_models_new(text, len, err);
}

const char *opl_models_family(const struct opl_models *models, const struct opl_model *model)
{
    return families_of(models->families, model);
}

const struct opl_destination *opl_models_destination(const struct opl_models *models,
                                                     const char *name, struct opl_err *err)
{
    for (size_t i = 0; i < models->count; i++)
        if (strcmp(models->destinations[i].name, name) == 0)
            return &models->destinations[i];
    opl_fail(err, OPL_E_WRONG_STATE, "%.64s is no destination that models.yaml knows", name);
    opl_hint(err, "opledger policy adopt models, once it is listed there with an owner");
    return NULL;
}

static bool has_word(const json_t *list, const char *word)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        if (strcmp(json_string_value(json_array_get(list, i)), word) == 0)
            return true;
    return false;
}

static bool has_glob(const json_t *list, const struct opl_model *model)
{
    char text[sizeof model->provider + sizeof model->name + 1];

    (void)snprintf(text, sizeof text, "%s/%s", model->provider, model->name);
    for (size_t i = 0; i < json_array_size(list); i++)
        if (opl_glob_match(json_string_value(json_array_get(list, i)), text))
            return true;
    return false;
}

bool opl_destination_check(const struct opl_destination *destination, const struct opl_model *model,
                           const char *source, int64_t now, struct opl_err *err)
{
    const char *name = destination->name, *owner = destination->owner;
    char until[OPL_TIME_SIZE];

    if (now > destination->until) {
        opl_time_format(destination->until, until);
        return opl_fail(err, OPL_E_WRONG_STATE, "%s was approved until %.10s; %s answers for it",
                        name, until, owner);
    }
    if (!has_word(destination->sources, source))
        return opl_fail(err, OPL_E_WRONG_STATE, "%s may not receive %s; %s answers for it", name,
                        source, owner);
    if (model && !has_glob(destination->models, model))
        return opl_fail(err, OPL_E_WRONG_STATE, "%s is not for %s/%s; %s answers for it", name,
                        model->provider, model->name, owner);
    return true;
}

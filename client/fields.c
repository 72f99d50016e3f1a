/* SPDX-License-Identifier: Apache-2.0 */
#include "fields.h"

#include <opledger/encode.h>
#include <opledger/json.h>
#include <opledger/time.h>

#include "client.h"
#include "text_input.h"

bool fields_set_take(json_t *body, const char *name, json_t *value, struct opl_err *err)
{
    if (value == NULL || json_object_set_new(body, name, value) != 0)
        return opl_fail(err, OPL_E_NOMEM, "no memory for %s", name);
    return true;
}

bool fields_integer(const char *text, const char *what, int64_t *out, struct opl_err *err)
{
    size_t len = strlen(text);

    if (len == 0 || len > 15 || strspn(text, "0123456789") != len)
        return opl_fail(err, OPL_E_USAGE, "%s is not a number: %s", what, text);
    *out = strtoll(text, NULL, 10);
    return true;
}

bool fields_time(const char *text, char *out, size_t size, struct opl_err *err)
{
    struct opl_err no_duration = {0};
    char stored[OPL_TIME_SIZE];
    int64_t seconds;
    int64_t at;

    if (opl_duration_parse(text, &seconds, &no_duration))
        at = opl_time_now() + seconds * OPL_SECOND;
    else if (!opl_time_parse(text, &at, err))
        return opl_hint(err, "a duration such as 14d, or a time such as 2026-10-01T14:00:00Z");
    opl_time_format(at, stored);
    snprintf(out, size, "%s", stored);
    return true;
}

static bool add_part(json_t *model, const char *name, const char *text, struct opl_err *err)
{
    return text == NULL || *text == '\0' || fields_set_take(model, name, json_string(text), err);
}

bool fields_model(struct client *client, const char *text, json_t **out, struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *model = json_object();
    struct opl_model parts;

    if (model == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for a model");
    if (!opl_model_parse(text, &parts, err))
        return opl_hint(err, "PROVIDER/NAME[@VERSION], as openai/gpt-5@2026-08-01");
    if (!add_part(model, "provider", parts.provider, err) ||
        !add_part(model, "name", parts.name, err) ||
        !add_part(model, "version", parts.version, err) ||
        !add_part(model, "endpoint", client_option(client, "endpoint"), err) ||
        !add_part(model, "served", client_option(client, "served"), err))
        return false;
    *out = json_incref(model);
    return true;
}

/* Digests are taken with and without their prefix, whichever the field wants. */
static json_t *digest_of(const char *text, bool with_prefix)
{
    static const char prefix[] = "sha256:";
    bool has = strncmp(text, prefix, strlen(prefix)) == 0;

    if (has && !with_prefix)
        return json_string(text + strlen(prefix));
    if (!has && with_prefix && strlen(text) == OPL_HEX_LEN)
        return json_sprintf("%s%s", prefix, text);
    return json_string(text);
}

/* One value of a field from its text; NULL with the error. */
static json_t *value_of(struct client *client, const struct opl_field *field, const char *text,
                        struct opl_err *err)
{
    char stored[OPL_TIME_SIZE];
    json_t *model = NULL;
    int64_t number;

    switch (field->type) {
    case OPL_F_INT:
    case OPL_F_SEQ:
        return fields_integer(text, field->name, &number, err) ? json_integer(number) : NULL;
    case OPL_F_HEX:
    case OPL_F_DIGEST:
        return digest_of(text, field->type == OPL_F_DIGEST);
    case OPL_F_MODEL:
        return fields_model(client, text, &model, err) ? model : NULL;
    case OPL_F_TIME:
        return fields_time(text, stored, sizeof(stored), err) ? json_string(stored) : NULL;
    default:
        return json_string(text);
    }
}

static bool add_list(struct client *client, const struct opl_field *field, const char *option,
                     json_t *body, struct opl_err *err)
{
    size_t count = args_count(&client->args, option);
    json_t *list = json_array();

    if (count == 0 && (field->flags & OPL_FIELD_OPTIONAL) != 0) {
        json_decref(list);
        return true;
    }
    if (!fields_set_take(body, field->name, list, err))
        return false;
    for (size_t i = 0; i < count; i++) {
        json_t *value = value_of(client, field, args_at(&client->args, option, i), err);

        if (value == NULL || json_array_append_new(list, value) != 0)
            return opl_fail(err, OPL_E_USAGE, "--%s does not hold", option);
    }
    return true;
}

static bool add_text(struct client *client, const struct opl_field *field, const char *given,
                     json_t *body, struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_wipe) struct opl_buf text = {0};

    if (given == NULL && (field->flags & OPL_FIELD_OPTIONAL) != 0)
        return true;
    return text_input(client, given, field->name, &text, err) &&
           fields_set_take(body, field->name, json_stringn(text.data, text.len), err);
}

/* Said here, where the name of the option is known. */
static bool check_word(const struct opl_field *field, const char *option, const char *given,
                       struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf words = {0};

    if (field->type != OPL_F_ENUM || given == NULL ||
        opl_is_word(field->words, given, strlen(given)))
        return true;
    for (const char *at = field->words; *at != '\0'; at++)
        opl_buf_str(&words, *at == '|' ? ", " : (char[]){*at, '\0'});
    opl_fail(err, OPL_E_USAGE, "--%s %.64s is none of the words that it takes", option, given);
    return opl_hint(err, "one of: %s", opl_buf_text(&words));
}

static bool add_field(struct client *client, const struct opl_field *field, json_t *body,
                      struct opl_err *err)
{
    char option[64];
    const char *given;
    json_t *value;

    commands_option_name(field, option, sizeof(option));
    given = client_option(client, option);
    if ((field->flags & OPL_FIELD_LIST) != 0)
        return add_list(client, field, option, body, err);
    if (field->type == OPL_F_SEALED)
        return add_text(client, field, given, body, err);
    if (!check_word(field, option, given, err))
        return false;
    if (given == NULL)
        return true; /* a required one that is missing is the kinds table's to name */
    value = value_of(client, field, given, err);
    if (value == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for %s", field->name);
    return fields_set_take(body, field->name, value, err);
}

bool fields_add(struct client *client, const struct opl_kind *kind, json_t *body,
                struct opl_err *err)
{
    for (const struct opl_field *field = kind->fields; field->name != NULL; field++)
        if (json_object_get(body, field->name) == NULL && !add_field(client, field, body, err))
            return false;
    return true;
}

bool fields_id(const struct client *client, size_t i, unsigned prefixes, const char **out,
               struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf wanted = {0};
    const char *text = client_arg(client, i);
    enum opl_prefix prefix;
    uint64_t number;

    *out = text;
    if (opl_id_parse(text, &prefix, &number) && (prefixes & OPL_ON(prefix)) != 0)
        return true;
    for (unsigned p = OPL_ID_INC; p < OPL_PREFIXES; p++)
        if ((prefixes & OPL_ON(p)) != 0)
            opl_buf_fmt(&wanted, "%s%s-N", wanted.len > 0 ? " or " : "", opl_prefix_name(p));
    opl_fail(err, OPL_E_USAGE, "%s is not the id that is wanted here", text);
    return opl_hint(err, "%s", opl_buf_text(&wanted));
}

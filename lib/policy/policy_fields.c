/* SPDX-License-Identifier: Apache-2.0 */
#include "policy_fields.h"

#include <inttypes.h>

#include <opledger/json.h>
#include <opledger/name.h>
#include <opledger/time.h>

#define TEXT_MAX 256
#define NUMBER_DIGITS 16 /* below 2^53 - 1 whatever they are */

/* Where a value stands, for the error's pointer. */
struct place {
    const char *pointer;
    const char *key;
    struct opl_err *err;
};

static bool refuse(const struct place *place, const char *what, const char *value)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf at = OPL_BUF_INIT(1024);

    opl_buf_str(&at, place->pointer);
    opl_json_pointer_add(&at, place->key);
    return opl_fail_at(place->err, OPL_E_CONFIG, opl_buf_text(&at), "%s: %.64s", what, value);
}

bool policy_is_among(const char *words, const char *text)
{
    size_t len = strlen(text);

    while (words) {
        const char *end = strchrnul(words, '|');

        if ((size_t)(end - words) == len && memcmp(words, text, len) == 0)
            return true;
        words = *end ? end + 1 : NULL;
    }
    return false;
}

static bool read_number(const char *text, int64_t *value)
{
    size_t digits = strspn(text, "0123456789");

    if (digits == 0 || digits >= NUMBER_DIGITS || text[digits] != '\0' ||
        (digits > 1 && text[0] == '0'))
        return false;
    *value = (int64_t)strtoll(text, NULL, 10);
    return true;
}

static bool check_word(const struct policy_field *field, const char *text)
{
    return policy_is_among(field->words, text);
}

static bool check_name(const struct policy_field *field, const char *text)
{
    (void)field;
    return opl_is_principal(text);
}

static bool check_text(const struct policy_field *field, const char *text)
{
    size_t len = strlen(text);

    (void)field;
    return len > 0 && len <= TEXT_MAX && opl_is_plain(text, len);
}

static bool check_duration(const struct policy_field *field, const char *text)
{
    int64_t seconds;

    (void)field;
    return opl_duration_parse(text, &seconds, NULL);
}

static bool check_number(const struct policy_field *field, const char *text)
{
    int64_t value;

    return read_number(text, &value) && value >= field->low && value <= field->high;
}

struct scalar {
    bool (*check)(const struct policy_field *field, const char *text);
    const char *what;
};

static const struct scalar scalars[] = {
    [POLICY_F_WORD] = {check_word,     "is not one of the words that may stand here"      },
    [POLICY_F_NAME] = {check_name,     "is not a name"                                    },
    [POLICY_F_GLOB] = {check_text,     "is not a glob"                                    },
    [POLICY_F_TEXT] = {check_text,     "is not one line of text"                          },
    [POLICY_F_DURATION] = {check_duration, "is not a duration such as 90s, 4h or 30d"         },
    [POLICY_F_NUMBER] = {check_number,   "is not a number in the range that is allowed here"},
};

static bool check_scalar(const struct policy_field *field, const json_t *value,
                         const struct place *place)
{
    const struct scalar *scalar = &scalars[field->type];
    const char *text = json_string_value(value);

    if (!text)
        return refuse(place, "one word is wanted here", "a list or mapping stands there");
    if (scalar->check(field, text))
        return true;
    refuse(place, scalar->what, text);
    return field->words ? opl_hint(place->err, "one of %.200s", field->words) : false;
}

static bool check_list(const struct policy_field *field, const json_t *value,
                       const struct place *place)
{
    size_t count = json_array_size(value);

    if (!json_is_array(value))
        return refuse(place, "a list is wanted here", "one value stands there");
    if (count == 0 || count > POLICY_LIST_MAX)
        return refuse(place, "a list of 1 to 64 is wanted here", count ? "too many" : "empty");
    for (size_t i = 0; i < count; i++) {
        if (!check_scalar(field, json_array_get(value, i), place))
            return false;
    }
    return true;
}

static bool check_value(const struct policy_field *field, const json_t *value,
                        const struct place *place)
{
    if (field->type == POLICY_F_MAPPING)
        return json_is_object(value) || refuse(place, "a mapping is wanted here", "other");
    if (field->type == POLICY_F_SEQUENCE)
        return json_is_array(value) || refuse(place, "a list is wanted here", "other");
    if (field->flags & POLICY_LIST)
        return check_list(field, value, place);
    return check_scalar(field, value, place);
}

static const struct policy_field *find(const struct policy_field *fields, const char *name)
{
    for (; fields->name; fields++) {
        if (strcmp(fields->name, name) == 0)
            return fields;
    }
    return NULL;
}

static bool check_present(const json_t *mapping, const struct policy_field *fields,
                          const struct place *place)
{
    const char *key;
    json_t *value;

    /* jansson's iterator wants a writable object, though it writes nothing */
    json_object_foreach((json_t *)mapping, key, value)
    {
        const struct policy_field *field = find(fields, key);
        struct place here = {place->pointer, key, place->err};

        if (!field)
            return refuse(&here, "no such key", key);
        if (!check_value(field, value, &here))
            return false;
    }
    return true;
}

bool policy_fields_check(const json_t *mapping, const struct policy_field *fields,
                         const char *pointer, struct opl_err *err)
{
    struct place place = {pointer, "", err};

    if (!json_is_object(mapping))
        return opl_fail_at(err, OPL_E_CONFIG, pointer, "a mapping is wanted here");
    if (!check_present(mapping, fields, &place))
        return false;
    for (; fields->name; fields++) {
        place.key = fields->name;
        if ((fields->flags & POLICY_REQUIRED) && !json_object_get(mapping, fields->name))
            return refuse(&place, "this key is missing", fields->name);
    }
    return true;
}

int64_t policy_number(const json_t *mapping, const char *key, int64_t otherwise)
{
    const char *text = opl_json_str(mapping, key);
    int64_t value;

    return text && read_number(text, &value) ? value : otherwise;
}

int64_t policy_duration(const json_t *mapping, const char *key, int64_t otherwise)
{
    const char *text = opl_json_str(mapping, key);
    int64_t seconds;

    return text && opl_duration_parse(text, &seconds, NULL) ? seconds : otherwise;
}

bool policy_has_word(const json_t *mapping, const char *key, const char *word)
{
    const json_t *value = json_object_get(mapping, key);
    const char *text = json_string_value(value);

    if (text)
        return strcmp(text, word) == 0;
    for (size_t i = 0; i < json_array_size(value); i++) {
        text = json_string_value(json_array_get(value, i));
        if (text && strcmp(text, word) == 0)
            return true;
    }
    return false;
}

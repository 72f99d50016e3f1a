/* SPDX-License-Identifier: Apache-2.0 */
#include "field_value.h"

#include <opledger/encode.h>
#include <opledger/json.h>
#include <opledger/time.h>

#define LOWER_HEX "0123456789abcdef"
#define STATUSES "SATISFIED|UNSATISFIED|OVERRIDDEN|NOT_APPLICABLE|ERROR"

#define REFUSE(value, ...) opl_refuse((value)->check, (value)->at, __VA_ARGS__)

const struct opl_field opl_head_fields[] = {
    {"origin", OPL_F_TEXT,   0, 255, NULL, OPL_ID_NONE, "the log's name"              },
    {"root",   OPL_F_DIGEST, 0, 0,   NULL, OPL_ID_NONE, "the root of its tree"        },
    {"size",   OPL_F_INT,    0, 0,   NULL, OPL_ID_NONE, "how many entries it then had"},
    {NULL,     OPL_F_TEXT,   0, 0,   NULL, OPL_ID_NONE, NULL                          },
};

static const struct opl_field model_fields[] = {
    {"provider", OPL_F_PROVIDER,      0,                  0,   NULL, OPL_ID_NONE, "whose model it is"  },
    {"name",     OPL_F_MODEL_NAME,    0,                  0,   NULL, OPL_ID_NONE, "the model asked for"},
    {"version",  OPL_F_MODEL_VERSION, OPL_FIELD_OPTIONAL, 0,   NULL, OPL_ID_NONE, "its version"        },
    {"served",   OPL_F_TEXT,          OPL_FIELD_OPTIONAL, 128, NULL, OPL_ID_NONE, "the model served"   },
    {"endpoint", OPL_F_HOST,          OPL_FIELD_OPTIONAL, 0,   NULL, OPL_ID_NONE, "the host asked"     },
    {NULL,       OPL_F_TEXT,          0,                  0,   NULL, OPL_ID_NONE, NULL                 },
};

static const struct opl_field requirement_fields[] = {
    {"name",   OPL_F_TEXT, 0, 128, NULL,     OPL_ID_NONE, "the requirement"  },
    {"status", OPL_F_ENUM, 0, 0,   STATUSES, OPL_ID_NONE, "what became of it"},
    {NULL,     OPL_F_TEXT, 0, 0,   NULL,     OPL_ID_NONE, NULL               },
};

/* Types that are one grammar of CONTRACT section 1. */
static const struct {
    bool (*is)(const char *text);
    const char *what;
} grammars[] = {
    [OPL_F_PRINCIPAL] = {opl_is_principal,     "a name of a-z, 0-9, '.', '_' and '-', at most 64"},
    [OPL_F_ROLE_NAME] = {opl_is_principal,     "a role name such as slurm"                       },
    [OPL_F_ROLE] = {opl_is_role,
                         "recorder, reader, gate, reviewer, admin, evidence-raw or approver.NAME"},
    [OPL_F_TARGET] = {opl_is_target,        "a target such as engaging/slurm"                 },
    [OPL_F_HOST] = {opl_is_host,          "a DNS name or an address, with or without :port" },
    [OPL_F_VERSION] = {opl_is_version,       "a software version, as the vendor writes it"     },
    [OPL_F_RANGE] = {opl_is_version_range, "a comma list of A..B, A.., ..B or A"             },
    [OPL_F_PROVIDER] = {opl_is_provider,      "a provider such as openai"                       },
    [OPL_F_MODEL_NAME] = {opl_is_model_name,    "a model's name such as gpt-5"                    },
    [OPL_F_MODEL_VERSION] = {opl_is_model_version, "a model's version"                               },
};

/* The string, or NULL after an error. No type allows NUL. */
static const char *text_of(struct opl_value *value)
{
    const char *text = json_string_value(value->json);

    if (text == NULL)
        REFUSE(value, "must be a string");
    else if (strlen(text) != json_string_length(value->json)) {
        REFUSE(value, "contains NUL");
        text = NULL;
    }
    return text;
}

/* Takes what stands in the value's place. */
static bool put_instead(struct opl_value *value, json_t *instead)
{
    value->instead = instead;
    return instead != NULL || opl_fail(value->check->err, OPL_E_NOMEM, "no memory for a value");
}

static bool check_text(struct opl_value *value)
{
    const char *text = text_of(value);
    size_t len = text != NULL ? json_string_length(value->json) : 0;

    if (text == NULL)
        return false;
    if (len > value->field->max)
        return REFUSE(value, "has %zu bytes; at most %u are allowed", len, value->field->max);
    if (!opl_is_plain(text, len))
        return REFUSE(value, "must not contain control or bidirectional characters");
    return true;
}

static bool check_grammar(struct opl_value *value)
{
    const char *text = text_of(value);

    if (text == NULL)
        return false;
    if (!grammars[value->field->type].is(text))
        return REFUSE(value, "must be %s", grammars[value->field->type].what);
    return true;
}

/* "a|b|c" as "a, b, c". */
static void hint_words(struct opl_value *value)
{
    char words[200];

    (void)snprintf(words, sizeof words, "%s", value->field->words);
    for (char *at = words; *at != '\0'; at++)
        if (*at == '|')
            *at = ' ';
    opl_hint(value->check->err, "one of: %s", words);
}

static bool check_enum(struct opl_value *value)
{
    const char *text = text_of(value);

    if (text == NULL)
        return false;
    if (opl_is_word(value->field->words, text, json_string_length(value->json)))
        return true;
    REFUSE(value, "is none of the words allowed here");
    hint_words(value);
    return false;
}

static bool is_hex(const char *text, size_t digits)
{
    return strspn(text, LOWER_HEX) == digits && text[digits] == '\0';
}

static bool check_hex(struct opl_value *value)
{
    size_t digits = value->field->type == OPL_F_NONCE ? 32 : OPL_HEX_LEN;
    const char *text = text_of(value);

    if (text == NULL)
        return false;
    if (!is_hex(text, digits))
        return REFUSE(value, "must be %zu lower-case hexadecimal digits", digits);
    return true;
}

static bool check_digest(struct opl_value *value)
{
    const char *text = text_of(value);

    if (text == NULL)
        return false;
    if (strncmp(text, "sha256:", 7) != 0 || !is_hex(text + 7, OPL_HEX_LEN))
        return REFUSE(value, "must be \"sha256:\" and 64 lower-case hexadecimal digits");
    return true;
}

static bool check_int(struct opl_value *value)
{
    json_int_t number = json_integer_value(value->json);

    if (!json_is_integer(value->json))
        return REFUSE(value, "must be an integer");
    if (number < 0 || number > OPL_JSON_INT_MAX)
        return REFUSE(value, "must be from 0 to 2^53 - 1");
    return true;
}

size_t opl_line_ref(const char *text)
{
    size_t digits, line;

    if (text[0] != '#' || text[1] == '0')
        return 0;
    digits = strspn(text + 1, "0123456789");
    if (digits == 0 || digits > 5 || text[1 + digits] != '\0')
        return 0;
    line = strtoul(text + 1, NULL, 10);
    return line <= OPL_BATCH_LINES ? line : 0;
}

static bool check_id(struct opl_value *value)
{
    const char *text = text_of(value);
    enum opl_prefix wanted = value->field->prefix, prefix;
    uint64_t number;

    if (text == NULL)
        return false;
    if (value->check->draft != NULL && opl_line_ref(text) != 0) {
        value->check->draft->has_line_refs = true;
        return true;
    }
    if (!opl_id_parse(text, &prefix, &number) || (wanted != OPL_ID_NONE && prefix != wanted))
        return REFUSE(value, "must be an id such as %s-1",
                      opl_prefix_name(wanted != OPL_ID_NONE ? wanted : OPL_ID_INC));
    return true;
}

static bool check_time(struct opl_value *value)
{
    const char *text = text_of(value);
    char stored[OPL_TIME_SIZE];
    int64_t at;

    if (text == NULL)
        return false;
    if (opl_time_is_stored_form(text))
        return true;
    if (value->check->draft == NULL || !opl_time_parse(text, &at, NULL))
        return REFUSE(value, "must be a moment such as 2026-10-01T14:03:00%s",
                      value->check->draft != NULL ? "Z" : ".000000Z");
    opl_time_format(at, stored);
    return put_instead(value, json_string(stored));
}

static bool check_window(struct opl_value *value)
{
    const char *text = text_of(value);
    char first[OPL_TIME_SIZE], last[OPL_TIME_SIZE];
    int64_t from, to;

    if (text == NULL)
        return false;
    if (!opl_window_parse(text, &from, &to, NULL))
        return REFUSE(value, "must be FROM/TO, two moments, the earlier first");
    opl_time_format(from, first);
    opl_time_format(to, last);
    if (value->check->draft != NULL)
        return put_instead(value, json_sprintf("%s/%s", first, last));
    if (strncmp(text, first, strlen(first)) != 0 || strcmp(text + strlen(first) + 1, last) != 0)
        return REFUSE(value, "must be two moments in stored form");
    return true;
}

static bool check_duration(struct opl_value *value)
{
    const char *text = text_of(value);
    int64_t seconds;

    if (text == NULL)
        return false;
    if (!opl_duration_parse(text, &seconds, NULL))
        return REFUSE(value, "must be one number and one unit, such as 90s, 15m, 4h or 14d");
    return true;
}

static bool is_pointer(const char *text)
{
    for (; *text != '\0'; text++)
        if (*text == '~' && text[1] != '0' && text[1] != '1')
            return false;
    return true;
}

static bool check_pointer(struct opl_value *value)
{
    const char *text = text_of(value);
    size_t len = text != NULL ? json_string_length(value->json) : 0;

    if (text == NULL)
        return false;
    if (text[0] != '/' || len > 256 || !opl_is_plain(text, len) || !is_pointer(text))
        return REFUSE(value, "must be a JSON pointer such as /body/claim");
    return true;
}

static bool check_model(struct opl_value *value)
{
    return opl_fields_check(value->check, model_fields, value->json, value->at, NULL);
}

static bool check_head(struct opl_value *value)
{
    return opl_fields_check(value->check, opl_head_fields, value->json, value->at, NULL);
}

static bool check_counts(struct opl_value *value)
{
    const char *key;
    json_t *json;

    if (!json_is_object(value->json))
        return REFUSE(value, "must be an object of numbers");
    if (json_object_size(value->json) > OPL_LIST_MAX)
        return REFUSE(value, "has more than %d names", OPL_LIST_MAX);
    json_object_foreach((json_t *)value->json, key, json)
    {
        struct opl_spot at = {value->at, key, 0};
        struct opl_value number = {value->check, value->field, json, &at, NULL};

        if (!opl_is_principal(key))
            return REFUSE(&number, "is not a name of a-z, 0-9, '.', '_' and '-'");
        if (!check_int(&number))
            return false;
    }
    return true;
}

static bool check_requirements(struct opl_value *value)
{
    size_t count = json_array_size(value->json);

    if (!json_is_array(value->json))
        return REFUSE(value, "must be a list");
    if (count > value->field->max)
        return REFUSE(value, "has %zu items; at most %u are allowed", count, value->field->max);
    for (size_t i = 0; i < count; i++) {
        struct opl_spot at = {value->at, NULL, i};

        if (!opl_fields_check(value->check, requirement_fields, json_array_get(value->json, i), &at,
                              NULL))
            return false;
    }
    return true;
}

static bool check_object(struct opl_value *value)
{
    return json_is_object(value->json) || REFUSE(value, "must be an object");
}

/* The text of a sealed field and, if the writer drew one, its salt. */
static bool read_open_text(struct opl_value *value, const json_t **text, struct opl_sealed *sealed)
{
    const char *salt;

    *text = value->json;
    if (json_is_string(value->json)) {
        opl_random(sealed->salt.b, sizeof sealed->salt.b);
        return true;
    }
    salt = opl_json_str(value->json, "salt");
    *text = json_object_get(value->json, "text");
    if (!json_is_string(*text) || salt == NULL || json_object_size(value->json) != 2)
        return REFUSE(value, "must be a string, or {\"text\",\"salt\"}");
    if (!opl_hex_decode(salt, sealed->salt.b, sizeof sealed->salt.b, NULL))
        return REFUSE(value, "has a salt that is not 64 lower-case hexadecimal digits");
    return true;
}

static bool check_open_text(struct opl_value *value, const json_t *json)
{
    size_t len = json_string_length(json);

    if (len > OPL_SEALED_MAX)
        return REFUSE(value, "has %zu bytes; at most %d are allowed", len, OPL_SEALED_MAX);
    if (!opl_is_utf8(json_string_value(json), len))
        return REFUSE(value, "must be UTF-8 without NUL");
    return true;
}

static bool seal(struct opl_value *value)
{
    struct opl_draft *draft = value->check->draft;
    struct opl_sealed *sealed = &draft->texts[draft->text_count];
    struct opl_hash hash;
    const json_t *json;

    if (draft->text_count == OPL_DRAFT_TEXTS)
        return opl_fail(value->check->err, OPL_E_INTERNAL, "a kind has too many sealed fields");
    if (!read_open_text(value, &json, sealed) || !check_open_text(value, json))
        return false;
    sealed->len = json_string_length(json);
    sealed->text = strdup(json_string_value(json));
    if (sealed->text == NULL)
        return opl_fail(value->check->err, OPL_E_NOMEM, "no memory for a text");
    draft->text_count++;
    (void)snprintf(sealed->field, sizeof sealed->field, "/body/%s", value->field->name);
    opl_seal_hash(&sealed->salt, sealed->text, sealed->len, &hash);
    return put_instead(value, opl_seal_json(&hash));
}

static bool check_sealed(struct opl_value *value)
{
    struct opl_hash hash;

    if (value->check->draft != NULL)
        return seal(value);
    return opl_seal_read(value->json, &hash) ||
           REFUSE(value, "must be {\"sealed\":\"sha256:...\"}");
}

bool opl_value_check(struct opl_value *value)
{
    static bool (*const checks[])(struct opl_value *) = {
        [OPL_F_TEXT] = check_text,
        [OPL_F_SEALED] = check_sealed,
        [OPL_F_ENUM] = check_enum,
        [OPL_F_DIGEST] = check_digest,
        [OPL_F_HEX] = check_hex,
        [OPL_F_INT] = check_int,
        [OPL_F_SEQ] = check_int,
        [OPL_F_MODEL] = check_model,
        [OPL_F_ID] = check_id,
        [OPL_F_PRINCIPAL] = check_grammar,
        [OPL_F_ROLE] = check_grammar,
        [OPL_F_TARGET] = check_grammar,
        [OPL_F_HOST] = check_grammar,
        [OPL_F_VERSION] = check_grammar,
        [OPL_F_RANGE] = check_grammar,
        [OPL_F_TIME] = check_time,
        [OPL_F_WINDOW] = check_window,
        [OPL_F_POINTER] = check_pointer,
        [OPL_F_COUNTS] = check_counts,
        [OPL_F_HEAD] = check_head,
        [OPL_F_ROLE_NAME] = check_grammar,
        [OPL_F_REQUIREMENTS] = check_requirements,
        [OPL_F_NONCE] = check_hex,
        [OPL_F_DURATION] = check_duration,
        [OPL_F_PROVIDER] = check_grammar,
        [OPL_F_MODEL_NAME] = check_grammar,
        [OPL_F_OBJECT] = check_object,
        [OPL_F_MODEL_VERSION] = check_grammar,
    };

    return checks[value->field->type](value);
}

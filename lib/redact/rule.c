/* SPDX-License-Identifier: Apache-2.0 */
#include "rule.h"

#include <opledger/json.h>
#include <opledger/yaml.h>

#include "anchors.h"

#define RULES_MAX 1000
#define REACH_MAX 65536

static const char *const as_names[AS_COUNT] = {
    [AS_SECRET] = "secret", [AS_PAYLOAD] = "payload", [AS_TEXT] = "text", [AS_USER] = "user",
    [AS_UID] = "uid",       [AS_GROUP] = "group",     [AS_GID] = "gid",   [AS_HOST] = "host",
    [AS_DOMAIN] = "domain", [AS_MAIL] = "mail",       [AS_IPV4] = "ipv4", [AS_IPV6] = "ipv6",
    [AS_HW] = "hardware",   [AS_ID] = "id",           [AS_SITE] = "site",
};

static const char *const learn_names[LEARN_COUNT] = {
    [LEARN_NONE] = "none",     [LEARN_USER] = "user",     [LEARN_HOST] = "host",
    [LEARN_FQDN] = "fqdn",     [LEARN_DOMAIN] = "domain", [LEARN_MAIL] = "mail",
    [LEARN_PASSWD] = "passwd", [LEARN_PAIR] = "pair",
};

static const enum rule_as class_as[OPL_RULES_CLASSES] = {
    [OPL_RULES_SECRET] = AS_SECRET, [OPL_RULES_IDENTITY] = AS_ID,   [OPL_RULES_NETWORK] = AS_HW,
    [OPL_RULES_SITE] = AS_SITE,     [OPL_RULES_USERTEXT] = AS_TEXT,
};

const char *rule_as_name(enum rule_as as)
{
    return as_names[as];
}

/* One rule while it is read. */
struct reading {
    struct rule *rule;
    const json_t *from;
    struct opl_err *err;
};

static bool refuse(struct reading *reading, const char *field, const char *what)
{
    return opl_fail_at(reading->err, OPL_E_INVALID, field, "rule %s: %s: %s", reading->rule->id,
                       field, what);
}

static bool read_word(struct reading *reading, const char *field, const char *const *words,
                      size_t count, int *out)
{
    const json_t *value = json_object_get(reading->from, field);

    if (!value)
        return true;
    for (size_t i = 0; json_is_string(value) && i < count; i++)
        if (strcmp(json_string_value(value), words[i]) == 0) {
            *out = (int)i;
            return true;
        }
    return refuse(reading, field, "not one of the words it may be");
}

static bool read_number(struct reading *reading, const char *field, long max, long *out)
{
    const json_t *value = json_object_get(reading->from, field);
    char *end = NULL;
    long number;

    if (!value)
        return true;
    number = json_is_string(value) ? strtol(json_string_value(value), &end, 10) : -1;
    if (number < 0 || number > max || !end || *end)
        return refuse(reading, field, "not a number in its range");
    *out = number;
    return true;
}

static bool read_class(struct reading *reading)
{
    const char *text = opl_json_str(reading->from, "class");

    if (!text || !opl_rule_class_parse(text, &reading->rule->class))
        return refuse(reading, "class", "not one of secret, identity, network, site, usertext");
    reading->rule->as = class_as[reading->rule->class];
    return true;
}

static bool read_anchors(struct reading *reading)
{
    const json_t *value = json_object_get(reading->from, "anchor");
    size_t count = json_is_array(value) ? json_array_size(value) : 1;

    if (!value || count == 0 || count > RULE_ANCHORS)
        return refuse(reading, "anchor", "one to eight expressions");
    for (size_t i = 0; i < count; i++) {
        const json_t *one = json_is_array(value) ? json_array_get(value, i) : value;

        if (!json_is_string(one) || json_string_length(one) == 0 ||
            strchr(json_string_value(one), '\n'))
            return refuse(reading, "anchor", "an expression on one line");
        reading->rule->anchors[i] = json_string_value(one);
    }
    reading->rule->anchor_count = count;
    return true;
}

static bool read_numbers(struct reading *reading)
{
    struct rule *rule = reading->rule;
    const char *cut = opl_json_str(reading->from, "cut");
    long before = 0, reach = 4096, apart = 0, kept = -1;

    if (cut && strcmp(cut, "none") == 0)
        kept = 0;
    else if (!read_number(reading, "cut", REACH_MAX, &kept))
        return false;
    if (!read_number(reading, "before", REACH_MAX, &before) ||
        !read_number(reading, "reach", REACH_MAX, &reach) ||
        !read_number(reading, "apart", ANCHOR_SETS - 1, &apart))
        return false;
    rule->before = (unsigned)before;
    rule->reach = (unsigned)reach;
    rule->set = (unsigned)apart;
    rule->cut = (int)kept;
    return true;
}

static bool read_check(struct reading *reading)
{
    const char *name = opl_json_str(reading->from, "check");

    if (!name)
        return !json_object_get(reading->from, "check") || refuse(reading, "check", "not a word");
    reading->rule->check = rule_check_find(name);
    return reading->rule->check || refuse(reading, "check", "no check of that name");
}

static bool is_texts(const json_t *value)
{
    for (size_t i = 0; i < json_array_size(value); i++)
        if (!json_is_string(json_array_get(value, i)))
            return false;
    return json_is_array(value);
}

static bool read_examples(struct reading *reading)
{
    struct rule *rule = reading->rule;

    rule->positive = json_object_get(reading->from, "positive");
    rule->negative = json_object_get(reading->from, "negative");
    if (!is_texts(rule->positive) || json_array_size(rule->positive) == 0)
        return refuse(reading, "positive", "at least one example, as a list of texts");
    return !rule->negative || is_texts(rule->negative) ||
           refuse(reading, "negative", "a list of texts");
}

static bool known_fields(struct reading *reading)
{
    static const char *const known[] = {"apart",   "id",    "class",    "as",      "anchor",
                                        "confirm", "check", "cut",      "before",  "reach",
                                        "learn",   "only",  "positive", "negative"};
    const char *key;
    json_t *value;

    json_object_foreach((json_t *)reading->from, key, value)
    {
        bool found = false;

        for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
            found |= strcmp(key, known[i]) == 0;
        if (!found)
            return refuse(reading, key, "no such field");
    }
    return true;
}

static bool read_rule(struct reading *reading)
{
    struct rule *rule = reading->rule;
    const char *id = opl_json_str(reading->from, "id");
    int as = -1, learn = LEARN_NONE, only = -1;
    static const char *const only_words[] = {"learn"};

    if (!id || !*id || strlen(id) >= sizeof(rule->id) ||
        strspn(id, "abcdefghijklmnopqrstuvwxyz0123456789-") != strlen(id))
        return opl_fail(reading->err, OPL_E_INVALID, "a rule without an id of [a-z0-9-]");
    memcpy(rule->id, id, strlen(id) + 1);
    rule->confirm = opl_json_str(reading->from, "confirm");
    if (!known_fields(reading) || !read_class(reading) || !read_anchors(reading) ||
        !read_word(reading, "as", as_names, AS_COUNT, &as) ||
        !read_word(reading, "learn", learn_names, LEARN_COUNT, &learn) ||
        !read_word(reading, "only", only_words, 1, &only) || !read_numbers(reading) ||
        !read_check(reading) || !read_examples(reading))
        return false;
    if (!rule->confirm || !*rule->confirm)
        return refuse(reading, "confirm", "an expression");
    rule->as = as >= 0 ? (enum rule_as)as : rule->as;
    rule->learn = (enum rule_learn)learn;
    rule->learn_only = only == 0;
    return true;
}

/* Keeps the rule that was read behind the others: in the place of one that it overrides, or last.
 */
static bool keep_rule(struct opl_rules *rules, const struct rule *rule, struct opl_err *err)
{
    for (size_t i = 0; i < rules->count; i++) {
        struct rule *known = &rules->rules[i];

        if (strcmp(known->id, rule->id) != 0)
            continue;
        if (!rule->overrides || known->overrides)
            return opl_fail(err, OPL_E_INVALID, "rule %s: given twice", rule->id);
        *known = *rule;
        return true;
    }
    rules->count++;
    return true;
}

static bool add_rule(struct opl_rules *rules, const json_t *from, bool overrides,
                     struct opl_err *err)
{
    struct rule *larger;
    struct reading reading = {.from = from, .err = err};

    if (rules->count == RULES_MAX)
        return opl_fail(err, OPL_E_TOO_LARGE, "more than %d rules", RULES_MAX);
    larger = realloc(rules->rules, (rules->count + 1) * sizeof(*larger));
    if (!larger)
        return opl_fail(err, OPL_E_NOMEM, "no memory for rules");
    rules->rules = larger;
    reading.rule = &larger[rules->count];
    memset(reading.rule, 0, sizeof(*reading.rule));
    reading.rule->overrides = overrides;
    return read_rule(&reading) && keep_rule(rules, reading.rule, err);
}

static bool check_head(const json_t *document, struct opl_err *err)
{
    const char *version = opl_json_str(document, "v");
    const char *key;
    json_t *value;

    if (!version || strcmp(version, "1") != 0)
        return opl_fail_at(err, OPL_E_INVALID, "/v", "a rule file begins with `v: 1`");
    json_object_foreach((json_t *)document, key, value)
    {
        if (strcmp(key, "v") && strcmp(key, "name") && strcmp(key, "rules"))
            return opl_fail(err, OPL_E_INVALID, "no field %s in a rule file", key);
    }
    return json_is_array(json_object_get(document, "rules")) ||
           opl_fail_at(err, OPL_E_INVALID, "/rules", "a rule file has a list `rules`");
}

static bool parse_document(struct opl_rules *rules, json_t *document, bool overrides,
                           struct opl_err *err)
{
    const json_t *list = json_object_get(document, "rules");

    if (!check_head(document, err))
        return false;
    for (size_t i = 0; i < json_array_size(list); i++)
        if (!add_rule(rules, json_array_get(list, i), overrides, err))
            return false;
    return true;
}

bool rule_parse_file(struct opl_rules *rules, const struct opl_rule_file *file, struct opl_err *err)
{
    struct opl_err inner = {0};
    json_t *document = opl_yaml_parse(file->text, file->len, &inner);

    if (!document)
        return opl_fail(err, inner.code, "%s: %s", file->name, inner.text);
    if (json_array_append_new(rules->documents, document) != 0)
        return opl_fail(err, OPL_E_NOMEM, "no memory for rules");
    return parse_document(rules, document, file->overrides, &inner) ||
           opl_fail_at(err, inner.code, inner.field, "%s: %s", file->name, inner.text);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "config_value.h"

#include <errno.h>

struct unit {
    const char *name;
    int64_t factor;
};

static const struct unit sizes[] = {
    {"",    1        },
    {"KiB", 1LL << 10},
    {"MiB", 1LL << 20},
    {"GiB", 1LL << 30},
    {"TiB", 1LL << 40},
    {NULL,  0        },
};

static const struct unit durations[] = {
    {"ms", 1           },
    {"s",  1000        },
    {"m",  60 * 1000   },
    {"h",  3600 * 1000 },
    {"d",  86400 * 1000},
    {NULL, 0           },
};

static const struct unit plain[] = {
    {"",   1},
    {NULL, 0},
};

static void *member(const struct config *config, const struct config_key *key)
{
    return (char *)config + key->offset;
}

/* The secret ones do not show in messages. */
static bool bad(const struct config_key *key, const char *text, const char *want,
                struct opl_err *err)
{
    return opl_fail(err, OPL_E_USAGE, "%s is \"%s\", and must be %s", key->key,
                    key->is_secret ? "***" : text, want);
}

static bool parse_number(const char *text, const struct unit *units, int64_t *out)
{
    char *end;
    long long n;

    if (*text < '0' || *text > '9')
        return false;
    errno = 0;
    n = strtoll(text, &end, 10);
    for (; !errno && units->name; units++) {
        if (strcmp(end, units->name) != 0)
            continue;
        return !__builtin_mul_overflow(n, units->factor, out);
    }
    return false;
}

static bool set_number(struct config *config, const struct config_key *key, const char *text,
                       struct opl_err *err)
{
    const struct unit *units = key->type == CONFIG_SIZE       ? sizes
                               : key->type == CONFIG_DURATION ? durations
                                                              : plain;
    char want[128];
    int64_t value;

    if (parse_number(text, units, &value) && value >= key->min && value <= key->max) {
        *(int64_t *)member(config, key) = value;
        return true;
    }
    snprintf(want, sizeof(want), "%s from %lld to %lld%s",
             key->type == CONFIG_SIZE       ? "a size like 64MiB,"
             : key->type == CONFIG_DURATION ? "a duration like 30s,"
                                            : "a number",
             (long long)key->min, (long long)key->max, key->type == CONFIG_DURATION ? " ms" : "");
    return bad(key, text, want, err);
}

static bool set_text(struct config *config, const struct config_key *key, const char *text,
                     struct opl_err *err)
{
    char **value = member(config, key);
    char *copy = strdup(text);

    if (!copy)
        return opl_fail(err, OPL_E_NOMEM, "no memory");
    free(*value);
    *value = copy;
    return true;
}

static bool set_address(struct config *config, const struct config_key *key, const char *text,
                        struct opl_err *err)
{
    char host[256];
    uint16_t port;

    if (!config_address(text, host, &port, NULL))
        return bad(key, text, "ADDRESS:PORT or [ADDRESS]:PORT", err);
    return set_text(config, key, text, err);
}

static bool set_flag(struct config *config, const struct config_key *key, const char *text,
                     struct opl_err *err)
{
    if (strcmp(text, "yes") != 0 && strcmp(text, "no") != 0)
        return bad(key, text, "yes or no", err);
    *(bool *)member(config, key) = text[0] == 'y';
    return true;
}

/* The n-th of "a|b|c"; its length, 0 past the last. */
static size_t choice(const char *choices, int64_t n, const char **at)
{
    while (n-- > 0) {
        choices = strchr(choices, '|');
        if (!choices)
            return 0;
        choices++;
    }
    *at = choices;
    return strcspn(choices, "|");
}

static bool set_choice(struct config *config, const struct config_key *key, const char *text,
                       struct opl_err *err)
{
    const char *at;
    size_t len;

    for (int64_t n = 0; (len = choice(key->choices, n, &at)); n++) {
        if (strlen(text) != len || memcmp(text, at, len) != 0)
            continue;
        *(int64_t *)member(config, key) = n;
        return true;
    }
    return bad(key, text, key->choices, err);
}

bool config_value_set(struct config *config, const struct config_key *key, const char *text,
                      struct opl_err *err)
{
    static bool (*const setters[])(struct config *, const struct config_key *, const char *,
                                   struct opl_err *) = {
        [CONFIG_TEXT] = set_text,       [CONFIG_FLAG] = set_flag,
        [CONFIG_INT] = set_number,      [CONFIG_SIZE] = set_number,
        [CONFIG_DURATION] = set_number, [CONFIG_CHOICE] = set_choice,
        [CONFIG_ADDRESS] = set_address,
    };

    return setters[key->type](config, key, text, err);
}

static void print_number(const struct unit *units, int64_t value, struct opl_buf *out)
{
    const struct unit *best = units;

    for (; units->name; units++)
        if (value && value % units->factor == 0)
            best = units;
    opl_buf_fmt(out, "%lld%s", (long long)(value / best->factor), best->name);
}

static void print_text(const struct config *config, const struct config_key *key,
                       struct opl_buf *out)
{
    const char *text = *(char **)member(config, key);

    opl_buf_str(out, key->is_secret && *text ? "***" : text);
}

static void print_choice(const struct config *config, const struct config_key *key,
                         struct opl_buf *out)
{
    const char *at = "";
    size_t len = choice(key->choices, *(int64_t *)member(config, key), &at);

    opl_buf_add(out, at, len);
}

void config_value_print(const struct config *config, const struct config_key *key,
                        struct opl_buf *out)
{
    switch (key->type) {
    case CONFIG_TEXT:
    case CONFIG_ADDRESS:
        print_text(config, key, out);
        break;
    case CONFIG_FLAG:
        opl_buf_str(out, *(bool *)member(config, key) ? "yes" : "no");
        break;
    case CONFIG_CHOICE:
        print_choice(config, key, out);
        break;
    case CONFIG_INT:
        print_number(plain, *(int64_t *)member(config, key), out);
        break;
    case CONFIG_SIZE:
        print_number(sizes, *(int64_t *)member(config, key), out);
        break;
    case CONFIG_DURATION:
        print_number(durations, *(int64_t *)member(config, key), out);
        break;
    }
}

void config_value_free(struct config *config, const struct config_key *key)
{
    if (key->type == CONFIG_TEXT || key->type == CONFIG_ADDRESS)
        free(*(char **)member(config, key));
}

bool config_address(const char *text, char host[static 256], uint16_t *port, struct opl_err *err)
{
    const char *colon = strrchr(text, ':');
    bool bracketed = colon && text[0] == '[' && colon > text + 2 && colon[-1] == ']';
    const char *from = bracketed ? text + 1 : text;
    size_t len = colon ? (size_t)(colon - from) - bracketed : 0;
    int64_t number;

    if (!colon || !len || len > 255 || !parse_number(colon + 1, plain, &number) || number > 65535)
        return opl_fail(err, OPL_E_USAGE, "\"%s\" is not ADDRESS:PORT", text);
    if (!bracketed && memchr(from, ':', len))
        return opl_fail(err, OPL_E_USAGE, "an IPv6 address stands in brackets: [%.*s]:PORT",
                        (int)len, from);
    memcpy(host, from, len);
    host[len] = '\0';
    *port = (uint16_t)number;
    return true;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "allowed_signers.h"

#include <strings.h>

#include <opledger/name.h>
#include <opledger/time.h>

#define LINES_MAX 10000

/* One line while it is read; `at` moves on. */
struct reading {
    const char *name;
    size_t number;
    char *at;
};

static bool bad(const struct reading *line, const char *why, struct opl_err *err)
{
    return opl_fail(err, OPL_E_CONFIG, "%s line %zu: %s", line->name, line->number, why);
}

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t';
}

static void skip_blanks(struct reading *line)
{
    while (is_blank(*line->at))
        line->at++;
}

/* The next word, blanks inside quotes included; NULL where a quote stays open. Ends it with NUL. */
static char *next_word(struct reading *line)
{
    char *word = line->at;
    bool quoted = false;

    for (; *line->at != '\0' && (quoted || !is_blank(*line->at)); line->at++)
        quoted ^= *line->at == '"';
    if (quoted)
        return NULL;
    if (*line->at != '\0')
        *line->at++ = '\0';
    skip_blanks(line);
    return word;
}

/* Names separated by commas: no patterns, because a pattern that matches too much approves. */
static bool is_names(const char *text)
{
    size_t len = strlen(text);

    return len > 0 && strpbrk(text, "*?!\" \t\\") == NULL && text[0] != ',' &&
           text[len - 1] != ',' && strstr(text, ",,") == NULL;
}

static bool has_name(const char *names, const char *name)
{
    size_t len = strlen(name);

    for (const char *at = names; at != NULL; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, name, len) == 0 && (at[len] == ',' || at[len] == '\0'))
            return true;
    }
    return false;
}

static bool read_two_digits(const char *text, int *out)
{
    if (text[0] < '0' || text[0] > '9' || text[1] < '0' || text[1] > '9')
        return false;
    *out = 10 * (text[0] - '0') + text[1] - '0';
    return true;
}

/* YYYYMMDD[HHMM[SS]][Z]; without Z it is local time, as ssh-keygen reads it. */
static bool read_moment(const char *text, int64_t *out)
{
    int part[7] = {0}; /* century, year, month, day, hour, minute, second */
    size_t len = strlen(text);
    bool utc = len > 0 && text[len - 1] == 'Z';
    struct tm when = {.tm_isdst = -1};
    time_t seconds;

    len -= utc;
    if (len != 8 && len != 12 && len != 14)
        return false;
    for (size_t i = 0; i < len / 2; i++)
        if (!read_two_digits(text + 2 * i, &part[i]))
            return false;
    when.tm_year = 100 * part[0] + part[1] - 1900;
    when.tm_mon = part[2] - 1;
    when.tm_mday = part[3];
    when.tm_hour = part[4];
    when.tm_min = part[5];
    when.tm_sec = part[6];
    if (part[0] < 19 || part[2] < 1 || part[2] > 12 || part[3] < 1 || part[3] > 31 ||
        part[4] > 23 || part[5] > 59 || part[6] > 60)
        return false;
    seconds = utc ? timegm(&when) : mktime(&when);
    *out = (int64_t)seconds * OPL_SECOND;
    return seconds != (time_t)-1;
}

/* The value of NAME="VALUE", unquoted in place; NULL when it is another option or has no quotes. */
static char *option_value(char *option, const char *name)
{
    size_t len = strlen(name), left;

    if (strncasecmp(option, name, len) != 0 || option[len] != '=' || option[len + 1] != '"')
        return NULL;
    option += len + 2;
    left = strlen(option);
    if (left == 0 || strchr(option, '"') != option + left - 1)
        return NULL;
    option[left - 1] = '\0';
    return option;
}

static bool set_namespaces(const struct reading *line, struct allowed_signer *out,
                           const char *value, struct opl_err *err)
{
    if (out->namespaces != NULL)
        return bad(line, "namespaces stands there twice", err);
    if (!is_names(value))
        return bad(line, "namespaces must be whole names", err);
    out->namespaces = strdup(value);
    return out->namespaces != NULL || opl_fail(err, OPL_E_NOMEM, "no memory for a line");
}

static bool read_option(const struct reading *line, struct allowed_signer *out, char *option,
                        struct opl_err *err)
{
    char *value = option_value(option, "namespaces");

    if (value != NULL)
        return set_namespaces(line, out, value, err);
    value = option_value(option, "valid-after");
    if (value != NULL)
        return (out->valid_after == INT64_MIN && read_moment(value, &out->valid_after)) ||
               bad(line, "valid-after is no date, or stands there twice", err);
    value = option_value(option, "valid-before");
    if (value != NULL)
        return (out->valid_before == INT64_MAX && read_moment(value, &out->valid_before)) ||
               bad(line, "valid-before is no date, or stands there twice", err);
    if (strcasecmp(option, "cert-authority") == 0)
        return bad(line, "cert-authority: certificates are not accepted", err);
    return bad(line, "an option is none of namespaces, valid-after and valid-before", err);
}

/* The options are one word, separated by commas outside of quotes. */
static bool read_options(const struct reading *line, struct allowed_signer *out, char *word,
                         struct opl_err *err)
{
    while (word != NULL) {
        bool quoted = false;
        char *end = word;

        for (; *end != '\0' && (quoted || *end != ','); end++)
            quoted ^= *end == '"';
        if (*end == '\0')
            return read_option(line, out, word, err);
        *end = '\0';
        if (!read_option(line, out, word, err))
            return false;
        word = end + 1;
    }
    return true;
}

static bool read_key(const struct reading *line, struct allowed_signer *out, const char *type,
                     const char *rest, struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = OPL_BUF_INIT(OPL_SSHKEY_LINE_MAX);
    struct opl_err why = {0};

    opl_buf_fmt(&text, "%s %s", type, rest);
    if (!text.failed && opl_sshkey_parse(opl_buf_text(&text), &out->key, &why))
        return true;
    return opl_fail(err, OPL_E_CONFIG, "%s line %zu: %s", line->name, line->number,
                    why.text[0] != '\0' ? why.text : "the key is too long");
}

static bool is_key_type(const char *word)
{
    return strncmp(word, "ssh-", 4) == 0 || strncmp(word, "sk-", 3) == 0 ||
           strncmp(word, "ecdsa-", 6) == 0;
}

static bool read_fields(struct reading *line, struct allowed_signer *out, struct opl_err *err)
{
    const char *principals = next_word(line);
    char *word = principals != NULL ? next_word(line) : NULL;

    if (word == NULL || *word == '\0')
        return bad(line, "is not PRINCIPALS OPTIONS KEYTYPE KEY", err);
    if (!is_names(principals))
        return bad(line, "principals must be whole names, without patterns", err);
    out->principals = strdup(principals);
    if (out->principals == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for a line");
    if (!is_key_type(word)) {
        if (!read_options(line, out, word, err))
            return false;
        word = next_word(line);
    }
    if (out->namespaces == NULL)
        return bad(line, "namespaces= is missing: the key could be made to sign anything", err);
    if (word == NULL || *line->at == '\0')
        return bad(line, "has no key", err);
    return read_key(line, out, word, line->at, err);
}

static void close_line(struct allowed_signer *line)
{
    free(line->principals);
    free(line->namespaces);
}

void allowed_signers_close(struct allowed_signers *signers)
{
    for (size_t i = 0; i < signers->count; i++)
        close_line(&signers->lines[i]);
    free(signers->lines);
    memset(signers, 0, sizeof(*signers));
}

static bool add_line(struct allowed_signers *out, struct reading *line, struct opl_err *err)
{
    struct allowed_signer one = {.valid_after = INT64_MIN, .valid_before = INT64_MAX};
    struct allowed_signer *grown;

    if (!opl_is_utf8(line->at, strlen(line->at)))
        return bad(line, "is no text", err);
    skip_blanks(line);
    if (*line->at == '\0' || *line->at == '#')
        return true;
    if (out->count == LINES_MAX)
        return bad(line, "there are too many lines", err);
    if (!read_fields(line, &one, err)) {
        close_line(&one);
        return false;
    }
    grown = realloc(out->lines, (out->count + 1) * sizeof(*grown));
    if (grown == NULL) {
        close_line(&one);
        return opl_fail(err, OPL_E_NOMEM, "no memory for %s", line->name);
    }
    out->lines = grown;
    out->lines[out->count++] = one;
    return true;
}

bool allowed_signers_parse(const char *name, const char *text, size_t len,
                           struct allowed_signers *out, struct opl_err *err)
{
    char *copy = strndup(text, len);
    char *rest = copy;
    char *at;
    bool ok = copy != NULL || opl_fail(err, OPL_E_NOMEM, "no memory for %s", name);

    memset(out, 0, sizeof(*out));
    if (ok && strlen(copy) != len)
        ok = opl_fail(err, OPL_E_CONFIG, "%s is no text", name);
    for (size_t number = 1; ok && (at = strsep(&rest, "\n")) != NULL; number++) {
        struct reading line = {.name = name, .number = number, .at = at};

        ok = add_line(out, &line, err);
    }
    free(copy);
    if (!ok)
        allowed_signers_close(out);
    return ok;
}

bool allowed_signers_has(const struct allowed_signers *signers, const char *principal,
                         const char *ssh_namespace, const struct opl_sshkey *key, int64_t at)
{
    for (size_t i = 0; i < signers->count; i++) {
        const struct allowed_signer *line = &signers->lines[i];

        if (opl_sshkey_equal(&line->key, key) && has_name(line->principals, principal) &&
            has_name(line->namespaces, ssh_namespace) && at >= line->valid_after &&
            at < line->valid_before)
            return true;
    }
    return false;
}

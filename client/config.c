/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <ctype.h>
#include <errno.h>

#include <opledger/buf.h>
#include <opledger/time.h>

#include "files.h"
#include "options.h"

#define CONFIG_FILE_MAX ((size_t)64 << 10)

const struct config_row config_rows[CONFIG_COUNT] = {
    [CONFIG_URL] = {"url",             "OPLEDGER_URL",             "url", "http://127.0.0.1:8585",
                    "where the ledger answers",                                                                                     false},
    [CONFIG_TOKEN] = {NULL,              "OPLEDGER_TOKEN",           NULL,  NULL,                    "the token itself",              true },
    [CONFIG_TOKEN_FILE] = {"token_file",      "OPLEDGER_TOKEN_FILE",      NULL,  NULL,
                    "file that holds the token",                                                                                    false},
    [CONFIG_SSH_KEY] = {"ssh_key",         "OPLEDGER_SSH_KEY",         NULL,  NULL,
                    "key that signs (default: ~/.ssh/id_ed25519)",                                                                  false},
    [CONFIG_MODEL] = {"model",           "OPLEDGER_MODEL",           NULL,  NULL,
                    "model meant where -m is left out, PROVIDER/NAME[@VERSION]",                                                    false},
    [CONFIG_CA_FILE] = {"ca_file",         "OPLEDGER_CA_FILE",         NULL,  NULL,
                    "certificates that https URLs are checked with",                                                                false},
    [CONFIG_TIMEOUT] = {"timeout",         "OPLEDGER_TIMEOUT",         NULL,  "60s",                   "how long one request may take",
                    false                                                                                                                },
    [CONFIG_REDACT_KEY_FILE] = {"redact_key_file", "OPLEDGER_REDACT_KEY_FILE", NULL,
                    "/etc/opledger/redact.key",                                                    "the site's key for pseudonyms", false},
};

static bool set(struct config *config, size_t key, const char *value, const char *source,
                struct opl_err *err)
{
    if (config->value[key] != NULL)
        return true;
    config->value[key] = strdup(value);
    config->source[key] = source;
    return config->value[key] != NULL || opl_fail(err, OPL_E_NOMEM, "no memory for a setting");
}

static bool fail_key(const char *name, size_t line, const char *key, struct opl_err *err)
{
    const char *names[CONFIG_COUNT + 1];
    const char *near;
    size_t count = 0;

    for (size_t i = 0; i < CONFIG_COUNT; i++)
        if (config_rows[i].key != NULL)
            names[count++] = config_rows[i].key;
    names[count] = NULL;
    near = options_nearest(key, names);
    opl_fail(err, OPL_E_CONFIG, "%s line %zu: there is no setting %s", name, line, key);
    return near != NULL ? opl_hint(err, "did you mean %s?", near) : false;
}

static char *trim(char *text)
{
    size_t len;

    while (isspace((unsigned char)*text))
        text++;
    len = strlen(text);
    while (len > 0 && isspace((unsigned char)text[len - 1]))
        text[--len] = '\0';
    return text;
}

static bool parse_line(struct config *config, const char *name, size_t number, char *line,
                       struct opl_err *err)
{
    char *equals = strchr(line, '=');
    char *key;

    line = trim(line);
    if (*line == '\0' || *line == '#')
        return true;
    if (equals == NULL)
        return opl_fail(err, OPL_E_CONFIG, "%s line %zu is not `key = value`", name, number);
    *equals = '\0';
    key = trim(line);
    for (size_t i = 0; i < CONFIG_COUNT; i++)
        if (config_rows[i].key != NULL && strcmp(config_rows[i].key, key) == 0)
            return set(config, i, trim(equals + 1), "file", err);
    return fail_key(name, number, key, err);
}

bool config_parse(struct config *config, const char *name, const char *text, struct opl_err *err)
{
    char *copy = strdup(text);
    char *rest = copy;
    char *line;
    bool ok = copy != NULL || opl_fail(err, OPL_E_NOMEM, "no memory for %s", name);

    for (size_t number = 1; ok && (line = strsep(&rest, "\n")) != NULL; number++)
        ok = parse_line(config, name, number, line, err);
    free(copy);
    return ok;
}

static bool load_file(struct config *config, const char *path, struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = OPL_BUF_INIT(CONFIG_FILE_MAX);

    if (path == NULL || !file_exists(path))
        return true;
    return file_read(path, &text, err) && config_parse(config, path, opl_buf_text(&text), err);
}

static bool load_outer(struct config *config, const struct args *args, struct opl_err *err)
{
    for (size_t i = 0; i < CONFIG_COUNT; i++) {
        const char *flag = config_rows[i].flag;
        const char *env = getenv(config_rows[i].env);

        if (flag != NULL && args != NULL && args_has(args, flag) && *args_value(args, flag) == '\0')
            return opl_fail(err, OPL_E_USAGE, "--%s is empty", flag);
        if (flag != NULL && args != NULL && args_has(args, flag) &&
            !set(config, i, args_value(args, flag), "flag", err))
            return false;
        if (env != NULL && *env != '\0' && !set(config, i, env, "environment", err))
            return false;
    }
    return true;
}

static bool read_timeout(struct config *config, struct opl_err *err)
{
    struct opl_err why = {0};

    if (opl_duration_parse(config->value[CONFIG_TIMEOUT], &config->timeout_s, &why))
        return true;
    return opl_fail(err, OPL_E_CONFIG, "timeout, from the %s, is %s: %s",
                    config->source[CONFIG_TIMEOUT], config->value[CONFIG_TIMEOUT], why.text);
}

static bool load_defaults(struct config *config, struct opl_err *err)
{
    size_t len;

    for (size_t i = 0; i < CONFIG_COUNT; i++)
        if (config_rows[i].fallback != NULL &&
            !set(config, i, config_rows[i].fallback, "default", err))
            return false;
    len = strlen(config->value[CONFIG_URL]);
    while (len > 0 && config->value[CONFIG_URL][len - 1] == '/')
        config->value[CONFIG_URL][--len] = '\0';
    return read_timeout(config, err);
}

char *config_xdg_path(const char *variable, const char *fallback, const char *leaf)
{
    const char *base = getenv(variable);
    const char *home = getenv("HOME");
    char *path = NULL;
    int len;

    if (base != NULL && *base == '/')
        len = asprintf(&path, "%s/opledger%s%s", base, *leaf ? "/" : "", leaf);
    else if (home != NULL && *home == '/')
        len = asprintf(&path, "%s/%s/opledger%s%s", home, fallback, *leaf ? "/" : "", leaf);
    else
        return NULL;
    return len < 0 ? NULL : path;
}

bool config_load(struct config *config, const struct args *args, struct opl_err *err)
{
    char *user = config_xdg_path("XDG_CONFIG_HOME", ".config", "config");
    bool ok;

    memset(config, 0, sizeof(*config));
    ok = load_outer(config, args, err) && load_file(config, user, err) &&
         load_file(config, "/etc/opledger/opledger.conf", err) && load_defaults(config, err);
    free(user);
    return ok;
}

const char *config_get(const struct config *config, enum config_key key)
{
    return config->value[key] != NULL ? config->value[key] : "";
}

void config_close(struct config *config)
{
    for (size_t i = 0; i < CONFIG_COUNT; i++) {
        if (config->value[i] != NULL && config_rows[i].secret)
            explicit_bzero(config->value[i], strlen(config->value[i]));
        free(config->value[i]);
    }
    memset(config, 0, sizeof(*config));
}

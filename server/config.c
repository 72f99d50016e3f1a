/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <errno.h>

#include "config_value.h"

#define KEY_AT(member) offsetof(struct config, member)
#define KIB 1024LL
#define MIB (1024 * KIB)
#define GIB (1024 * MIB)
#define TIB (1024 * GIB)
#define DAY_MS (24 * 3600 * 1000LL)

/* One row per key reads better than one cell per line. */
/* clang-format off */
#define TEXT(member, otherwise) CONFIG_TEXT, KEY_AT(member), 0, 0, NULL, otherwise, false
#define NUMBER(type, member, min, max, otherwise) type, KEY_AT(member), min, max, NULL, otherwise, false
#define CHOICE(member, max, choices, otherwise) CONFIG_CHOICE, KEY_AT(member), 0, max, choices, otherwise, false
const struct config_key config_keys[] = {
    {"data", "OPLEDGERD_DATA", TEXT(data, "/var/lib/opledger"), "DIR",
     "data folder: log key, origin, admin.token, and the embedded PostgreSQL"},
    {"db", "OPLEDGERD_DB", CONFIG_TEXT, KEY_AT(db), 0, 0, NULL, "", true, "CONNINFO",
     "the site's own PostgreSQL, as libpq writes it; without it an embedded one runs in DIR/postgres"},
    {"listen", "OPLEDGERD_LISTEN", NUMBER(CONFIG_ADDRESS, listen, 0, 0, "127.0.0.1:8585"), "ADDRESS:PORT",
     "where to serve HTTP; port 0: any free one"},
    {"origin", "OPLEDGERD_ORIGIN", TEXT(origin, ""), "NAME",
     "name of a new log, as example.org/2026; drawn at first start otherwise"},
    {"pg-bin", "OPLEDGERD_PG_BIN", TEXT(pg_bin, ""), "DIR",
     "folder of initdb and postgres; looked for otherwise"},
    {"public-log", "OPLEDGERD_PUBLIC_LOG", NUMBER(CONFIG_FLAG, public_log, 0, 1, "no"), NULL,
     "serve tiles and entry bundles without a token"},
    {"threads", "OPLEDGERD_THREADS", NUMBER(CONFIG_INT, threads, 1, 256, "4"), "N", "HTTP threads"},
    {"workers", "OPLEDGERD_WORKERS", NUMBER(CONFIG_INT, workers, 1, 64, "4"), "N",
     "database workers, a connection each"},
    {"connections", "OPLEDGERD_CONNECTIONS", NUMBER(CONFIG_INT, connections, 16, 65536, "4096"), "N",
     "HTTP connections at a time"},
    {"queue", "OPLEDGERD_QUEUE", NUMBER(CONFIG_INT, queue, 16, 1000000, "8192"), "N",
     "writes that may wait for the log at a time"},
    {"group", "OPLEDGERD_GROUP", NUMBER(CONFIG_INT, group, 1, 100000, "10000"), "N",
     "entries in one transaction at most"},
    {"request-timeout", "OPLEDGERD_REQUEST_TIMEOUT", NUMBER(CONFIG_DURATION, request_ms, 100, DAY_MS, "30s"),
     "DURATION", "deadline of one request"},
    {"lock-timeout", "OPLEDGERD_LOCK_TIMEOUT", NUMBER(CONFIG_DURATION, lock_ms, 100, DAY_MS, "10s"),
     "DURATION", "how long a database lock may keep us waiting"},
    {"statement-timeout", "OPLEDGERD_STATEMENT_TIMEOUT",
     NUMBER(CONFIG_DURATION, statement_ms, 100, DAY_MS, "30s"), "DURATION",
     "how long one read of the database may take"},
    {"max-blob", "OPLEDGERD_MAX_BLOB", NUMBER(CONFIG_SIZE, max_blob, MIB, TIB, "64GiB"), "SIZE",
     "largest blob"},
    {"reserve", "OPLEDGERD_RESERVE", NUMBER(CONFIG_SIZE, reserve, 0, 1024 * TIB, "256MiB"), "SIZE",
     "bytes of disk that only entries may use"},
    {"log-level", "OPLEDGERD_LOG_LEVEL", CHOICE(log_level, 3, "debug|info|warn|error", "info"), "LEVEL",
     "least level of log lines"},
    {"log-format", "OPLEDGERD_LOG_FORMAT", CHOICE(log_format, 1, "text|json", "text"), "FORMAT",
     "form of log lines"},
    {NULL, NULL, TEXT(data, NULL), NULL, NULL},
};

/* clang-format on */

/* Where a value came from; a later source does not replace one from a source that wins. */
enum source { FROM_DEFAULT, FROM_FILE, FROM_ENVIRONMENT, FROM_FLAG };

#define MAX_KEYS 64

struct reading {
    struct config *config;
    enum source set[MAX_KEYS];
    const char *file; /* --config or OPLEDGERD_CONFIG */
};

static const struct config_key *find(const char *name, size_t len)
{
    for (const struct config_key *key = config_keys; key->key; key++)
        if (strlen(key->key) == len && !memcmp(key->key, name, len))
            return key;
    return NULL;
}

static bool set(struct reading *reading, const struct config_key *key, const char *value,
                enum source source, struct opl_err *err)
{
    enum source *now = &reading->set[key - config_keys];

    if (*now > source)
        return true;
    *now = source;
    return config_value_set(reading->config, key, value, err);
}

static bool set_defaults(struct reading *reading, struct opl_err *err)
{
    for (const struct config_key *key = config_keys; key->key; key++)
        if (!set(reading, key, key->otherwise, FROM_DEFAULT, err))
            return false;
    return true;
}

/* An error of the environment or file is one of configuration, not of usage. */
static bool as_config(struct opl_err *err, const char *where, const char *what)
{
    struct opl_err inner = *err;

    *err = (struct opl_err){0};
    opl_fail(err, OPL_E_CONFIG, "%s %s: %s", where, what, inner.text);
    return opl_hint(err, "%s", inner.hint);
}

static bool read_environment(struct reading *reading, struct opl_err *err)
{
    for (const struct config_key *key = config_keys; key->key; key++) {
        const char *value = getenv(key->env);

        if (value && !set(reading, key, value, FROM_ENVIRONMENT, err))
            return as_config(err, "environment", key->env);
    }
    return true;
}

static char *trim(char *text)
{
    char *end = text + strlen(text);

    while (end > text && strchr(" \t\r\n", end[-1]))
        *--end = '\0';
    return text + strspn(text, " \t");
}

/* `key = value`; empty lines and those that begin with # say nothing. */
static bool read_line(struct reading *reading, char *line, struct opl_err *err)
{
    char *text = trim(line);
    char *equals = strchr(text, '=');
    const struct config_key *key;

    if (!*text || *text == '#')
        return true;
    if (!equals)
        return opl_fail(err, OPL_E_CONFIG, "not of the form KEY = VALUE");
    *equals = '\0';
    text = trim(text);
    key = find(text, strlen(text));
    if (!key)
        return opl_fail(err, OPL_E_CONFIG, "unknown key %s", text);
    return set(reading, key, trim(equals + 1), FROM_FILE, err);
}

static bool read_lines(struct reading *reading, FILE *file, const char *path, struct opl_err *err)
{
    char line[4096], where[32];

    for (int n = 1; fgets(line, sizeof(line), file); n++) {
        snprintf(where, sizeof(where), "line %d", n);
        if (!strchr(line, '\n') && !feof(file))
            return opl_fail(err, OPL_E_CONFIG, "%s %s is too long", path, where);
        if (!read_line(reading, line, err))
            return as_config(err, path, where);
    }
    return true;
}

/* The default file may be absent, one that was named may not. */
static bool read_file(struct reading *reading, struct opl_err *err)
{
    const char *path = reading->file ? reading->file : CONFIG_FILE;
    FILE *file = fopen(path, "re");
    char text[128];
    bool good;

    if (!file && !reading->file && errno == ENOENT)
        return true;
    if (!file)
        return opl_fail(err, OPL_E_CONFIG, "cannot read %s: %s", path,
                        strerror_r(errno, text, sizeof(text)));
    good = read_lines(reading, file, path, err);
    fclose(file);
    if (!good)
        return false;
    free(reading->config->config_file);
    reading->config->config_file = strdup(path);
    return reading->config->config_file || opl_fail(err, OPL_E_NOMEM, "no memory");
}

static const struct {
    const char *word;
    enum config_action action;
} words[] = {
    {"migrate",        CONFIG_MIGRATE},
    {"--help",         CONFIG_HELP   },
    {"-h",             CONFIG_HELP   },
    {"--version",      CONFIG_VERSION},
    {"--print-config", CONFIG_PRINT  },
};

static bool take_word(struct reading *reading, const char *word)
{
    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
        if (strcmp(word, words[i].word) != 0)
            continue;
        reading->config->action = words[i].action;
        return true;
    }
    return false;
}

/* The value after `=`, or the next word; *at moves past what was used. NULL: there is none. */
static const char *value_at(const char *flag, int argc, char *const argv[], int *at)
{
    const char *equals = strchr(flag, '=');

    if (equals)
        return equals + 1;
    return *at + 1 < argc ? argv[++*at] : NULL;
}

static bool take_flag(struct reading *reading, int argc, char *const argv[], int *at,
                      struct opl_err *err)
{
    const char *flag = argv[*at] + 2;
    size_t len = strcspn(flag, "=");
    const struct config_key *key = find(flag, len);
    bool is_file = len == strlen("config") && !memcmp(flag, "config", len);
    const char *value;

    if (!key && !is_file) {
        opl_fail(err, OPL_E_USAGE, "unknown option --%.*s", (int)len, flag);
        return opl_hint(err, "opledgerd --help");
    }
    if (key && key->type == CONFIG_FLAG && !flag[len])
        return set(reading, key, "yes", FROM_FLAG, err);
    value = value_at(flag, argc, argv, at);
    if (!value)
        return opl_fail(err, OPL_E_USAGE, "--%.*s needs a value", (int)len, flag);
    if (key)
        return set(reading, key, value, FROM_FLAG, err);
    reading->file = value;
    return true;
}

static bool read_flags(struct reading *reading, int argc, char *const argv[], struct opl_err *err)
{
    for (int i = 1; i < argc; i++) {
        if (take_word(reading, argv[i]))
            continue;
        if (strncmp(argv[i], "--", 2) != 0) {
            opl_fail(err, OPL_E_USAGE, "unexpected word %s", argv[i]);
            return opl_hint(err, "opledgerd --help");
        }
        if (!take_flag(reading, argc, argv, &i, err))
            return false;
    }
    return true;
}

bool config_read(struct config *config, int argc, char *const argv[], struct opl_err *err)
{
    struct reading reading = {.config = config, .file = getenv("OPLEDGERD_CONFIG")};

    config->config_file = strdup("");
    if (!config->config_file)
        return opl_fail(err, OPL_E_NOMEM, "no memory");
    return set_defaults(&reading, err) && read_flags(&reading, argc, argv, err) &&
           read_environment(&reading, err) && read_file(&reading, err);
}

void config_close(struct config *config)
{
    for (const struct config_key *key = config_keys; key->key; key++)
        config_value_free(config, key);
    free(config->config_file);
    *config = (struct config){0};
}

void config_help(struct opl_buf *out)
{
    opl_buf_str(
        out,
        "opledgerd - the ledger's service\n\n"
        "  opledgerd --data DIR [--db CONNINFO] [--listen ADDRESS:PORT]\n"
        "  opledgerd migrate --db CONNINFO     with the database owner's credentials\n"
        "  opledgerd --print-config | --version | --help\n\n"
        "A flag wins over the environment, that over the file (--config FILE, default\n" CONFIG_FILE
        "), that over the default.\n\n");
    for (const struct config_key *key = config_keys; key->key; key++) {
        opl_buf_fmt(out, "  --%s %s\n", key->key, key->value_name ? key->value_name : "");
        opl_buf_fmt(out, "      %s\n", key->help);
        if (key->choices)
            opl_buf_fmt(out, "      one of %s\n", key->choices);
        opl_buf_fmt(out, "      %s; default: %s\n", key->env,
                    *key->otherwise ? key->otherwise : "none");
    }
}

void config_print(const struct config *config, struct opl_buf *out)
{
    for (const struct config_key *key = config_keys; key->key; key++) {
        opl_buf_fmt(out, "%s = ", key->key);
        config_value_print(config, key, out);
        opl_buf_chr(out, '\n');
    }
}

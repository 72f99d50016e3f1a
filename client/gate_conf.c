/* SPDX-License-Identifier: Apache-2.0 */
#include "gate_conf.h"

#include <opledger/name.h>

#define PATHS_MAX 256
#define NUMBER_DIGITS_MAX 15

/* One line of the file while it is read. */
struct line {
    const char *name; /* of the file */
    size_t number;
    const char *key;
    const char *value;
};

static bool bad(const struct line *line, const char *why, struct opl_err *err)
{
    return opl_fail(err, OPL_E_CONFIG, "%s line %zu: %s %s", line->name, line->number, line->key,
                    why);
}

static bool set_text(const struct line *line, char **out, struct opl_err *err)
{
    if (*out != NULL)
        return bad(line, "stands there twice", err);
    *out = strdup(line->value);
    return *out != NULL || opl_fail(err, OPL_E_NOMEM, "no memory for a setting");
}

static bool set_number(const struct line *line, int64_t *out, struct opl_err *err)
{
    size_t len = strlen(line->value);

    if (*out >= 0)
        return bad(line, "stands there twice", err);
    if (len == 0 || len > NUMBER_DIGITS_MAX || strspn(line->value, "0123456789") != len)
        return bad(line, "is no number", err);
    *out = strtoll(line->value, NULL, 10);
    return true;
}

static bool read_url(struct gate_conf *conf, const struct line *line, struct opl_err *err)
{
    size_t len;

    if (strncmp(line->value, "https://", 8) != 0 && strncmp(line->value, "http://", 7) != 0)
        return bad(line, "is no http or https URL", err);
    if (!set_text(line, &conf->url, err))
        return false;
    for (len = strlen(conf->url); len > 0 && conf->url[len - 1] == '/'; len--)
        conf->url[len - 1] = '\0';
    return true;
}

static bool read_origin(struct gate_conf *conf, const struct line *line, struct opl_err *err)
{
    if (!opl_note_is_name(line->value, strlen(line->value)))
        return bad(line, "cannot be a log's origin", err);
    return set_text(line, &conf->origin, err);
}

static bool read_log_key(struct gate_conf *conf, const struct line *line, struct opl_err *err)
{
    if (conf->log_key.type != 0)
        return bad(line, "stands there twice", err);
    if (!opl_vkey_parse(line->value, &conf->log_key, NULL) ||
        conf->log_key.type != OPL_NOTE_ED25519) {
        conf->log_key = (struct opl_vkey){0};
        return bad(line, "is no log key (NAME+ID+KEY)", err);
    }
    return true;
}

static bool read_file(const struct line *line, char **out, struct opl_err *err)
{
    if (line->value[0] != '/')
        return bad(line, "is not an absolute path", err);
    return set_text(line, out, err);
}

static bool read_ca_file(struct gate_conf *conf, const struct line *line, struct opl_err *err)
{
    return read_file(line, &conf->ca_file, err);
}

static bool read_signers(struct gate_conf *conf, const struct line *line, struct opl_err *err)
{
    return read_file(line, &conf->signers, err);
}

static bool read_host(struct gate_conf *conf, const struct line *line, struct opl_err *err)
{
    if (!opl_is_host(line->value))
        return bad(line, "is no host name", err);
    return set_text(line, &conf->host, err);
}

static bool read_signers_min(struct gate_conf *conf, const struct line *line, struct opl_err *err)
{
    return set_number(line, &conf->signers_min, err) &&
           (conf->signers_min > 0 || bad(line, "must be at least 1", err));
}

static bool read_policy_min(struct gate_conf *conf, const struct line *line, struct opl_err *err)
{
    return set_number(line, &conf->policy_min, err);
}

/* `state` is -1 while the key has not been seen. */
static bool read_exit(const struct line *line, int *state, struct opl_err *err)
{
    if (*state >= 0)
        return bad(line, "stands there twice", err);
    if (strcmp(line->value, "allow") != 0 && strcmp(line->value, "refuse") != 0)
        return bad(line, "is allow or refuse", err);
    *state = strcmp(line->value, "allow") == 0;
    return true;
}

static bool read_path(struct gate_conf *conf, const struct line *line, struct opl_err *err)
{
    const char *blank = line->value + strcspn(line->value, " ");
    const char *target = blank + strspn(blank, " ");
    struct gate_conf_path *grown;

    if (line->value[0] != '/' || !opl_is_target(target))
        return bad(line, "is GLOB TARGET: an absolute glob and a target", err);
    if (conf->path_count == PATHS_MAX)
        return bad(line, "stands there too often", err);
    grown = realloc(conf->paths, (conf->path_count + 1) * sizeof(*grown));
    if (grown == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for a path");
    conf->paths = grown;
    grown[conf->path_count] = (struct gate_conf_path){
        strndup(line->value, (size_t)(blank - line->value)), strdup(target)};
    conf->path_count++;
    return (grown[conf->path_count - 1].glob != NULL &&
            grown[conf->path_count - 1].target != NULL) ||
           opl_fail(err, OPL_E_NOMEM, "no memory for a path");
}

static const struct {
    const char *key;
    bool (*read)(struct gate_conf *conf, const struct line *line, struct opl_err *err);
} keys[] = {
    {"url",         read_url        },
    {"origin",      read_origin     },
    {"log_key",     read_log_key    },
    {"ca_file",     read_ca_file    },
    {"host",        read_host       },
    {"path",        read_path       },
    {"signers",     read_signers    },
    {"signers_min", read_signers_min},
    {"policy_min",  read_policy_min },
};

/* The file as it is read; exits are three-valued until then. */
struct reading {
    struct gate_conf *conf;
    int override;
    int offline_override;
};

static bool read_key(struct reading *reading, const struct line *line, struct opl_err *err)
{
    if (strcmp(line->key, "override") == 0)
        return read_exit(line, &reading->override, err);
    if (strcmp(line->key, "offline_override") == 0)
        return read_exit(line, &reading->offline_override, err);
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
        if (strcmp(keys[i].key, line->key) == 0)
            return keys[i].read(reading->conf, line, err);
    return opl_fail(err, OPL_E_CONFIG, "%s line %zu: there is no key %.64s", line->name,
                    line->number, line->key);
}

static char *trim(char *text)
{
    size_t len;

    text += strspn(text, " ");
    len = strlen(text);
    while (len > 0 && text[len - 1] == ' ')
        text[--len] = '\0';
    return text;
}

static bool read_line(struct reading *reading, struct line line, char *text, struct opl_err *err)
{
    char *equals;

    for (char *tab = strchr(text, '\t'); tab != NULL; tab = strchr(tab, '\t'))
        *tab = ' ';
    if (!opl_is_plain(text, strlen(text)))
        return opl_fail(err, OPL_E_CONFIG, "%s line %zu is no plain text", line.name, line.number);
    text = trim(text);
    if (*text == '\0' || *text == '#')
        return true;
    equals = strchr(text, '=');
    if (equals == NULL)
        return opl_fail(err, OPL_E_CONFIG, "%s line %zu is not `key = value`", line.name,
                        line.number);
    *equals = '\0';
    line.key = trim(text);
    line.value = trim(equals + 1);
    if (*line.value == '\0')
        return bad(&line, "has no value", err);
    return read_key(reading, &line, err);
}

static bool check_whole(const char *name, struct gate_conf *conf, struct opl_err *err)
{
    const char *missing = conf->url == NULL         ? "url"
                          : conf->origin == NULL    ? "origin"
                          : conf->log_key.type == 0 ? "log_key"
                                                    : NULL;

    if (missing != NULL)
        return opl_fail(err, OPL_E_CONFIG, "%s does not say %s", name, missing);
    if (strcmp(conf->log_key.name, conf->origin) != 0)
        return opl_fail(err, OPL_E_CONFIG, "%s: log_key is %s's, not that of origin %s", name,
                        conf->log_key.name, conf->origin);
    if (conf->signers == NULL && conf->signers_min > 0)
        return opl_fail(err, OPL_E_CONFIG, "%s says signers_min, but not whose: signers", name);
    if (conf->signers_min < 0)
        conf->signers_min = conf->signers != NULL ? 1 : 0;
    return true;
}

bool gate_conf_parse(const char *name, const char *text, size_t len, struct gate_conf *out,
                     struct opl_err *err)
{
    struct reading reading = {.conf = out, .override = -1, .offline_override = -1};
    char *copy = strndup(text, len);
    char *rest = copy;
    char *at;
    bool ok = copy != NULL || opl_fail(err, OPL_E_NOMEM, "no memory for %s", name);

    *out = (struct gate_conf){.signers_min = -1, .policy_min = -1};
    if (ok && strlen(copy) != len)
        ok = opl_fail(err, OPL_E_CONFIG, "%s is no text", name);
    for (size_t number = 1; ok && (at = strsep(&rest, "\n")) != NULL; number++)
        ok = read_line(&reading, (struct line){.name = name, .number = number}, at, err);
    ok = ok && check_whole(name, out, err);
    free(copy);
    out->override = reading.override == 1;
    out->offline_override = reading.offline_override == 1;
    if (!ok)
        gate_conf_close(out);
    return ok;
}

void gate_conf_close(struct gate_conf *conf)
{
    for (size_t i = 0; i < conf->path_count; i++) {
        free(conf->paths[i].glob);
        free(conf->paths[i].target);
    }
    free(conf->paths);
    free(conf->file);
    free(conf->url);
    free(conf->origin);
    free(conf->ca_file);
    free(conf->host);
    free(conf->signers);
    memset(conf, 0, sizeof(*conf));
}

const char *gate_conf_target(const struct gate_conf *conf, const char *path)
{
    for (size_t i = 0; i < conf->path_count; i++)
        if (opl_glob_match(conf->paths[i].glob, path))
            return conf->paths[i].target;
    return NULL;
}

bool gate_conf_check_paths(const struct gate_conf *conf, const struct opl_manifest *manifest,
                           struct opl_err *err)
{
    for (size_t i = 0; conf->path_count > 0 && i < manifest->file_count; i++) {
        const char *target = gate_conf_target(conf, manifest->files[i].path);

        if (target != NULL && strcmp(target, manifest->target) == 0)
            continue;
        opl_fail(err, OPL_E_VERIFY, "%s belongs to %s on this host, and the change is about %s",
                 manifest->files[i].path, target != NULL ? target : "no target", manifest->target);
        return opl_hint(err, "the path lines of %s say which files belong to which target",
                        conf->file);
    }
    return true;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gate_conf_file - which gate.conf is in force, and whether only those may write it who should.
 */
#include "gate_conf.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "client.h"
#include "files.h"

#define GATE_CONF_MAX ((size_t)64 << 10)

static bool is_owner(const struct stat *info, bool given)
{
    return info->st_uid == 0 || (given && info->st_uid == getuid());
}

/* In a sticky folder others may add files, but not replace one that is not theirs. */
static bool is_safe_folder(const struct stat *info, bool given)
{
    return is_owner(info, given) && ((info->st_mode & 022) == 0 || (info->st_mode & S_ISVTX) != 0);
}

static bool fail_owner(const char *path, bool given, struct opl_err *err)
{
    opl_fail(err, OPL_E_CONFIG, "%s could be written or replaced by somebody else", path);
    return opl_hint(err,
                    "it and the folders above must belong to root%s, without write "
                    "permission for group and others",
                    given ? " or to you" : "");
}

static bool check_folders(const char *path, bool given, struct opl_err *err)
{
    OPL_CLEANUP(file_free) char *real = realpath(path, NULL);
    struct stat info;

    if (real == NULL)
        return opl_fail(err, OPL_E_CONFIG, "cannot follow %s: %s", path, strerror(errno));
    for (char *slash = strrchr(real, '/'); slash != NULL; slash = strrchr(real, '/')) {
        *slash = '\0';
        if (stat(slash == real ? "/" : real, &info) != 0 || !is_safe_folder(&info, given))
            return fail_owner(path, given, err);
    }
    return true;
}

int gate_conf_open(const char *path, bool given, bool *absent, struct opl_err *err)
{
    OPL_CLEANUP(file_closep) int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat info;
    int open_fd;

    *absent = fd < 0 && errno == ENOENT;
    if (*absent)
        return -1;
    if (fd < 0 && errno == ELOOP) {
        opl_fail(err, OPL_E_CONFIG, "%s is a symbolic link, which somebody else could turn", path);
        opl_hint(err, "put the file itself there, owned by root%s", given ? " or by you" : "");
        return -1;
    }
    if (fd < 0) {
        opl_fail(err, OPL_E_CONFIG, "cannot open %s: %s", path, strerror(errno));
        return -1;
    }
    if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
        opl_fail(err, OPL_E_CONFIG, "%s is not a regular file", path);
        return -1;
    }
    if (!is_owner(&info, given) || (info.st_mode & 022) != 0) {
        fail_owner(path, given, err);
        return -1;
    }
    if (!check_folders(path, given, err))
        return -1;
    open_fd = fd;
    fd = -1;
    return open_fd;
}

static bool load_one(const char *path, bool given, struct gate_conf *out, bool *absent,
                     struct opl_err *err)
{
    OPL_CLEANUP(file_closep) int fd = gate_conf_open(path, given, absent, err);
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = OPL_BUF_INIT(GATE_CONF_MAX);

    if (fd < 0)
        return *absent;
    if (!file_read_fd(fd, path, &text, err) ||
        !gate_conf_parse(path, opl_buf_text(&text), text.len, out, err))
        return false;
    out->file = strdup(path);
    if (out->file != NULL && (out->signers == NULL || file_exists(out->signers)))
        return true;
    if (out->file == NULL)
        opl_fail(err, OPL_E_NOMEM, "no memory for a path");
    else
        opl_fail(err, OPL_E_CONFIG, "%s: signers is %s, and there is no such file", path,
                 out->signers);
    gate_conf_close(out);
    return false;
}

bool gate_conf_load(const struct gate_conf_places *places, struct gate_conf *out,
                    struct opl_err *err)
{
    bool absent;

    memset(out, 0, sizeof(*out));
    if (!load_one(places->standard, false, out, &absent, err))
        return false;
    if (!absent || places->given == NULL)
        return true;
    if (!load_one(places->given, true, out, &absent, err))
        return false;
    return !absent || opl_fail(err, OPL_E_CONFIG, "there is no %s", places->given);
}

/* What a setting is called where it was said. */
static const char *word_of(enum config_key key, const char *source)
{
    const struct config_row *row = &config_rows[key];

    if (strcmp(source, "flag") == 0 && row->flag != NULL)
        return row->flag;
    return strcmp(source, "file") == 0 && row->key != NULL ? row->key : row->env;
}

/* Replaces a setting; says so where a flag, the environment or a file had said otherwise. */
static bool replace(struct client *client, const struct gate_conf *conf, enum config_key key,
                    const char *value, struct opl_err *err)
{
    struct config *config = &client->config;
    const char *source = config->source[key];
    char *copy = strdup(value);

    if (copy == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for a setting");
    if (config->value[key] != NULL && strcmp(source, "default") != 0 &&
        strcmp(config->value[key], value) != 0)
        output_note(&client->out, "%s%s of the %s is ignored: %s is in force",
                    strcmp(source, "flag") == 0 ? "--" : "", word_of(key, source), source,
                    conf->file);
    free(config->value[key]);
    config->value[key] = copy;
    config->source[key] = "gate.conf";
    return true;
}

static void note_ignored(struct client *client, const struct gate_conf *conf)
{
    const char *given = client_option(client, "gate-conf");

    if (given != NULL && strcmp(given, conf->file) != 0)
        output_note(&client->out, "--gate-conf is ignored: %s is in force", conf->file);
    if (args_has(&client->args, "unpinned"))
        output_note(&client->out, "--unpinned is ignored: %s is in force", conf->file);
}

bool gate_conf_enforce(struct client *client, struct gate_conf *out, struct opl_err *err)
{
    const struct gate_conf_places places = {.standard = GATE_CONF_STANDARD,
                                            .given = client_option(client, "gate-conf")};

    if (!gate_conf_load(&places, out, err))
        return false;
    if (out->file == NULL)
        return true;
    if (client->api != NULL)
        return opl_fail(err, OPL_E_INTERNAL, "a request was prepared before %s was read",
                        out->file);
    note_ignored(client, out);
    if (!replace(client, out, CONFIG_URL, out->url, err) ||
        !replace(client, out, CONFIG_CA_FILE, out->ca_file != NULL ? out->ca_file : "", err)) {
        gate_conf_close(out);
        return false;
    }
    client->log_key = out->log_key;
    client->log_key_known = true;
    return true;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "state.h"

#include <ctype.h>
#include <errno.h>
#include <unistd.h>

#include "config.h"
#include "files.h"

#define STATE_VALUE_MAX ((size_t)256 << 20)

bool state_open(struct state *state, struct opl_err *err)
{
    if (state->folder != NULL)
        return true;
    state->folder = config_xdg_path("XDG_STATE_HOME", ".local/state", "");
    if (state->folder == NULL) {
        opl_fail(err, OPL_E_CONFIG, "there is no place to remember the log key");
        return opl_hint(err, "set HOME or XDG_STATE_HOME");
    }
    return file_make_folder(state->folder, err);
}

void state_close(struct state *state)
{
    free(state->folder);
    state->folder = NULL;
}

/* A URL or origin as a file name: all but [A-Za-z0-9._-] as %XX; a leading dot too. */
static void add_name(struct opl_buf *path, const char *name)
{
    for (const char *at = name; *at != '\0'; at++) {
        bool plain =
            isalnum((unsigned char)*at) || strchr("_-", *at) != NULL || (*at == '.' && at > name);

        if (plain)
            opl_buf_chr(path, *at);
        else
            opl_buf_fmt(path, "%%%02X", (unsigned)(unsigned char)*at);
    }
}

bool state_path(const struct state *state, const char *what, const char *name, char **path,
                struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = OPL_BUF_INIT(4096);

    opl_buf_fmt(&text, "%s/%s", state->folder, what);
    if (!opl_buf_ok(&text, err) || !file_make_folder(opl_buf_text(&text), err))
        return false;
    opl_buf_chr(&text, '/');
    add_name(&text, name);
    if (!opl_buf_ok(&text, err))
        return false;
    *path = opl_buf_take(&text);
    return true;
}

bool state_get(const struct state *state, const char *what, const char *name, struct opl_buf *out,
               bool *found, struct opl_err *err)
{
    OPL_CLEANUP(file_free) char *path = NULL;

    *found = false;
    if (!state_path(state, what, name, &path, err))
        return false;
    if (!file_exists(path))
        return true;
    out->max = STATE_VALUE_MAX;
    if (!file_read(path, out, err))
        return false;
    *found = true;
    return true;
}

bool state_set(const struct state *state, const char *what, const char *name, const char *text,
               struct opl_err *err)
{
    OPL_CLEANUP(file_free) char *path = NULL;

    return state_path(state, what, name, &path, err) &&
           file_replace(path, text, strlen(text), 0600, err);
}

bool state_append(const struct state *state, const char *what, const char *name, const char *line,
                  struct opl_err *err)
{
    OPL_CLEANUP(file_free) char *path = NULL;
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};

    opl_buf_str(&text, line);
    opl_buf_chr(&text, '\n');
    return opl_buf_ok(&text, err) && state_path(state, what, name, &path, err) &&
           file_append(path, text.data, text.len, err);
}

void state_forget(const struct state *state, const char *what, const char *name)
{
    OPL_CLEANUP(file_free) char *path = NULL;
    struct opl_err ignored = {0};

    if (state_path(state, what, name, &path, &ignored))
        unlink(path);
}

/* Remembers a value at first sight; afterwards it must be the same one. */
static bool keep_same(const struct state *state, const char *what, const char *name,
                      const char *text, bool *fresh, struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf known = {0};
    bool found;

    *fresh = false;
    if (!state_get(state, what, name, &known, &found, err))
        return false;
    if (!found) {
        *fresh = true;
        return state_set(state, what, name, text, err);
    }
    if (strcmp(opl_buf_text(&known), text) == 0)
        return true;
    opl_fail(err, OPL_E_VERIFY, "%s now answers with %s, but %s was pinned at first contact", name,
             text, opl_buf_text(&known));
    return opl_hint(err, "ask its keepers; if the change is meant, remove %s/%s and what it pins",
                    state->folder, what);
}

bool state_pin(const struct state *state, const char *url, const char *origin, const char *vkey,
               bool *fresh, struct opl_err *err)
{
    bool new_here;

    return keep_same(state, "servers", url, origin, &new_here, err) &&
           keep_same(state, "keys", origin, vkey, fresh, err);
}

/* Two people on one host, or two incidents on two terminals, do not mix. */
static void terminal_name(char *out, size_t size)
{
    char tty[64] = "none";

    for (int fd = 0; fd < 3; fd++)
        if (isatty(fd) == 1 && ttyname_r(fd, tty, sizeof(tty)) == 0)
            break;
    snprintf(out, size, "%lu-%s", (unsigned long)getuid(), tty);
}

bool state_incident(const struct state *state, struct opl_buf *out, struct opl_err *err)
{
    char name[96];
    bool found;

    terminal_name(name, sizeof(name));
    return state_get(state, "incidents", name, out, &found, err);
}

bool state_set_incident(const struct state *state, const char *id, struct opl_err *err)
{
    char name[96];

    terminal_name(name, sizeof(name));
    return state_set(state, "incidents", name, id, err);
}

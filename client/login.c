/* SPDX-License-Identifier: Apache-2.0 */
#include "login.h"

#include <stdint.h>
#include <sys/stat.h>

#include <opledger/json.h>
#include <opledger/time.h>

#include "client.h"
#include "files.h"

#define TOKEN_MAX ((size_t)4096)

/* A token is one word; files end in a line break. */
static bool clean_token(struct opl_buf *token, const char *source, struct opl_err *err)
{
    while (token->len > 0 && strchr(" \t\r\n", token->data[token->len - 1]) != NULL)
        token->data[--token->len] = '\0';
    for (size_t i = 0; i < token->len; i++)
        if (token->data[i] <= ' ' || token->data[i] > '~')
            return opl_fail(err, OPL_E_CONFIG, "%s holds no token", source);
    return true;
}

static bool kept_login(struct client *client, json_t **login, struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_wipe) struct opl_buf text = {0};
    struct opl_err broken = {0};
    bool found;

    *login = NULL;
    if (!state_get(&client->state, "tokens", config_get(&client->config, CONFIG_URL), &text, &found,
                   err))
        return false;
    if (found)
        *login = opl_json_parse(opl_buf_text(&text), text.len, &broken);
    return true;
}

static int64_t expiry_of(const json_t *login)
{
    const char *expires = login != NULL ? opl_json_str(login, "expires") : NULL;
    struct opl_err ignored = {0};
    int64_t at = -1;

    return expires != NULL && opl_time_parse(expires, &at, &ignored) ? at : -1;
}

bool login_expires(struct client *client, int64_t *at, struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *login = NULL;

    if (!kept_login(client, &login, err))
        return false;
    *at = expiry_of(login);
    return true;
}

static bool cached_token(struct client *client, struct opl_buf *out, struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *login = NULL;
    const char *token;

    if (!kept_login(client, &login, err))
        return false;
    token = login != NULL ? opl_json_str(login, "token") : NULL;
    if (token != NULL && expiry_of(login) > opl_time_now())
        opl_buf_str(out, token);
    return opl_buf_ok(out, err);
}

/* Like ssh, of a key: whoever can read the token is its owner. A pipe is nobody's to read. */
static void warn_if_open(struct client *client, const char *path)
{
    struct stat info;

    if (stat(path, &info) == 0 && S_ISREG(info.st_mode) && (info.st_mode & 077) != 0)
        output_note(&client->out, "warning: others can read the token in %s (mode %04o): chmod 600",
                    path, (unsigned)(info.st_mode & 07777));
}

bool login_token(struct client *client, struct opl_buf *out, struct opl_err *err)
{
    const char *token = config_get(&client->config, CONFIG_TOKEN);
    const char *file = config_get(&client->config, CONFIG_TOKEN_FILE);

    out->max = TOKEN_MAX;
    if (*token != '\0') {
        opl_buf_str(out, token);
        return clean_token(out, "OPLEDGER_TOKEN", err) && opl_buf_ok(out, err);
    }
    if (*file != '\0')
        warn_if_open(client, file);
    if (*file != '\0')
        return file_read(file, out, err) && clean_token(out, file, err);
    return cached_token(client, out, err);
}

bool login_keep(struct client *client, const char *reply, struct opl_err *err)
{
    return state_set(&client->state, "tokens", config_get(&client->config, CONFIG_URL), reply, err);
}

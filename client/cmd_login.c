/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Signing in with an SSH key, and who one then is.
 */
#include "client.h"
#include "cmd.h"

#include <pwd.h>
#include <unistd.h>

#include <opledger/json.h>
#include <opledger/name.h>
#include <opledger/time.h>

#include "api.h"
#include "log_view.h"
#include "login.h"
#include "sign.h"

#define TOKEN_LIFE "12h" /* the longest there is */

const struct option_spec login_options[] = {
    {"as",  "NAME", "the principal (default: the name of this user)",      0, 0},
    {"ttl", "D",    "how long the token lives (default 12h, at most 12h)", 0, 0},
    OPTION_KEY,
    OPTION_END,
};

static bool principal_name(struct client *client, const char **out, struct opl_err *err)
{
    const struct passwd *user = getpwuid(geteuid());

    *out = client_option(client, "as");
    if (*out == NULL && user != NULL)
        *out = user->pw_name;
    if (*out != NULL && opl_is_principal(*out))
        return true;
    opl_fail(err, OPL_E_USAGE, "who are you to the ledger?");
    return opl_hint(err, "opledger login --as NAME");
}

/*
 * Tiles want a token, so that a head newer than the remembered one cannot be proven yet: the one
 * that is remembered, verified before, stands in the Statement.
 */
static bool login_head(struct client *client, struct opl_head *out, struct opl_err *err)
{
    struct opl_vkey vkey;
    bool found = false;

    if (!log_view_meet(client, &vkey, err) || !log_view_known(client, &vkey, out, &found, err))
        return false;
    return found || log_view_head(client, out, err);
}

static bool ask_challenge(struct client *client, json_t **about, struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *empty = json_object();
    OPL_CLEANUP(opl_json_freep) json_t *reply = NULL;
    const char *ttl = client_option(client, "ttl");

    if (!api_post(client->api, "/v1/login/challenge", empty, NULL, &reply, err))
        return false;
    if (opl_json_str(reply, "challenge") == NULL)
        return opl_fail(err, OPL_E_VERIFY, "the ledger drew no challenge");
    *about = json_pack("{s:s, s:s, s:s}", "challenge", opl_json_str(reply, "challenge"), "url",
                       api_url(client->api), "ttl", ttl != NULL ? ttl : TOKEN_LIFE);
    return *about != NULL || opl_fail(err, OPL_E_NOMEM, "no memory for a login");
}

/* The token stays in the state folder; what is printed, with --json too, does not hold it. */
static bool keep_reply(struct client *client, json_t *reply, struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_wipe) struct opl_buf text = {0};
    const char *token = opl_json_str(reply, "token");
    const char *name = opl_json_str(reply, "principal");
    const char *expires = opl_json_str(reply, "expires");

    if (token == NULL || name == NULL || expires == NULL || !opl_is_principal(name) ||
        !opl_time_is_stored_form(expires))
        return opl_fail(err, OPL_E_VERIFY, "the ledger's answer holds no login");
    if (!opl_json_canonical(reply, &text, err) || !login_keep(client, opl_buf_text(&text), err) ||
        !api_set_token(client->api, token, err))
        return false;
    output_line(&client->out, "signed in as %s until %s", name, expires);
    json_object_del(reply, "token");
    return output_json(&client->out, reply, err);
}

static bool sign_in(struct client *client, const struct sign_request *request, struct opl_err *err)
{
    OPL_CLEANUP(signed_statement_close) struct signed_statement made = {0};
    OPL_CLEANUP(opl_json_freep) json_t *body = NULL;
    OPL_CLEANUP(opl_json_freep) json_t *reply = NULL;

    if (!sign_statement(client, request, &made, err))
        return false;
    body = json_pack("{s:s, s:s}", "statement", made.text, "sshsig", made.sshsig);
    if (body == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for a login");
    return api_post(client->api, "/v1/login", body, NULL, &reply, err) &&
           keep_reply(client, reply, err);
}

bool cmd_login(struct client *client, struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *about = NULL;
    struct sign_request request = {.type = "opledger/login", .key = client_option(client, "key")};
    struct opl_head head;

    if (!principal_name(client, &request.signer, err) || !api_set_token(client->api, NULL, err) ||
        !login_head(client, &head, err) || !ask_challenge(client, &about, err))
        return false;
    request.head = &head;
    request.about = about;
    return sign_in(client, &request, err) && log_view_head(client, &head, err);
}

/* "a, b" of an array of strings, as recorded text. */
static void add_words(struct opl_buf *out, const json_t *words)
{
    size_t i;
    const json_t *word;

    json_array_foreach(words, i, word)
    {
        const char *text = json_string_value(word);

        opl_buf_str(out, i > 0 ? " " : "");
        if (text != NULL)
            output_recorded(out, text, strlen(text), OUTPUT_INLINE);
    }
}

static void print_whoami(struct client *client, const json_t *who)
{
    static const char *const names[] = {"name", "class", "owner", "expires", NULL};
    static const char *const lists[] = {"roles", "scope", NULL};

    for (size_t i = 0; names[i] != NULL; i++)
        if (opl_json_str(who, names[i]) != NULL)
            output_labelled(&client->out, names[i], opl_json_str(who, names[i]));
    for (size_t i = 0; lists[i] != NULL; i++) {
        OPL_CLEANUP(opl_buf_close) struct opl_buf line = {0};

        opl_buf_fmt(&line, "  %s: ", lists[i]);
        add_words(&line, json_object_get(who, lists[i]));
        opl_buf_chr(&line, '\n');
        output_text(&client->out, &line);
    }
}

bool cmd_whoami(struct client *client, struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *who = NULL;

    if (!api_get(client->api, "/v1/whoami", &who, err))
        return false;
    if (opl_json_str(who, "name") == NULL)
        return opl_fail(err, OPL_E_VERIFY, "the ledger does not say who we are");
    print_whoami(client, who);
    return output_json(&client->out, who, err);
}

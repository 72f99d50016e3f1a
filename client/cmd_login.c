/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Signing in with an SSH key, and who one then is.
 */
#include "api.h"
#include "client.h"
#include "cmd.h"

#include <opledger/json.h>

const struct option_spec login_options[] = {
    {"key", "F",  "private key, or its public half with an agent (OPLEDGER_SSH_KEY)", 0, 0},
    {NULL,  NULL, NULL,                                                               0, 0},
};

bool cmd_login(struct client *client, struct opl_err *err)
{
    (void)client;
    return opl_fail(err, OPL_E_USAGE, "no");
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
    print_whoami(client, who);
    return output_json(&client->out, who, err);
}

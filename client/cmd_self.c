/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the program says of itself: help, completion, version.
 */
#include "client.h"
#include "cmd.h"
#include "usage.h"

const struct option_spec help_options[] = {
    {"man", NULL, "the manual page, in roff", 0, 0},
    {NULL,  NULL, NULL,                       0, 0},
};

/* With --json a text is a document too. */
static bool print_text(struct client *client, const struct opl_buf *text, struct opl_err *err)
{
    json_t *value;
    bool ok;

    if (!opl_buf_ok(text, err))
        return false;
    output_text(&client->out, text);
    value = json_pack("{s:s}", "text", opl_buf_text(text));
    ok = value != NULL ? output_json(&client->out, value, err)
                       : opl_fail(err, OPL_E_NOMEM, "no memory for a text");
    json_decref(value);
    return ok;
}

static bool help_word(struct client *client, struct opl_buf *text, struct opl_err *err)
{
    char *words[ARGS_POSITIONAL];
    const struct command *command;
    int taken;

    for (size_t i = 0; i < client->args.positional_count; i++)
        words[i] = (char *)client->args.positional[i];
    command = commands_find(words, (int)client->args.positional_count, &taken);
    if (command != NULL)
        usage_command(command, text);
    else if (commands_has_noun(words[0]))
        usage_noun(words[0], text);
    else
        return opl_fail(err, OPL_E_USAGE, "there is no command %s", words[0]);
    return true;
}

bool cmd_help(struct client *client, struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};

    if (args_has(&client->args, "man"))
        usage_man(&text);
    else if (client->args.positional_count == 0)
        usage_overview(&text);
    else if (!help_word(client, &text, err))
        return false;
    return print_text(client, &text, err);
}

bool cmd_completion(struct client *client, struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};

    if (!usage_completion(client_arg(client, 0), &text)) {
        opl_fail(err, OPL_E_USAGE, "no completion for the shell %s", client_arg(client, 0));
        return opl_hint(err, "bash, zsh or fish");
    }
    return print_text(client, &text, err);
}

bool cmd_version(struct client *client, struct opl_err *err)
{
    json_t *value = json_pack("{s:s}", "version", OPLEDGER_VERSION);
    bool ok;

    output_line(&client->out, "opledger %s", OPLEDGER_VERSION);
    ok = value != NULL ? output_json(&client->out, value, err)
                       : opl_fail(err, OPL_E_NOMEM, "no memory for the version");
    json_decref(value);
    return ok;
}

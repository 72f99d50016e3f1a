/* SPDX-License-Identifier: Apache-2.0 */
#include "commands.h"

#include <limits.h>

#include <opledger/buf.h>
#include <opledger/kinds.h>

#include "cmd.h"

const struct option_spec commands_globals[] = {
    {"url",  "URL", "where the ledger answers (OPLEDGER_URL)",          0, 0  },
    {"json", NULL,  "one JSON document on stdout, for failures too",    0, 0  },
    {"help", NULL,  "what the command does, its options, and examples", 0, 'h'},
    {NULL,   NULL,  NULL,                                               0, 0  },
};

/* noun, verb, arguments, summary, kind, options, function, flags, examples */
const struct command commands[] = {
    {"login",      NULL, "",                 "Sign in with an SSH key and keep the token for the day", NULL,
     login_options,                                                                                                        cmd_login,   COMMAND_SERVER,
     "opledger login\n"
     "opledger login --key ~/.ssh/id_ed25519_ops"                                                                                                                        },
    {"whoami",     NULL, "",                 "Who the ledger takes you for, and what you may do",      NULL, NULL,
     cmd_whoami,                                                                                                                        COMMAND_SERVER, "opledger whoami"},
    {"completion", NULL, "SHELL",            "Print the completion script of bash, zsh or fish",       NULL, NULL,
     cmd_completion,                                                                                                                    COMMAND_LOCAL,
     "opledger completion bash > /etc/bash_completion.d/opledger\n"
     "opledger completion zsh > ~/.zfunc/_opledger\n"
     "opledger completion fish > ~/.config/fish/completions/opledger.fish"                                                                                               },
    {"help",       NULL, "[NOUN] [VERB...]", "What there is, or one command in full",                  NULL, help_options,
     cmd_help,                                                                                                                          COMMAND_LOCAL,
     "opledger help\n"
     "opledger help change propose\n"
     "opledger help --man > opledger.1"                                                                                                                                  },
    {"version",    NULL, "",                 "Print the version",                                      NULL, NULL,         cmd_version, COMMAND_LOCAL,
     "opledger version"                                                                                                                                                  },
    {NULL,         NULL, NULL,               NULL,                                                     NULL, NULL,         NULL,        0,              NULL             },
};

/* How many words of argv this row's name takes; 0 when it is another. */
static int match(const struct command *command, char *const argv[], int argc)
{
    const char *verb = command->verb;
    int taken = 1;

    if (argc < 1 || strcmp(argv[0], command->noun) != 0)
        return 0;
    while (verb != NULL && *verb != '\0') {
        size_t len = strcspn(verb, " ");

        if (taken >= argc || strlen(argv[taken]) != len || strncmp(argv[taken], verb, len) != 0)
            return 0;
        taken++;
        verb += len;
        verb += *verb == ' ';
    }
    return taken;
}

const struct command *commands_find(char *const argv[], int argc, int *words)
{
    for (const struct command *command = commands; command->noun != NULL; command++) {
        *words = match(command, argv, argc);
        if (*words > 0)
            return command;
    }
    return NULL;
}

bool commands_has_noun(const char *noun)
{
    for (const struct command *command = commands; command->noun != NULL; command++)
        if (strcmp(command->noun, noun) == 0)
            return true;
    return false;
}

/* "running-version" is the field running_version. */
static const struct opl_field *field_of(const struct command *command, const char *name)
{
    const struct opl_kind *kind = command->kind != NULL ? opl_kind_find(command->kind) : NULL;
    char field[64];

    if (kind == NULL)
        return NULL;
    snprintf(field, sizeof(field), "%s", name);
    for (char *dash = strchr(field, '-'); dash != NULL; dash = strchr(dash, '-'))
        *dash = '_';
    return opl_kind_field(kind, field);
}

const char *commands_option_help(const struct command *command, const struct option_spec *option)
{
    const struct opl_field *field;

    if (option->help != NULL)
        return option->help;
    field = field_of(command, option->name);
    return field != NULL && field->help != NULL ? field->help : "";
}

struct arity commands_arity(const struct command *command)
{
    struct arity arity = {0};
    const char *at = command->arguments;

    while (*at != '\0') {
        size_t len = strcspn(at, " ");

        if (strncmp(at, "[--", 3) == 0) {
            arity.rest = true;
            break;
        }
        arity.least += *at != '[';
        if (len > 3 && strstr(at, "...") != NULL && strstr(at, "...") < at + len)
            arity.most = INT_MAX;
        else if (arity.most < INT_MAX)
            arity.most++;
        at += len;
        at += *at == ' ';
    }
    return arity;
}

void commands_name(const struct command *command, struct opl_buf *out)
{
    opl_buf_fmt(out, "opledger %s", command->noun);
    if (command->verb != NULL)
        opl_buf_fmt(out, " %s", command->verb);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "commands.h"

#include <limits.h>

#include <opledger/buf.h>
#include <opledger/kinds.h>

const struct option_spec commands_globals[] = {
    {"url",  "URL", "where the ledger answers (OPLEDGER_URL)",          0, 0  },
    {"json", NULL,  "one JSON document on stdout, for failures too",    0, 0  },
    {"help", NULL,  "what the command does, its options, and examples", 0, 'h'},
    {NULL,   NULL,  NULL,                                               0, 0  },
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

/* Fields whose option is not their name with dashes: a list is given one by one. */
static const char *const singular[][2] = {
    {"hypotheses", "hypothesis"},
    {"roles",      "role"      },
};

void commands_option_name(const struct opl_field *field, char *out, size_t size)
{
    snprintf(out, size, "%s", field->name);
    for (size_t i = 0; i < sizeof(singular) / sizeof(singular[0]); i++)
        if (strcmp(singular[i][0], field->name) == 0)
            snprintf(out, size, "%s", singular[i][1]);
    for (char *at = strchr(out, '_'); at != NULL; at = strchr(at, '_'))
        *at = '-';
}

const struct opl_field *commands_option_field(const struct command *command, const char *option)
{
    const struct opl_kind *kind = command->kind != NULL ? opl_kind_find(command->kind) : NULL;
    char name[64];

    if (kind == NULL)
        return NULL;
    for (const struct opl_field *field = kind->fields; field->name != NULL; field++) {
        commands_option_name(field, name, sizeof(name));
        if (strcmp(name, option) == 0)
            return field;
    }
    return NULL;
}

const char *commands_option_help(const struct command *command, const struct option_spec *option)
{
    const struct opl_field *field;

    if (option->help != NULL)
        return option->help;
    field = commands_option_field(command, option->name);
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

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The scripts hold the table as cases over "noun verb"; nothing in them runs opledger, so that
 * completing a word never asks the ledger anything.
 */
#include "usage.h"

#include <opledger/kinds.h>

static const char bash_head[] =
    "# bash completion of opledger; printed by `opledger completion bash`\n"
    "_opledger()\n"
    "{\n"
    "    local line=(\"${COMP_WORDS[@]}\") at=$COMP_CWORD words= any=\n"
    "    while [[ $at -gt 1 && ${line[1]} == --json ]]; do\n"
    "        line=(\"${line[0]}\" \"${line[@]:2}\") at=$((at - 1))\n"
    "    done\n"
    "    local cur=${line[at]} prev=${line[at - 1]} noun=${line[1]} verb=${line[2]}\n"
    "    case $at in\n";

static const char bash_tail[] = "    esac\n"
                                "    if [[ $cur == -* || $at -le 2 || -n $any ]]; then\n"
                                "        COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
                                "    fi\n"
                                "}\n"
                                "complete -o default -F _opledger opledger\n";

static bool is_first(const struct command *command)
{
    return command == commands || strcmp(command[-1].noun, command->noun) != 0;
}

static void add_nouns(struct opl_buf *out)
{
    for (const struct command *command = commands; command->noun != NULL; command++)
        if (is_first(command))
            opl_buf_fmt(out, "%s%s", command == commands ? "" : " ", command->noun);
}

static void add_verbs(const struct command *first, struct opl_buf *out)
{
    for (const struct command *at = first; at->noun != NULL; at++)
        if (strcmp(at->noun, first->noun) == 0 && at->verb != NULL)
            opl_buf_fmt(out, " %.*s", (int)strcspn(at->verb, " "), at->verb);
}

static void add_option_words(const struct option_spec *option, struct opl_buf *out)
{
    for (; option != NULL && option->name != NULL; option++)
        opl_buf_fmt(out, " --%s", option->name);
}

/* The second word of a verb of two, or NULL. */
static const char *second_of(const struct command *command)
{
    const char *blank = command->verb != NULL ? strchr(command->verb, ' ') : NULL;

    return blank != NULL ? blank + 1 : NULL;
}

/* The words that an option takes, "a|b", or NULL when it takes any. */
static const char *words_of(const struct command *command, const struct option_spec *option)
{
    const struct opl_field *field = commands_option_field(command, option->name);

    return field != NULL && field->type == OPL_F_ENUM ? field->words : NULL;
}

static void add_words(const char *words, struct opl_buf *out)
{
    for (; *words != '\0'; words++)
        opl_buf_chr(out, *words == '|' ? ' ' : *words);
}

/* After an option that takes one of some words: these. */
static void add_bash_values(const struct command *command, struct opl_buf *out)
{
    for (const struct option_spec *option = command->options;
         option != NULL && option->name != NULL; option++) {
        if (words_of(command, option) == NULL)
            continue;
        opl_buf_fmt(out, "            [[ $prev == --%s ]] && any=1 words='", option->name);
        add_words(words_of(command, option), out);
        opl_buf_str(out, "'\n");
    }
}

/* "noun verb third": the third is the second word of a verb of two, or whatever else stands there.
 */
static void add_bash_case(const struct command *command, struct opl_buf *out)
{
    if (command->verb == NULL)
        opl_buf_fmt(out, "        '%s '*) words='", command->noun);
    else
        opl_buf_fmt(out, "        '%s %s'%s) words='", command->noun, command->verb,
                    second_of(command) != NULL ? "" : "' '*");
    add_option_words(command->options, out);
    add_option_words(commands_globals, out);
    opl_buf_str(out, "'\n");
    add_bash_values(command, out);
    opl_buf_str(out, "            ;;\n");
}

/* After the cases of whole verbs: what may follow the first word of a verb of two. */
static void add_bash_second(const struct command *command, struct opl_buf *out)
{
    int len;

    if (second_of(command) == NULL)
        return;
    len = (int)(second_of(command) - command->verb) - 1;
    opl_buf_fmt(out, "        '%s %.*s '*) any=1 words='", command->noun, len, command->verb);
    for (const struct command *at = commands; at->noun != NULL; at++)
        if (strcmp(at->noun, command->noun) == 0 && second_of(at) != NULL &&
            strncmp(at->verb, command->verb, (size_t)len + 1) == 0)
            opl_buf_fmt(out, " %s", second_of(at));
    opl_buf_str(out, "' ;;\n");
}

/* Commands whose own argument is one of some words. */
static void add_arguments(const char *noun, struct opl_buf *out)
{
    opl_buf_chr(out, ' ');
    if (strcmp(noun, "help") == 0)
        add_nouns(out);
    else if (strcmp(noun, "completion") == 0)
        opl_buf_str(out, "bash zsh fish");
}

static void completion_bash(struct opl_buf *out)
{
    opl_buf_str(out, bash_head);
    opl_buf_str(out, "    1) words='");
    add_nouns(out);
    add_option_words(commands_globals, out);
    opl_buf_str(out, "' ;;\n    2) case $noun in\n");
    for (const struct command *command = commands; command->noun != NULL; command++) {
        if (!is_first(command))
            continue;
        opl_buf_fmt(out, "        %s) words='", command->noun);
        add_verbs(command, out);
        add_arguments(command->noun, out);
        if (command->verb == NULL)
            add_option_words(command->options, out);
        add_option_words(commands_globals, out);
        opl_buf_str(out, "' ;;\n");
    }
    opl_buf_str(out, "        esac ;;\n    *) case \"$noun $verb ${line[3]}\" in\n");
    for (const struct command *command = commands; command->noun != NULL; command++)
        add_bash_case(command, out);
    for (const struct command *command = commands; command->noun != NULL; command++)
        add_bash_second(command, out);
    opl_buf_str(out, "        esac ;;\n");
    opl_buf_str(out, bash_tail);
}

/* zsh runs bash's functions after bashcompinit: one script less to be wrong. */
static void completion_zsh(struct opl_buf *out)
{
    opl_buf_str(out, "#compdef opledger\nautoload -U +X bashcompinit && bashcompinit\n");
    completion_bash(out);
}

static void add_fish_quoted(struct opl_buf *out, const char *text)
{
    opl_buf_chr(out, '\'');
    for (; *text != '\0'; text++) {
        if (*text == '\'' || *text == '\\')
            opl_buf_chr(out, '\\');
        opl_buf_chr(out, *text);
    }
    opl_buf_chr(out, '\'');
}

static void add_fish_option(const struct command *command, const struct option_spec *option,
                            struct opl_buf *out)
{
    opl_buf_fmt(out, "complete -c opledger -n '__fish_seen_subcommand_from %s", command->noun);
    if (command->verb != NULL)
        opl_buf_fmt(out, "; and __fish_seen_subcommand_from %.*s", (int)strcspn(command->verb, " "),
                    command->verb);
    opl_buf_fmt(out, "' -l %s %s", option->name, option->value != NULL ? "-r " : "");
    if (words_of(command, option) != NULL) {
        opl_buf_str(out, "-f -a '");
        add_words(words_of(command, option), out);
        opl_buf_str(out, "' ");
    }
    opl_buf_str(out, "-d ");
    add_fish_quoted(out, commands_option_help(command, option));
    opl_buf_chr(out, '\n');
}

static void add_fish_command(const struct command *command, struct opl_buf *out)
{
    const struct option_spec *option = command->options;

    if (is_first(command))
        opl_buf_fmt(out, "complete -c opledger -f -n __fish_use_subcommand -a %s\n", command->noun);
    if (command->verb != NULL) {
        opl_buf_fmt(out,
                    "complete -c opledger -f -n '__fish_seen_subcommand_from %s' -a '%.*s' -d ",
                    command->noun, (int)strcspn(command->verb, " "), command->verb);
        add_fish_quoted(out, command->summary);
        opl_buf_chr(out, '\n');
    }
    if (second_of(command) != NULL)
        opl_buf_fmt(out,
                    "complete -c opledger -f -n '__fish_seen_subcommand_from %s; and "
                    "__fish_seen_subcommand_from %.*s' -a %s\n",
                    command->noun, (int)strcspn(command->verb, " "), command->verb,
                    second_of(command));
    for (; option != NULL && option->name != NULL; option++)
        add_fish_option(command, option, out);
}

static void completion_fish(struct opl_buf *out)
{
    opl_buf_str(out, "# fish completion of opledger; printed by `opledger completion fish`\n");
    for (const struct command *command = commands; command->noun != NULL; command++)
        add_fish_command(command, out);
    opl_buf_str(out, "complete -c opledger -f -n '__fish_seen_subcommand_from help' -a '");
    add_nouns(out);
    opl_buf_str(out, "'\n");
    opl_buf_str(out, "complete -c opledger -l url -r -d 'where the ledger answers'\n"
                     "complete -c opledger -l json -d 'one JSON document on stdout'\n"
                     "complete -c opledger -l help -s h -d 'options and examples'\n");
}

static const struct {
    const char *shell;
    void (*write)(struct opl_buf *out);
} completion_writers[] = {
    {"bash", completion_bash},
    {"zsh",  completion_zsh },
    {"fish", completion_fish},
};

bool usage_completion(const char *shell, struct opl_buf *out)
{
    for (size_t i = 0; i < sizeof(completion_writers) / sizeof(completion_writers[0]); i++) {
        if (strcmp(completion_writers[i].shell, shell) != 0)
            continue;
        completion_writers[i].write(out);
        return true;
    }
    return false;
}

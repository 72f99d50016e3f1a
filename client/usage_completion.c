/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The scripts hold the table as cases over "noun verb"; nothing in them runs opledger, so that
 * completing a word never asks the ledger anything.
 */
#include "usage.h"

static const char bash_head[] =
    "# bash completion of opledger; printed by `opledger completion bash`\n"
    "_opledger()\n"
    "{\n"
    "    local cur=${COMP_WORDS[COMP_CWORD]} noun=${COMP_WORDS[1]} verb=${COMP_WORDS[2]} words\n"
    "    case $COMP_CWORD in\n";

static const char bash_tail[] = "    esac\n"
                                "    if [[ $cur == -* || $COMP_CWORD -le 2 ]]; then\n"
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
            opl_buf_fmt(out, " %s", at->verb);
}

static void add_option_words(const struct option_spec *option, struct opl_buf *out)
{
    for (; option != NULL && option->name != NULL; option++)
        opl_buf_fmt(out, " --%s", option->name);
}

/* "noun verb": the first word of a verb of two decides. */
static void add_bash_case(const struct command *command, struct opl_buf *out)
{
    if (command->verb != NULL)
        opl_buf_fmt(out, "        '%s %.*s') words='", command->noun,
                    (int)strcspn(command->verb, " "), command->verb);
    else
        opl_buf_fmt(out, "        '%s '*) words='", command->noun);
    add_option_words(command->options, out);
    add_option_words(commands_globals, out);
    opl_buf_str(out, "' ;;\n");
}

static void completion_bash(struct opl_buf *out)
{
    opl_buf_str(out, bash_head);
    opl_buf_str(out, "    1) words='");
    add_nouns(out);
    opl_buf_str(out, "' ;;\n    2) case $noun in\n");
    for (const struct command *command = commands; command->noun != NULL; command++) {
        if (!is_first(command))
            continue;
        opl_buf_fmt(out, "        %s) words='", command->noun);
        add_verbs(command, out);
        if (command->verb == NULL)
            add_option_words(command->options, out);
        add_option_words(commands_globals, out);
        opl_buf_str(out, "' ;;\n");
    }
    opl_buf_str(out, "        esac ;;\n    *) case \"$noun $verb\" in\n");
    for (const struct command *command = commands; command->noun != NULL; command++)
        add_bash_case(command, out);
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
    opl_buf_fmt(out, "' -l %s %s-d ", option->name, option->value != NULL ? "-r " : "");
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
    for (; option != NULL && option->name != NULL; option++)
        add_fish_option(command, option, out);
}

static void completion_fish(struct opl_buf *out)
{
    opl_buf_str(out, "# fish completion of opledger; printed by `opledger completion fish`\n");
    for (const struct command *command = commands; command->noun != NULL; command++)
        add_fish_command(command, out);
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

/* SPDX-License-Identifier: Apache-2.0 */
#include "usage.h"

#include <opledger/kinds.h>

#include "config.h"

#define HELP_COLUMN 28

static void add_padded(struct opl_buf *out, const char *text, size_t width)
{
    size_t len = strlen(text);

    opl_buf_str(out, text);
    for (; len < width; len++)
        opl_buf_chr(out, ' ');
}

/* What follows a lone `--` stands last. */
static void add_synopsis(const struct command *command, struct opl_buf *out)
{
    const struct option_spec *option = command->options;
    const char *rest = strstr(command->arguments, "[--");
    size_t len = rest != NULL ? (size_t)(rest - command->arguments) : strlen(command->arguments);

    commands_name(command, out);
    while (len > 0 && command->arguments[len - 1] == ' ')
        len--;
    if (len > 0)
        opl_buf_fmt(out, " %.*s", (int)len, command->arguments);
    for (; option != NULL && option->name != NULL; option++)
        if ((option->flags & OPTION_REQUIRED) != 0)
            opl_buf_fmt(out, " --%s %s", option->name, option->value);
    if (command->options != NULL)
        opl_buf_str(out, " [options]");
    if (rest != NULL)
        opl_buf_fmt(out, " %s", rest);
}

static bool is_first_of_noun(const struct command *command)
{
    for (const struct command *at = commands; at < command; at++)
        if (strcmp(at->noun, command->noun) == 0)
            return false;
    return true;
}

static void add_verbs(const char *noun, struct opl_buf *out)
{
    const char *separator = "";

    for (const struct command *command = commands; command->noun != NULL; command++) {
        if (strcmp(command->noun, noun) != 0)
            continue;
        if (command->verb != NULL)
            opl_buf_fmt(out, "%s%s", separator, command->verb);
        else
            opl_buf_str(out, command->summary);
        separator = " | ";
    }
}

void usage_overview(struct opl_buf *out)
{
    opl_buf_str(out, "usage: opledger [--url URL] [--json] NOUN VERB ...\n\n"
                     "A provenance ledger for operations with AI: what a model said, on which "
                     "evidence,\nwho agreed, and what was changed because of it.\n\n");
    for (const struct command *command = commands; command->noun != NULL; command++) {
        if (!is_first_of_noun(command))
            continue;
        opl_buf_str(out, "  ");
        add_padded(out, command->noun, 14);
        add_verbs(command->noun, out);
        opl_buf_chr(out, '\n');
    }
    opl_buf_str(out, "\nopledger NOUN --help and opledger NOUN VERB --help show options and "
                     "examples.\n");
}

void usage_noun(const char *noun, struct opl_buf *out)
{
    opl_buf_fmt(out, "usage: opledger %s VERB ...\n\n", noun);
    for (const struct command *command = commands; command->noun != NULL; command++) {
        if (strcmp(command->noun, noun) != 0 || command->verb == NULL)
            continue;
        opl_buf_str(out, "  ");
        add_padded(out, command->verb, 17);
        opl_buf_fmt(out, "%s\n", command->summary);
    }
    opl_buf_fmt(out, "\nopledger %s VERB --help shows options and examples.\n", noun);
}

/* A required text is pasted, edited or piped where no option gives it. */
static bool is_asked_for(const struct command *command, const struct option_spec *option)
{
    const struct opl_field *field = commands_option_field(command, option->name);

    return field != NULL && field->type == OPL_F_SEALED && (field->flags & OPL_FIELD_OPTIONAL) == 0;
}

static void add_option(const struct command *command, const struct option_spec *option,
                       struct opl_buf *out)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf name = OPL_BUF_INIT(256);
    bool list = (option->flags & OPTION_LIST) != 0;

    opl_buf_str(&name, "  ");
    if (option->letter != 0)
        opl_buf_fmt(&name, "-%c, ", option->letter);
    opl_buf_fmt(&name, "--%s", option->name);
    if (option->value != NULL)
        opl_buf_fmt(&name, " %s%s", option->value, list ? "..." : "");
    add_padded(out, opl_buf_text(&name), HELP_COLUMN);
    if (name.len >= HELP_COLUMN)
        opl_buf_fmt(out, "\n%*s", HELP_COLUMN, "");
    opl_buf_fmt(out, "%s%s%s%s\n", commands_option_help(command, option), list ? " (repeats)" : "",
                (option->flags & OPTION_REQUIRED) != 0 ? " (required)" : "",
                is_asked_for(command, option) ? " (asked for where left out)" : "");
}

static void add_options(const struct command *command, struct opl_buf *out)
{
    const struct option_spec *option = command->options;

    if (option != NULL && option->name != NULL)
        opl_buf_str(out, "\noptions:\n");
    for (; option != NULL && option->name != NULL; option++)
        add_option(command, option, out);
    opl_buf_str(out, "\nfor every command:\n");
    for (option = commands_globals; option->name != NULL; option++)
        add_option(command, option, out);
}

/* Lines of examples, each indented. */
static void add_examples(const char *examples, const char *before, struct opl_buf *out)
{
    while (*examples != '\0') {
        size_t len = strcspn(examples, "\n");

        opl_buf_str(out, before);
        opl_buf_add(out, examples, len);
        opl_buf_chr(out, '\n');
        examples += len;
        examples += *examples == '\n';
    }
}

void usage_command(const struct command *command, struct opl_buf *out)
{
    opl_buf_str(out, "usage: ");
    add_synopsis(command, out);
    opl_buf_fmt(out, "\n\n%s.\n", command->summary);
    add_options(command, out);
    opl_buf_str(out, "\nexamples:\n");
    add_examples(command->examples, "  ", out);
}

/* In roff a leading dot is a request and a backslash an escape; dashes stay ASCII. */
static void add_roff(struct opl_buf *out, const char *text)
{
    for (const char *at = text; *at != '\0'; at++) {
        if (*at == '\\')
            opl_buf_str(out, "\\e");
        else if (*at == '-')
            opl_buf_str(out, "\\-");
        else if ((*at == '.' || *at == '\'') && (at == text || at[-1] == '\n'))
            opl_buf_fmt(out, "\\&%c", *at);
        else
            opl_buf_chr(out, *at);
    }
}

static void add_man_option(const struct command *command, const struct option_spec *option,
                           struct opl_buf *out)
{
    opl_buf_str(out, ".TP\n.B ");
    if (option->letter != 0)
        opl_buf_fmt(out, "\\-%c, ", option->letter);
    opl_buf_str(out, "\\-\\-");
    add_roff(out, option->name);
    if (option->value != NULL)
        opl_buf_fmt(out, " %s%s", option->value, (option->flags & OPTION_LIST) ? "..." : "");
    opl_buf_chr(out, '\n');
    add_roff(out, commands_option_help(command, option));
    opl_buf_chr(out, '\n');
}

static void add_man_command(const struct command *command, struct opl_buf *out)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf synopsis = {0};
    OPL_CLEANUP(opl_buf_close) struct opl_buf examples = {0};
    const struct option_spec *option = command->options;

    add_synopsis(command, &synopsis);
    opl_buf_str(out, ".SS ");
    add_roff(out, opl_buf_text(&synopsis));
    opl_buf_chr(out, '\n');
    add_roff(out, command->summary);
    opl_buf_str(out, ".\n");
    for (; option != NULL && option->name != NULL; option++)
        add_man_option(command, option, out);
    opl_buf_str(out, ".PP\n.nf\n");
    add_examples(command->examples, "    ", &examples);
    add_roff(out, opl_buf_text(&examples));
    opl_buf_str(out, ".fi\n");
}

static void add_man_environment(struct opl_buf *out)
{
    opl_buf_str(out, ".SH ENVIRONMENT\n");
    for (size_t i = 0; i < CONFIG_COUNT; i++) {
        opl_buf_fmt(out, ".TP\n.B %s\n", config_rows[i].env);
        add_roff(out, config_rows[i].help);
        if (config_rows[i].key != NULL)
            opl_buf_fmt(out, " (in files: %s)", config_rows[i].key);
        opl_buf_chr(out, '\n');
    }
}

void usage_man(struct opl_buf *out)
{
    opl_buf_str(out, ".TH OPLEDGER 1 \"\" \"opledger " OPLEDGER_VERSION "\"\n"
                     ".SH NAME\nopledger \\- record, sign and gate what models said and people "
                     "changed\n.SH SYNOPSIS\n.B opledger\n[\\-\\-url URL] [\\-\\-json] NOUN VERB "
                     "...\n.SH COMMANDS\n");
    for (const struct command *command = commands; command->noun != NULL; command++)
        add_man_command(command, out);
    opl_buf_str(out, ".SH OPTIONS OF EVERY COMMAND\n");
    for (const struct option_spec *option = commands_globals; option->name != NULL; option++)
        add_man_option(&commands[0], option, out);
    add_man_environment(out);
    opl_buf_str(out,
                ".SH EXIT STATUS\n0 allowed or done; 1 denied, or a problem was found; 2 usage "
                "or configuration; 3 could not decide; 4 something does not verify; 5 allowed "
                "only by an override and \\-\\-no\\-override was given; 6 allowed, and the "
                "command itself failed.\n.SH SEE ALSO\n.BR opledgerd (8),\n"
                ".BR opledger.conf (5)\n");
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * commands - the one table of what `opledger` can do.
 *
 * Dispatch, usage, --help, shell completion and the manual page are all read from its rows; a new
 * command is a new row and its function. A row's `arguments` is also its arity: `X` is required,
 * `[X]` optional, `X...` repeats, `[-- CMD...]` takes all that follows a lone `--`.
 */
#ifndef OPLEDGER_CLIENT_COMMANDS_H
#define OPLEDGER_CLIENT_COMMANDS_H

#include <opledger/err.h>

struct client;

enum { OPTION_REQUIRED = 1, OPTION_LIST = 2 };

struct option_spec {
    const char *name;  /* long form without dashes, "running-version" */
    const char *value; /* name of its value in the synopsis; NULL: a flag */
    const char *help;  /* NULL: the help of the field of that name in the command's kind */
    unsigned flags;
    char letter; /* short form, or 0 */
};

/* Runs a command; client->exit_status is set where success is not exit 0. */
typedef bool command_fn(struct client *client, struct opl_err *err);

enum {
    COMMAND_LOCAL = 0,
    COMMAND_SERVER = 1, /* talks to the ledger: connected before it runs */
};

struct command {
    const char *noun;
    const char *verb; /* one or two words; NULL: the noun itself is the command */
    const char *arguments;
    const char *summary;
    const char *kind; /* of the entry it writes, or NULL */
    const struct option_spec *options;
    command_fn *run;
    unsigned flags;
    const char *examples; /* lines, each a whole command */
};

extern const struct command commands[];             /* ends with a NULL noun */
extern const struct option_spec commands_globals[]; /* options that every command takes */

/* The command that argv[0] (and what follows) names, and how many words that took; else NULL. */
const struct command *commands_find(char *const argv[], int argc, int *words);

/* Whether some row has this noun. */
bool commands_has_noun(const char *noun);

/* The help line of an option, from its row or from the kinds table. */
const char *commands_option_help(const struct command *command, const struct option_spec *option);

/* "running_version" as the option "running-version", "roles" as "role"; and back, NULL if none. */
struct opl_field;
void commands_option_name(const struct opl_field *field, char *out, size_t size);
const struct opl_field *commands_option_field(const struct command *command, const char *option);

/* Least and most positional arguments; whether `-- CMD...` may follow. Most: INT_MAX if open. */
struct arity {
    int least;
    int most;
    bool rest;
};

struct arity commands_arity(const struct command *command);

/* "opledger incident open" and the like, without arguments. */
struct opl_buf;
void commands_name(const struct command *command, struct opl_buf *out);

#endif

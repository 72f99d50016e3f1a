/* SPDX-License-Identifier: Apache-2.0 */
/*
 * options - from argv to the values of one command, by its row of the command table.
 *
 * Unknown, abbreviated or ambiguous options, a missing or surplus argument, a missing required
 * option and a repeated one that is no list are OPL_E_USAGE with the nearest word as the hint.
 */
#ifndef OPLEDGER_CLIENT_OPTIONS_H
#define OPLEDGER_CLIENT_OPTIONS_H

#include "commands.h"

#define ARGS_VALUES 512
#define ARGS_POSITIONAL 64

struct arg_value {
    const struct option_spec *option;
    const char *value; /* NULL for a flag */
};

/* Borrows argv's strings. */
struct args {
    const struct command *command;
    struct arg_value values[ARGS_VALUES];
    size_t value_count;
    const char *positional[ARGS_POSITIONAL];
    size_t positional_count;
    char *const *rest; /* what follows `--` where the command takes it; ends with NULL */
    size_t rest_count;
};

/*
 * Parses the words after the command's name. With command NULL only global options are read and
 * parsing stops at the first other word: *used says how many words were taken.
 */
OPL_MUST_CHECK bool options_parse(const struct command *command, int argc, char *const argv[],
                                  struct args *out, struct opl_err *err);
OPL_MUST_CHECK bool options_parse_globals(int argc, char *const argv[], struct args *out, int *used,
                                          struct opl_err *err);

/* Required options and the number of arguments; separate, so that --help needs neither. */
OPL_MUST_CHECK bool options_check(const struct args *args, struct opl_err *err);

bool args_has(const struct args *args, const char *name);
const char *args_value(const struct args *args, const char *name); /* NULL when not given */
size_t args_count(const struct args *args, const char *name);
const char *args_at(const struct args *args, const char *name, size_t i);
const char *args_positional(const struct args *args, size_t i); /* NULL past the end */

/* The entry of a NULL-terminated list nearest to a mistyped word, or NULL when none is near. */
const char *options_nearest(const char *word, const char *const candidates[]);

#endif

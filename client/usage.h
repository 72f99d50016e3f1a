/* SPDX-License-Identifier: Apache-2.0 */
/*
 * usage - help, manual page and shell completion, all written from the command table.
 */
#ifndef OPLEDGER_CLIENT_USAGE_H
#define OPLEDGER_CLIENT_USAGE_H

#include <opledger/buf.h>

#include "commands.h"

/* Every noun with its verbs; or those of one noun. */
void usage_overview(struct opl_buf *out);
void usage_noun(const char *noun, struct opl_buf *out);

/* One command: synopsis, summary, options, examples. */
void usage_command(const struct command *command, struct opl_buf *out);

/* opledger(1) in roff. */
void usage_man(struct opl_buf *out);

/* The completion script of a shell; false when the shell is unknown. */
bool usage_completion(const char *shell, struct opl_buf *out);

#endif

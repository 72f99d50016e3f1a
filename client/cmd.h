/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd - the functions and option tables that the rows of the command table name, by file.
 */
#ifndef OPLEDGER_CLIENT_CMD_H
#define OPLEDGER_CLIENT_CMD_H

#include "commands.h"

/* cmd_self.c */
command_fn cmd_help, cmd_completion, cmd_version;
extern const struct option_spec help_options[];

/* cmd_login.c */
command_fn cmd_login, cmd_whoami;
extern const struct option_spec login_options[];

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * apply_command - the one command that a manifest names, run as it stands there, without a shell.
 */
#ifndef OPLEDGER_CLIENT_APPLY_COMMAND_H
#define OPLEDGER_CLIENT_APPLY_COMMAND_H

#include <opledger/buf.h>

#define APPLY_OUTPUT_MAX ((size_t)1 << 20) /* bytes of its output that are kept */

/* The program that argv[0] means on this host: itself, or by PATH; for free(). NULL when none. */
char *apply_command_find(const char *name, struct opl_err *err);

/*
 * Runs it with stdin empty and stdout and stderr appended to `output`; what is more than
 * APPLY_OUTPUT_MAX is dropped and said. Its exit status, 128 + n for a signal. The token of the
 * ledger is not in its environment. Does not wait for what it leaves running in the background.
 */
OPL_MUST_CHECK bool apply_command_run(const char *program, char *const argv[],
                                      struct opl_buf *output, int *status, struct opl_err *err);

#endif

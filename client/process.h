/* SPDX-License-Identifier: Apache-2.0 */
/*
 * process - other programs, started by argv and never through a shell.
 */
#ifndef OPLEDGER_CLIENT_PROCESS_H
#define OPLEDGER_CLIENT_PROCESS_H

#include <opledger/buf.h>

/* Runs a program with this terminal and waits. Its status, 128 + n for a signal. */
OPL_MUST_CHECK bool process_run(const char *const argv[], int *status, struct opl_err *err);

/* The same, with `input` as its stdin and its stdout appended to `output`. */
OPL_MUST_CHECK bool process_filter(const char *const argv[], const struct opl_buf *input,
                                   struct opl_buf *output, int *status, struct opl_err *err);

/* The same, with its stderr thrown away. */
OPL_MUST_CHECK bool process_quiet(const char *const argv[], const struct opl_buf *input,
                                  struct opl_buf *output, int *status, struct opl_err *err);

#endif

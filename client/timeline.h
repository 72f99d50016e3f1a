/* SPDX-License-Identifier: Apache-2.0 */
/*
 * timeline - everything recorded about a subject and what hangs below it, in log order.
 */
#ifndef OPLEDGER_CLIENT_TIMELINE_H
#define OPLEDGER_CLIENT_TIMELINE_H

#include <opledger/err.h>

struct client;

/* Status lines of the subject and its children, then every entry; with --json all of it. */
OPL_MUST_CHECK bool timeline_print(struct client *client, const char *id, struct opl_err *err);

#endif

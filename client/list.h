/* SPDX-License-Identifier: Apache-2.0 */
/*
 * list - the newest of one kind of subject, a line each.
 */
#ifndef OPLEDGER_CLIENT_LIST_H
#define OPLEDGER_CLIENT_LIST_H

#include <opledger/buf.h>

struct client;

/*
 * Prints `GET /v1/NOUN` with the filters that options give (status, model, actor, since, until,
 * limit); `query` (may be NULL) is added as it is.
 */
OPL_MUST_CHECK bool list_print(struct client *client, const char *noun, const char *query,
                               struct opl_err *err);

#endif

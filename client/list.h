/* SPDX-License-Identifier: Apache-2.0 */
/*
 * list - the newest of one kind of subject, a line each.
 */
#ifndef OPLEDGER_CLIENT_LIST_H
#define OPLEDGER_CLIENT_LIST_H

#include <jansson.h>

#include <opledger/buf.h>

struct client;

/*
 * Prints `GET /v1/NOUN` with the filters that options give: status, model, actor, since, until,
 * limit.
 */
OPL_MUST_CHECK bool list_print(struct client *client, const char *noun, struct opl_err *err);

/* The same in two steps, for who has something to add to the items of the page. */
OPL_MUST_CHECK bool list_page(struct client *client, const char *noun, json_t **page,
                              struct opl_err *err);
OPL_MUST_CHECK bool list_show(struct client *client, const char *noun, const json_t *page,
                              struct opl_err *err);

#endif

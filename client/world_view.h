/* SPDX-License-Identifier: Apache-2.0 */
/*
 * world_view - the state of the log folded by this client, from entries that it asks for.
 *
 * Subjects and documents are fetched when they are looked at. Who is whom comes from
 * registry_view.
 */
#ifndef OPLEDGER_CLIENT_WORLD_VIEW_H
#define OPLEDGER_CLIENT_WORLD_VIEW_H

#include <opledger/world.h>

struct client;

/* Free with opl_world_free; it asks the client, which must outlive it. */
OPL_MUST_CHECK bool world_view_new(struct client *client, struct opl_world **out,
                                   struct opl_err *err);

/*
 * The status of a subject, folded here: a hypothesis's by what is known of it, others' by their
 * state. Static text.
 */
OPL_MUST_CHECK bool world_view_status(struct opl_world *world, const char *id, const char **status,
                                      struct opl_err *err);

/* Whether some egress accounts for the prompt of a hypothesis; true for any other subject. */
OPL_MUST_CHECK bool world_view_accounted(struct opl_world *world, const char *id, bool *yes,
                                         struct opl_err *err);

#endif

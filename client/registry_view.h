/* SPDX-License-Identifier: Apache-2.0 */
/*
 * registry_view - who is whom and which policies are in force, from the log itself.
 *
 * Every entry is read once in the life of this client and hashed into the tree: what is believed
 * are exactly the entries under the signed root. The administration among them, and the edge of the
 * tree, are remembered, so that the next run reads on from there.
 */
#ifndef OPLEDGER_CLIENT_REGISTRY_VIEW_H
#define OPLEDGER_CLIENT_REGISTRY_VIEW_H

#include <opledger/registry.h>

struct client;

/* The registry at the newest head; for the caller to free. */
OPL_MUST_CHECK bool registry_view_load(struct client *client, struct opl_registry **out,
                                       struct opl_err *err);

#endif

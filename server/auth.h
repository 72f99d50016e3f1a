/* SPDX-License-Identifier: Apache-2.0 */
/*
 * auth - who shows a bearer token, by the registry in force.
 *
 * Tokens are known by their SHA-256 only and never logged. A missing or unknown, expired or revoked
 * token is OPL_E_UNAUTHENTICATED; a principal without the role is OPL_E_FORBIDDEN.
 */
#ifndef OPLEDGER_SERVER_AUTH_H
#define OPLEDGER_SERVER_AUTH_H

#include "identity.h"

#define AUTH_TOKEN_PREFIX "opl_" /* so that secret scanners know one */

struct server;

/* Draws a token: its text, the SHA-256 under which the log knows it, and its id. */
struct auth_token {
    char text[72];
    struct opl_hash sha256;
    char id[17];
};

void auth_token_draw(struct auth_token *token);

/* Reads `Authorization`; header NULL: nobody (which is no error). */
OPL_MUST_CHECK bool auth_identify(struct server *server, const char *header,
                                  struct identity *identity, struct opl_err *err);

/* Whether the identity has one of the roles ("recorder|admin"); says which is needed. */
OPL_MUST_CHECK bool auth_permit(struct server *server, const struct identity *identity,
                                const char *roles, struct opl_err *err);

/* The same without an error. */
bool auth_may(struct server *server, const struct identity *identity, const char *roles);

#endif

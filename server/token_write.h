/* SPDX-License-Identifier: Apache-2.0 */
/*
 * token_write - token.created as a line to be written: the log learns the digest, never the token.
 */
#ifndef OPLEDGER_SERVER_TOKEN_WRITE_H
#define OPLEDGER_SERVER_TOKEN_WRITE_H

#include "auth.h"
#include "request.h"
#include "write.h"

/* Draws a token that lives as long as the request, wiped at its end. NULL: no memory. */
struct auth_token *token_keep(struct request *request);

/* Adds token.created with the members of `body` (principal, scope, expires) and the token's id. */
OPL_MUST_CHECK bool token_write(struct write *write, const json_t *body,
                                const struct auth_token *token, struct opl_err *err);

#endif

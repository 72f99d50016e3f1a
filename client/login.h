/* SPDX-License-Identifier: Apache-2.0 */
/*
 * login - which token goes with requests, and the cache of the last login.
 */
#ifndef OPLEDGER_CLIENT_LOGIN_H
#define OPLEDGER_CLIENT_LOGIN_H

#include <opledger/buf.h>

struct client;

/*
 * The token to send, empty when there is none: OPLEDGER_TOKEN, then the file that
 * OPLEDGER_TOKEN_FILE names, then an unexpired login at this URL.
 */
OPL_MUST_CHECK bool login_token(struct client *client, struct opl_buf *out, struct opl_err *err);

/* Keeps the reply of a login, {token, principal, expires}, for this URL. */
OPL_MUST_CHECK bool login_keep(struct client *client, const char *reply, struct opl_err *err);

/* When the kept login at this URL expires; -1 when there is none. */
OPL_MUST_CHECK bool login_expires(struct client *client, int64_t *at, struct opl_err *err);

#endif

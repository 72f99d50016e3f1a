/* SPDX-License-Identifier: Apache-2.0 */
/*
 * http - the door to libmicrohttpd: its repeated callbacks become complete requests and replies.
 *
 * An epoll thread pool that never blocks. Uploads and downloads pass in pieces of 1 MiB between
 * which the connection is suspended while a worker has the piece.
 */
#ifndef OPLEDGER_SERVER_HTTP_H
#define OPLEDGER_SERVER_HTTP_H

#include <stdint.h>

#include <opledger/err.h>

struct http;
struct server;

/* Binds server->config->listen and answers. OPL_E_CONFIG: address in use or not ours. */
OPL_MUST_CHECK bool http_start(struct http **http, struct server *server, struct opl_err *err);

/* The port that was bound, where the configuration said 0. */
uint16_t http_port(const struct http *http);

/* Takes no new connections; those there are answered 503 as server->stopping says. */
void http_quiesce(struct http *http);

/*
 * Stops. Every suspended request must have been answered (waiting_count 0) and no job may be left.
 * Accepts NULL.
 */
void http_stop(struct http *http);

/* For waiting.h. */
void http_resume(void *connection);

#endif

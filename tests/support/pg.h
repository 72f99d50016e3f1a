/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pg - a private PostgreSQL for one test program: temporary folder, Unix socket only, gone at the
 * end.
 *
 * As root it runs as the OS user `postgres`. Functions end the test program when they cannot do
 * their work; the server dies with the test program, however that ends.
 */
#ifndef OPLEDGER_TESTS_PG_H
#define OPLEDGER_TESTS_PG_H

#include "server/db.h"

struct pg;

struct pg *pg_start(void);

/* The same with roles, the database `opledger` and every migration. */
struct pg *pg_start_migrated(void);
void pg_stop(struct pg *pg);

/* Ends the server by a signal: SIGINT fast, SIGQUIT immediate, SIGKILL; and starts it again. */
void pg_kill(struct pg *pg, int signal_number);
void pg_again(struct pg *pg);

/* A new connection object; role NULL: superuser; database NULL: opledger. Free with db_free. */
struct db *pg_connect(struct pg *pg, const char *role, const char *database);

/* The socket's folder, for conninfos of one's own (port 5432, no password). */
const char *pg_socket(const struct pg *pg);

/* Runs SQL as superuser in database `opledger`; for arranging what the product cannot do. */
void pg_sql(struct pg *pg, const char *text);

#endif

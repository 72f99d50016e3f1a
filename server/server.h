/* SPDX-License-Identifier: Apache-2.0 */
/*
 * server - the parts of a running opledgerd, and in which order they start and stop.
 */
#ifndef OPLEDGER_SERVER_SERVER_H
#define OPLEDGER_SERVER_SERVER_H

#include "config.h"
#include "ledger.h"
#include "metrics.h"
#include "published.h"
#include "waiting.h"

struct http;
struct postgres;
struct scrubbed_rules;
struct sequencer;
struct workers;

struct server {
    const struct config *config;
    struct ledger ledger; /* the log's key and name */
    struct published published;
    struct waiting waiting;
    struct metrics metrics;
    struct workers *workers;
    struct sequencer *sequencer;
    struct scrubbed_rules *scrubbed_rules;
    struct http *http;
    struct postgres *postgres; /* NULL with --db */
    const char *conninfo;
    char *openapi; /* text of /openapi.json */
    atomic_bool stopping;
};

/* Brings everything up and answers requests when it returns; the database is there. */
OPL_MUST_CHECK bool server_start(struct server *server, const struct config *config,
                                 struct postgres *postgres, struct opl_err *err);

/* Refuses new work, finishes or fails what waits, and stops all. Accepts a half-started one. */
void server_stop(struct server *server);

#endif

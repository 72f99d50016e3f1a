/* SPDX-License-Identifier: Apache-2.0 */
/*
 * request - one HTTP request, complete, and where its reply grows.
 *
 * Two may hold a request: the connection and the job that works on it. Whoever comes last frees it,
 * so that a job may outlive a request that met its deadline. Nothing here points into the HTTP
 * library's memory.
 */
#ifndef OPLEDGER_SERVER_REQUEST_H
#define OPLEDGER_SERVER_REQUEST_H

#include <stdatomic.h>

#include "identity.h"
#include "reply.h"

struct db;
struct request;
struct route;
struct server;
struct write;

#define REQUEST_PARAMS 2 /* {…} of a pattern */
#define REQUEST_QUERY 16 /* query parameters */
#define REQUEST_TARGET_MAX 4096

struct request_query {
    char *name; /* decoded; both point into the request's own text */
    char *value;
};

/* Takes a body in pieces, on workers. */
struct request_sink {
    void *ctx; /* NULL: none */
    bool (*take)(void *ctx, struct db *db, const void *bytes, size_t len, struct opl_err *err);
    bool (*finish)(void *ctx, struct db *db, struct reply *reply, struct opl_err *err);
    void (*release)(void *ctx);
};

/* Where a request stands; see waiting.h, whose lock guards it. */
enum request_state { REQUEST_RUNNING, REQUEST_SUSPENDED, REQUEST_DONE, REQUEST_OVERDUE };

/* What a job is to do, on a worker with a database connection, or (db NULL) where it stands. */
typedef bool (*request_fn)(struct request *request, struct db *db, struct opl_err *err);

struct request {
    struct server *server;
    const struct route *route; /* NULL: none matches */
    char id[17];
    char method[8];
    char *target; /* owned: path and query as sent, cut up in place */
    char *path;   /* decoded */
    char *params[REQUEST_PARAMS];
    struct request_query query[REQUEST_QUERY];
    size_t query_count;
    char idempotency_key[130]; /* "" when absent; one longer than allowed, so that it shows */
    char media_type[64];
    char range[64];
    char host[256]; /* the header */
    char if_none_match[80];
    bool has_length;
    uint64_t length;     /* Content-Length */
    size_t length_count; /* how often it stands */
    bool from_loopback;
    struct identity identity;
    struct opl_buf body;
    struct request_sink sink;
    int64_t began_us; /* monotonic */

    struct reply reply;
    struct opl_err err;         /* what went wrong; makes the reply when set */
    json_t *errors;             /* owned: the problem's errors[], or NULL */
    struct write *write;        /* owned: what the sequencer gets */
    request_fn work;            /* what a worker is to do now; it clears this when it starts */
    request_fn after;           /* on the HTTP thread, once the write is durable */
    bool has_run;               /* route->run was called */
    void *extra;                /* owned: the handler's own, */
    void (*extra_free)(void *); /* and how it goes */

    /* guarded by waiting's lock */
    enum request_state state;
    int64_t deadline_us;
    struct request *wait_next, *wait_prev;
    struct request *job_next; /* in the workers' queue */
    void *connection;         /* the HTTP library's */
    atomic_int holders;
};

/* A request for `target` (path and query as sent) held once; NULL: no memory. */
struct request *request_new(struct server *server, const char *target);
void request_hold(struct request *request);
void request_drop(struct request *request); /* accepts NULL */

/* Splits and decodes the target; OPL_E_MALFORMED. */
OPL_MUST_CHECK bool request_parse_target(struct request *request, struct opl_err *err);

/* A query parameter, or NULL. */
const char *request_query(const struct request *request, const char *name);

/* An integer parameter within [min, max]; `otherwise` when absent. OPL_E_MALFORMED. */
OPL_MUST_CHECK bool request_query_int(const struct request *request, const char *name,
                                      int64_t otherwise, const int64_t range[static 2],
                                      int64_t *out, struct opl_err *err);

/* A decimal sequence number without leading zeros; false, without an error, for anything else. */
bool request_number(const char *text, uint64_t *out);

/* Refuses query parameters that are not among `names` (separated by spaces). */
OPL_MUST_CHECK bool request_only(const struct request *request, const char *names,
                                 struct opl_err *err);

/* The body as one JSON document. NULL on failure. */
OPL_MUST_CHECK json_t *request_json(const struct request *request, struct opl_err *err);

/* Checks that an object has only the members `names`; OPL_E_INVALID with the field. */
OPL_MUST_CHECK bool request_members(const json_t *object, const char *names, struct opl_err *err);

#endif

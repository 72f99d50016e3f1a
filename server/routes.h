/* SPDX-License-Identifier: Apache-2.0 */
/*
 * routes - the one table of paths. 404, 405, who may, media types and body limits follow from it,
 * and so does /openapi.json.
 */
#ifndef OPLEDGER_SERVER_ROUTES_H
#define OPLEDGER_SERVER_ROUTES_H

#include "request.h"

enum lane {
    LANE_INLINE, /* answered on the HTTP thread: memory only */
    LANE_WORKER, /* run on a worker with a database connection */
    LANE_WRITE,  /* run on the HTTP thread; leaves request->write or request->work behind */
    LANE_UPLOAD  /* run on the HTTP thread before the body; leaves request->sink behind */
};

enum {
    ROUTE_OPEN_LOG = 1,      /* public with --public-log */
    ROUTE_OPEN_LOOPBACK = 2, /* public for clients on loopback */
};

struct route {
    const char *method;
    const char *pattern; /* {} is one segment, {*} is all the rest */
    const char *roles;   /* one of these is needed; NULL: public */
    uint64_t body_max;
    const char *media; /* separated by spaces; NULL: any */
    enum lane lane;
    unsigned flags;
    request_fn run;
    const char *summary;
};

extern const struct route routes[]; /* ends with a NULL method */

/*
 * Finds the route of method and path and fills request->route and request->params. OPL_E_NOT_FOUND,
 * or OPL_E_METHOD with the header Allow.
 */
OPL_MUST_CHECK bool routes_find(struct request *request, struct opl_err *err);

/* Builds the OpenAPI document: a new reference, NULL: no memory. */
json_t *routes_openapi(void);

#endif

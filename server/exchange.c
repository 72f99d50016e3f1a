/* SPDX-License-Identifier: Apache-2.0 */
#include "exchange.h"

#include "auth.h"
#include "routes.h"
#include "sequencer.h"
#include "server.h"
#include "workers.h"
#include "write.h"

static bool is_public(const struct request *request)
{
    const struct route *route = request->route;

    return route->roles == NULL ||
           ((route->flags & ROUTE_OPEN_LOG) && request->server->config->public_log) ||
           ((route->flags & ROUTE_OPEN_LOOPBACK) && request->from_loopback);
}

static bool check_media(const struct request *request, struct opl_err *err)
{
    const struct route *route = request->route;
    size_t len = strcspn(request->media_type, "; ");

    if (route->media == NULL || (request->has_length && request->length == 0))
        return true;
    for (const char *at = route->media; len > 0 && at != NULL; at = strchr(at, ' ')) {
        at += strspn(at, " ");
        if (strncasecmp(at, request->media_type, len) == 0 && (at[len] == ' ' || at[len] == '\0'))
            return true;
    }
    opl_fail(err, OPL_E_MEDIA_TYPE, "Content-Type '%.60s' is not taken here", request->media_type);
    return opl_hint(err, "Content-Type: %s", route->media);
}

/* A proxy before us may have counted another length, and taken what follows for the next request.
 */
static bool check_framing(struct request *request, struct opl_err *err)
{
    if (request->length_count <= 1)
        return true;
    reply_header(&request->reply, "Connection", "close");
    return opl_fail(err, OPL_E_MALFORMED, "the header Content-Length stands %zu times",
                    request->length_count);
}

static bool check_length(const struct request *request, struct opl_err *err)
{
    if (!request->has_length || request->length <= request->route->body_max)
        return true;
    return opl_fail(err, OPL_E_TOO_LARGE, "the body has %llu bytes, at most %llu are taken",
                    (unsigned long long)request->length,
                    (unsigned long long)request->route->body_max);
}

static bool begin(struct request *request, const char *authorization, struct opl_err *err)
{
    if (atomic_load(&request->server->stopping))
        return opl_fail(err, OPL_E_UNAVAILABLE, "the server is stopping");
    if (!check_framing(request, err) || !request_parse_target(request, err) ||
        !routes_find(request, err))
        return false;
    if (!is_public(request) || authorization != NULL) {
        bool ok = auth_identify(request->server, authorization, &request->identity, err);

        if (!ok && !is_public(request))
            return false;
        if (!ok) /* a bad token does no harm where none is needed */
            *err = (struct opl_err){0};
    }
    if (!is_public(request) &&
        !auth_permit(request->server, &request->identity, request->route->roles, err))
        return false;
    if (!check_length(request, err) || !check_media(request, err))
        return false;
    request->body.max = request->route->body_max + 1;
    if (request->route->lane != LANE_UPLOAD)
        return true;
    request->has_run = true;
    return request->route->run(request, NULL, err);
}

void exchange_begin(struct request *request, const char *authorization)
{
    request->began_us = waiting_now();
    if (!begin(request, authorization, &request->err))
        opl_fail(&request->err, OPL_E_INTERNAL, "a request failed without saying why");
}

void exchange_body(struct request *request, const void *bytes, size_t len)
{
    if (request->err.code != OPL_OK)
        return;
    opl_buf_add(&request->body, bytes, len);
    if (!opl_buf_ok(&request->body, &request->err) ||
        request->body.len > request->route->body_max) {
        request->err = (struct opl_err){0};
        opl_fail(&request->err, OPL_E_TOO_LARGE, "the body is longer than %llu bytes",
                 (unsigned long long)request->route->body_max);
    }
}

/* Turns what a finished write says into the request's own error. */
static void take_write_error(struct request *request)
{
    struct write *write = request->write;

    if (write == NULL || !write->submitted || write->err.code == OPL_OK)
        return;
    request->err = write->err;
    request->errors = json_incref(write->errors);
}

/* One step on this thread; false when nothing more can be done here. */
static bool step(struct request *request)
{
    request_fn run = request->after;

    if (request->write == NULL && !request->has_run) {
        request->has_run = true;
        run = request->route->run;
        if (request->route->lane == LANE_WORKER) {
            request->work = run;
            return true;
        }
    } else {
        request->after = NULL;
    }
    if (run == NULL)
        return opl_fail(&request->err, OPL_E_INTERNAL, "a request has no next step");
    if (!run(request, NULL, &request->err))
        return opl_fail(&request->err, OPL_E_INTERNAL, "a handler failed without saying why");
    return true;
}

enum exchange_next exchange_advance(struct request *request)
{
    for (;;) {
        take_write_error(request);
        if (request->err.code != OPL_OK) {
            reply_problem(&request->reply, &request->err, request->id, request->errors);
            return EXCHANGE_ANSWER;
        }
        if (request->work != NULL)
            return EXCHANGE_WAIT;
        if (request->reply.status != 0)
            return EXCHANGE_ANSWER;
        if (request->write != NULL && !request->write->submitted)
            return EXCHANGE_WAIT;
        step(request);
    }
}

/* On the sequencer's thread. */
static void written(struct write *write)
{
    struct request *request = write->owner;

    waiting_done(&request->server->waiting, request);
    request_drop(request);
}

static bool submit_write(struct request *request, struct opl_err *err)
{
    struct write *write = request->write;

    write->submitted = true;
    write->owner = request;
    write->done = written;
    request_hold(request);
    if (sequencer_submit(request->server->sequencer, write, err))
        return true;
    request_drop(request);
    return false;
}

void exchange_submit(struct request *request)
{
    struct server *server = request->server;
    struct opl_err err = {0};
    bool ok = request->work != NULL ? workers_submit(server->workers, request, &err)
                                    : submit_write(request, &err);

    if (ok)
        return;
    request->work = NULL;
    request->err = err;
    waiting_done(&server->waiting, request);
}

void exchange_worked(struct request *request)
{
    waiting_done(&request->server->waiting, request);
}

void exchange_overdue(const struct request *request, struct reply *reply)
{
    struct opl_err err = {0};

    if (atomic_load(&request->server->stopping))
        opl_fail(&err, OPL_E_UNAVAILABLE, "the server is stopping");
    else
        opl_fail(&err, OPL_E_TIMED_OUT, "not done within %lld ms",
                 (long long)request->server->config->request_ms);
    opl_hint(&err, "repeat the request with the same Idempotency-Key");
    reply_problem(reply, &err, request->id, NULL);
}

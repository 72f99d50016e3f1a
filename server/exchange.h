/* SPDX-License-Identifier: Apache-2.0 */
/*
 * exchange - the steps of a request from its head to its reply, whoever carries the bytes.
 *
 * The HTTP side calls exchange_begin once, gives the body to it or to the sink, and then advances:
 * each step either has the reply ready or wants the connection suspended while a job runs.
 */
#ifndef OPLEDGER_SERVER_EXCHANGE_H
#define OPLEDGER_SERVER_EXCHANGE_H

#include "request.h"

enum exchange_next {
    EXCHANGE_ANSWER, /* request->reply is complete */
    EXCHANGE_WAIT    /* suspend the connection, then call exchange_submit */
};

/* Route, identity, limits and, for uploads, the sink. An error stays in request->err. */
void exchange_begin(struct request *request, const char *authorization);

/* Takes a piece of a body that has no sink; past the limit it is dropped and the request fails. */
void exchange_body(struct request *request, const void *bytes, size_t len);

/* The next step, once the body is complete. */
enum exchange_next exchange_advance(struct request *request);

/* Hands the due job on; the connection is suspended already. */
void exchange_submit(struct request *request);

/* The reply to a request that met its deadline, into a reply of the caller's. */
void exchange_overdue(const struct request *request, struct reply *reply);

/* What workers call after each job. */
void exchange_worked(struct request *request);

#endif

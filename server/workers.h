/* SPDX-License-Identifier: Apache-2.0 */
/*
 * workers - the threads that may wait for the database: reads, proofs, blobs, long parsing.
 *
 * Each has a connection of its own. The queue is bounded; a request is in it once at most and is
 * held while it is.
 */
#ifndef OPLEDGER_SERVER_WORKERS_H
#define OPLEDGER_SERVER_WORKERS_H

#include "db.h"
#include "request.h"

struct workers;

struct workers_options {
    struct db_options db;
    size_t threads;
    size_t queue;                          /* jobs that may wait */
    void (*done)(struct request *request); /* after request->work, on the worker */
};

/* Starts the threads. */
OPL_MUST_CHECK bool workers_start(struct workers **workers, const struct workers_options *options,
                                  struct opl_err *err);

/* Queues request->work; OPL_E_UNAVAILABLE when the queue is full or stopped. Any thread. */
OPL_MUST_CHECK bool workers_submit(struct workers *workers, struct request *request,
                                   struct opl_err *err);

/* Lets the jobs that wait fail and the running ones end; later submits are refused. NULL is fine.
 */
void workers_stop(struct workers *workers);

/* Stops and frees, once nobody can submit any more. Accepts NULL. */
void workers_free(struct workers *workers);

/* Jobs that wait now. */
size_t workers_waiting(struct workers *workers);

#endif

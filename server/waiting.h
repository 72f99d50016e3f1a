/* SPDX-License-Identifier: Apache-2.0 */
/*
 * waiting - the requests whose connection is suspended until a job is done or their deadline comes.
 *
 * The HTTP library watches neither time-out nor disconnect of a suspended connection and aborts
 * the process when it is stopped with one: so every suspension passes through here, and exactly one
 * of job and deadline resumes it.
 */
#ifndef OPLEDGER_SERVER_WAITING_H
#define OPLEDGER_SERVER_WAITING_H

#include <pthread.h>

#include "request.h"

struct waiting {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct request *head;
    size_t count;
    bool has_thread;
    bool stopping;
    pthread_t thread;
    void (*resume)(void *connection);
};

/* Starts the thread that watches deadlines. */
OPL_MUST_CHECK bool waiting_start(struct waiting *waiting, void (*resume)(void *connection),
                                  struct opl_err *err);

/* Before the job is handed on: the request's connection was just suspended. Any HTTP thread. */
void waiting_add(struct waiting *waiting, struct request *request, int64_t timeout_ms);

/* The job is over: resumes, unless the deadline has done so. Any thread; once per waiting_add. */
void waiting_done(struct waiting *waiting, struct request *request);

/* What state a request is in; what is done or overdue is running again after this. */
enum request_state waiting_take(struct waiting *waiting, struct request *request);

/* How many are suspended. */
size_t waiting_count(struct waiting *waiting);

/* Resumes all that wait, as overdue. */
void waiting_expire_all(struct waiting *waiting);

/* Ends the thread. */
void waiting_stop(struct waiting *waiting);

/* Microseconds of the monotonic clock. */
int64_t waiting_now(void);

#endif

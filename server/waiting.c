/* SPDX-License-Identifier: Apache-2.0 */
#include "waiting.h"

#define TICK_MS 100

int64_t waiting_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/* With the lock held. */
static void wake(struct waiting *waiting, struct request *request, enum request_state state)
{
    if (request->wait_prev != NULL)
        request->wait_prev->wait_next = request->wait_next;
    else
        waiting->head = request->wait_next;
    if (request->wait_next != NULL)
        request->wait_next->wait_prev = request->wait_prev;
    request->wait_next = request->wait_prev = NULL;
    waiting->count--;
    request->state = state;
    waiting->resume(request->connection);
}

static void expire(struct waiting *waiting, int64_t now)
{
    struct request *next;

    for (struct request *request = waiting->head; request != NULL; request = next) {
        next = request->wait_next;
        if (request->deadline_us <= now)
            wake(waiting, request, REQUEST_OVERDUE);
    }
}

static void *watch(void *arg)
{
    struct waiting *waiting = arg;

    pthread_mutex_lock(&waiting->lock);
    while (!waiting->stopping) {
        struct timespec until;

        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += TICK_MS * 1000000L;
        until.tv_sec += until.tv_nsec / 1000000000L;
        until.tv_nsec %= 1000000000L;
        pthread_cond_timedwait(&waiting->changed, &waiting->lock, &until);
        expire(waiting, waiting_now());
    }
    pthread_mutex_unlock(&waiting->lock);
    return NULL;
}

bool waiting_start(struct waiting *waiting, void (*resume)(void *connection), struct opl_err *err)
{
    *waiting = (struct waiting){
        .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER, .resume = resume};
    if (pthread_create(&waiting->thread, NULL, watch, waiting) != 0)
        return opl_fail(err, OPL_E_NOMEM, "no thread for deadlines");
    waiting->has_thread = true;
    return true;
}

void waiting_add(struct waiting *waiting, struct request *request, int64_t timeout_ms)
{
    pthread_mutex_lock(&waiting->lock);
    request->state = REQUEST_SUSPENDED;
    request->deadline_us = waiting_now() + timeout_ms * 1000;
    request->wait_prev = NULL;
    request->wait_next = waiting->head;
    if (waiting->head != NULL)
        waiting->head->wait_prev = request;
    waiting->head = request;
    waiting->count++;
    pthread_mutex_unlock(&waiting->lock);
}

void waiting_done(struct waiting *waiting, struct request *request)
{
    pthread_mutex_lock(&waiting->lock);
    if (request->state == REQUEST_SUSPENDED)
        wake(waiting, request, REQUEST_DONE);
    pthread_mutex_unlock(&waiting->lock);
}

enum request_state waiting_take(struct waiting *waiting, struct request *request)
{
    enum request_state state;

    pthread_mutex_lock(&waiting->lock);
    state = request->state;
    if (state == REQUEST_DONE)
        request->state = REQUEST_RUNNING;
    pthread_mutex_unlock(&waiting->lock);
    return state;
}

size_t waiting_count(struct waiting *waiting)
{
    size_t count;

    pthread_mutex_lock(&waiting->lock);
    count = waiting->count;
    pthread_mutex_unlock(&waiting->lock);
    return count;
}

void waiting_expire_all(struct waiting *waiting)
{
    pthread_mutex_lock(&waiting->lock);
    expire(waiting, INT64_MAX);
    pthread_mutex_unlock(&waiting->lock);
}

void waiting_stop(struct waiting *waiting)
{
    if (!waiting->has_thread)
        return;
    pthread_mutex_lock(&waiting->lock);
    waiting->stopping = true;
    pthread_cond_signal(&waiting->changed);
    pthread_mutex_unlock(&waiting->lock);
    pthread_join(waiting->thread, NULL);
    waiting->has_thread = false;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "workers.h"

#include <pthread.h>

struct workers {
    struct workers_options options;
    pthread_mutex_t lock;
    pthread_cond_t ready;
    struct request *first, *last;
    size_t count;
    bool stopping;
    size_t running; /* threads made */
    pthread_t threads[];
};

/* The next job, or NULL when it is over; *stopping says that it must fail. */
static struct request *take(struct workers *workers, bool *stopping)
{
    struct request *request;

    pthread_mutex_lock(&workers->lock);
    while (workers->first == NULL && !workers->stopping)
        pthread_cond_wait(&workers->ready, &workers->lock);
    request = workers->first;
    if (request != NULL) {
        workers->first = request->job_next;
        workers->count--;
    }
    *stopping = workers->stopping;
    pthread_mutex_unlock(&workers->lock);
    return request;
}

static void *work(void *arg)
{
    struct workers *workers = arg;
    OPL_CLEANUP(db_freep) struct db *db = db_new(&workers->options.db);
    struct request *request;
    bool stopping;

    while ((request = take(workers, &stopping)) != NULL) {
        request_fn run = request->work;

        request->work = NULL; /* it may name the next step */
        if (stopping)
            opl_fail(&request->err, OPL_E_UNAVAILABLE, "the server is stopping");
        else if (db == NULL)
            opl_fail(&request->err, OPL_E_NOMEM, "no memory for a database connection");
        else if (!run(request, db, &request->err))
            opl_fail(&request->err, OPL_E_INTERNAL, "a handler failed without saying why");
        workers->options.done(request);
        request_drop(request);
    }
    return NULL;
}

bool workers_start(struct workers **workers, const struct workers_options *options,
                   struct opl_err *err)
{
    struct workers *made = calloc(1, sizeof *made + options->threads * sizeof(pthread_t));

    if (made == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for workers");
    made->options = *options;
    pthread_mutex_init(&made->lock, NULL);
    pthread_cond_init(&made->ready, NULL);
    *workers = made;
    while (made->running < options->threads) {
        if (pthread_create(&made->threads[made->running], NULL, work, made) != 0)
            return opl_fail(err, OPL_E_NOMEM, "no thread for a worker");
        made->running++;
    }
    return true;
}

bool workers_submit(struct workers *workers, struct request *request, struct opl_err *err)
{
    bool taken = false;

    request_hold(request);
    pthread_mutex_lock(&workers->lock);
    if (!workers->stopping && workers->count < workers->options.queue) {
        request->job_next = NULL;
        if (workers->first == NULL)
            workers->first = request;
        else
            workers->last->job_next = request;
        workers->last = request;
        workers->count++;
        taken = true;
        pthread_cond_signal(&workers->ready);
    }
    pthread_mutex_unlock(&workers->lock);
    if (taken)
        return true;
    request_drop(request);
    return opl_fail(err, OPL_E_UNAVAILABLE, "too many requests wait for the database");
}

size_t workers_waiting(struct workers *workers)
{
    size_t count;

    pthread_mutex_lock(&workers->lock);
    count = workers->count;
    pthread_mutex_unlock(&workers->lock);
    return count;
}

void workers_stop(struct workers *workers)
{
    if (workers == NULL)
        return;
    pthread_mutex_lock(&workers->lock);
    workers->stopping = true;
    pthread_cond_broadcast(&workers->ready);
    pthread_mutex_unlock(&workers->lock);
    for (size_t i = 0; i < workers->running; i++)
        pthread_join(workers->threads[i], NULL);
    workers->running = 0;
}

void workers_free(struct workers *workers)
{
    if (workers == NULL)
        return;
    workers_stop(workers);
    pthread_cond_destroy(&workers->ready);
    pthread_mutex_destroy(&workers->lock);
    free(workers);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "sequencer.h"

#include <pthread.h>

#include "group.h"
#include "log.h"
#include "queries.h"
#include "waiting.h"

#define TICK_SECONDS 1
#define KEYS_KEPT_US (7 * 24 * 3600 * OPL_SECOND)
#define PURGE_EVERY_US 60000000
#define SEEN_BITS 65536 /* a power of two */

struct sequencer {
    struct sequencer_options options;
    struct db *db;
    struct logstate state;
    struct group group;
    pthread_mutex_t lock;
    pthread_cond_t ready;
    struct write *first, *last; /* the queue */
    size_t count;
    bool stopping;
    bool has_thread;
    pthread_t thread;
    struct opl_err failure; /* of the last group; code OPL_OK: it went well */
    int64_t purged_us;
    uint64_t seen[SEEN_BITS / 64]; /* keys of the group being cut, by their hashes */
};

/* FNV-1a over principal and key. */
static uint64_t hash_key(const struct write *write)
{
    const char *const parts[] = {write->writer.principal, "\n", write->key};
    uint64_t hash = 14695981039346656037u;

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        for (const char *c = parts[i]; *c != '\0'; c++)
            hash = (hash ^ (uint8_t)*c) * 1099511628211u;
    }
    return hash;
}

/*
 * Whether a write has the same key as one of the group's: it must wait for the next. The bits tell
 * at once of nearly every key that it is new, so that a long queue is cut in one pass.
 */
static bool is_repeated(struct sequencer *sequencer, const struct write *group,
                        const struct write *write)
{
    uint64_t *word = &sequencer->seen[write->key_hash % SEEN_BITS / 64];
    uint64_t bit = (uint64_t)1 << (write->key_hash % 64);
    bool maybe = *word & bit;

    if (write->key[0] == '\0')
        return false;
    *word |= bit;
    for (; maybe && group != NULL; group = group->next) {
        if (strcmp(group->key, write->key) == 0 &&
            strcmp(group->writer.principal, write->writer.principal) == 0)
            return true;
    }
    return false;
}

/* With the lock held: cuts the next group off the queue. A batch is a group of its own. */
static struct write *cut(struct sequencer *sequencer)
{
    struct write *group = NULL, *end = NULL;
    size_t entries = 0;

    memset(sequencer->seen, 0, sizeof sequencer->seen);
    while (sequencer->first != NULL) {
        struct write *write = sequencer->first;

        if (is_repeated(sequencer, group, write) ||
            (group != NULL &&
             (write->is_batch || group->is_batch || entries >= sequencer->options.group)))
            break;
        sequencer->first = write->next;
        sequencer->count--;
        write->next = NULL;
        if (end == NULL)
            group = write;
        else
            end->next = write;
        end = write;
        entries++;
    }
    return group;
}

/* The next group; NULL with *stop false when it is time to look at the log without any. */
static struct write *take(struct sequencer *sequencer, bool *stop)
{
    struct write *group;
    struct timespec until;

    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += TICK_SECONDS;
    pthread_mutex_lock(&sequencer->lock);
    while (sequencer->first == NULL && !sequencer->stopping) {
        if (pthread_cond_timedwait(&sequencer->ready, &sequencer->lock, &until) != 0)
            break;
    }
    group = cut(sequencer);
    *stop = group == NULL && sequencer->stopping;
    pthread_mutex_unlock(&sequencer->lock);
    return group;
}

static void publish(struct sequencer *sequencer)
{
    struct logstate *state = &sequencer->state;

    if (!state->known)
        return;
    atomic_store(&sequencer->options.metrics->log_size, state->edge.size);
    published_set(sequencer->options.published,
                  state->head != NULL ? signed_head_hold(state->head) : NULL,
                  logstate_registry(state));
}

static void remember(struct sequencer *sequencer, const struct opl_err *err)
{
    enum opl_code before;

    pthread_mutex_lock(&sequencer->lock);
    before = sequencer->failure.code;
    sequencer->failure = *err;
    pthread_mutex_unlock(&sequencer->lock);
    if (err->code != OPL_OK && err->code != before)
        log_err(LOG_LEVEL_ERROR, "group failed", err);
    if (err->code == OPL_OK && before != OPL_OK)
        log_info("groups go well again", LOG_I("size", sequencer->state.edge.size));
}

static void run_group(struct sequencer *sequencer, struct write *group)
{
    struct opl_err err = {0};
    struct write *next;

    if (group_run(&sequencer->group, group, &err))
        publish(sequencer);
    remember(sequencer, &err);
    for (struct write *write = group; write != NULL; write = next) {
        next = write->next; /* after `done` the write is its owner's again */
        write->done(write);
    }
}

/* Keys older than seven days go, some each minute. */
static void purge(struct sequencer *sequencer)
{
    struct opl_err err = {0};

    if (waiting_now() - sequencer->purged_us < PURGE_EVERY_US)
        return;
    sequencer->purged_us = waiting_now();
    if (!db_exec(sequencer->db, &sql_idempotency_purge,
                 DB_ARGS(db_i64(opl_time_now() - KEYS_KEPT_US)), &err))
        log_err(LOG_LEVEL_WARN, "old keys not purged", &err);
}

static void *sequence(void *arg)
{
    struct sequencer *sequencer = arg;
    bool stop = false;

    for (;;) {
        struct write *group = take(sequencer, &stop);

        if (stop)
            return NULL;
        run_group(sequencer, group);
        if (group == NULL)
            purge(sequencer);
    }
}

bool sequencer_start(struct sequencer **sequencer, const struct sequencer_options *options,
                     struct opl_err *err)
{
    struct sequencer *made = calloc(1, sizeof *made);

    if (made == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for the sequencer");
    *sequencer = made;
    made->options = *options;
    pthread_mutex_init(&made->lock, NULL);
    pthread_cond_init(&made->ready, NULL);
    made->db = db_new(&options->db);
    if (made->db == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for the sequencer");
    if (!logstate_init(&made->state, options->ledger, made->db, err))
        return false;
    made->state.registry_changed = true;
    group_init(&made->group, &made->state, options->metrics);
    if (!group_run(&made->group, NULL, err))
        return false;
    publish(made);
    if (pthread_create(&made->thread, NULL, sequence, made) != 0)
        return opl_fail(err, OPL_E_NOMEM, "no thread for the sequencer");
    made->has_thread = true;
    return true;
}

bool sequencer_submit(struct sequencer *sequencer, struct write *write, struct opl_err *err)
{
    bool taken = false, stopping;

    write->key_hash = hash_key(write);
    pthread_mutex_lock(&sequencer->lock);
    stopping = sequencer->stopping;
    if (!stopping && sequencer->count < sequencer->options.queue) {
        write->next = NULL;
        if (sequencer->first == NULL)
            sequencer->first = write;
        else
            sequencer->last->next = write;
        sequencer->last = write;
        sequencer->count++;
        taken = true;
        pthread_cond_signal(&sequencer->ready);
    }
    pthread_mutex_unlock(&sequencer->lock);
    if (taken)
        return true;
    return opl_fail(err, OPL_E_UNAVAILABLE,
                    stopping ? "the server is stopping" : "too many writes wait");
}

/* One waiter of sequencer_write. */
struct latch {
    pthread_mutex_t lock;
    pthread_cond_t open;
    bool is_open;
};

static void open_latch(struct write *write)
{
    struct latch *latch = write->owner;

    pthread_mutex_lock(&latch->lock);
    latch->is_open = true;
    pthread_cond_signal(&latch->open);
    pthread_mutex_unlock(&latch->lock);
}

bool sequencer_write(struct sequencer *sequencer, struct write *write, struct opl_err *err)
{
    struct latch latch = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false};

    write->owner = &latch;
    write->done = open_latch;
    write->submitted = true;
    if (!sequencer_submit(sequencer, write, err))
        return false;
    pthread_mutex_lock(&latch.lock);
    while (!latch.is_open)
        pthread_cond_wait(&latch.open, &latch.lock);
    pthread_mutex_unlock(&latch.lock);
    if (write->err.code == OPL_OK)
        return true;
    *err = write->err;
    return false;
}

bool sequencer_is_well(struct sequencer *sequencer, struct opl_err *err)
{
    struct opl_err failure;

    pthread_mutex_lock(&sequencer->lock);
    failure = sequencer->failure;
    pthread_mutex_unlock(&sequencer->lock);
    if (failure.code == OPL_OK)
        return true;
    *err = failure;
    return false;
}

void sequencer_stop(struct sequencer *sequencer)
{
    if (sequencer == NULL)
        return;
    pthread_mutex_lock(&sequencer->lock);
    sequencer->stopping = true;
    pthread_cond_signal(&sequencer->ready);
    pthread_mutex_unlock(&sequencer->lock);
    if (sequencer->has_thread)
        pthread_join(sequencer->thread, NULL);
    sequencer->has_thread = false;
}

void sequencer_free(struct sequencer *sequencer)
{
    if (sequencer == NULL)
        return;
    sequencer_stop(sequencer);
    group_close(&sequencer->group);
    logstate_close(&sequencer->state);
    db_free(sequencer->db);
    free(sequencer);
}

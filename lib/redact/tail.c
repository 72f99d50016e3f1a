/* SPDX-License-Identifier: Apache-2.0 */
#include "tail.h"

static bool verify_piece(struct tail *tail, struct opl_err *err)
{
    const struct opl_redact *redact = tail->redact;
    struct masking masking = {.scanner = &tail->scanner,
                              .rules = redact->rules->verify,
                              .names = &redact->names,
                              .learned = redact->learned,
                              .values = redact->values,
                              .view = &tail->view,
                              .spans = &tail->spans,
                              .builtins = redact->rules->count};

    view_reset(&tail->view);
    tail->spans.count = 0;
    verify_view(&tail->view, redact->result.format, tail->piece.data, tail->piece.len);
    if (!mask_view(&masking, err))
        return false;
    if (tail->view.failed || tail->spans.failed)
        return opl_fail(err, OPL_E_NOMEM, "no memory to verify with");
    tail->found += tail->spans.count;
    return true;
}

/* Nobody else looks at a full piece: the lock is not held here. */
static bool take_piece(struct tail *tail, struct opl_err *err)
{
    const struct tail_source *source = &tail->made_from;

    opl_sha256_update(tail->redact->source_hash, tail->source + source->from,
                      source->to - source->from);
    opl_sha256_update(tail->redact->out_hash, opl_buf_text(&tail->piece), tail->piece.len);
    return verify_piece(tail, err) &&
           tail->io->out_write(tail->io->ctx, tail->spool, opl_buf_text(&tail->piece),
                               tail->piece.len, err);
}

static void *work(void *ctx)
{
    struct tail *tail = ctx;

    pthread_mutex_lock(&tail->lock);
    while (!tail->stop || tail->full) {
        bool ok;

        if (!tail->full) {
            pthread_cond_wait(&tail->moved, &tail->lock);
            continue;
        }
        pthread_mutex_unlock(&tail->lock);
        ok = tail->failed || take_piece(tail, &tail->err);
        pthread_mutex_lock(&tail->lock);
        tail->failed |= !ok;
        tail->full = false;
        pthread_cond_broadcast(&tail->moved);
    }
    pthread_mutex_unlock(&tail->lock);
    return NULL;
}

bool tail_open(struct tail *tail, struct opl_redact *redact, const struct opl_redact_io *io,
               int spool, struct opl_err *err)
{
    tail->redact = redact;
    tail->io = io;
    tail->spool = spool;
    pthread_mutex_init(&tail->lock, NULL);
    pthread_cond_init(&tail->moved, NULL);
    tail->source = malloc(WINDOW_MAX);
    if (!tail->source)
        return opl_fail(err, OPL_E_NOMEM, "no memory for a window");
    if (!scanner_open(&tail->scanner, redact->rules, redact->classes, err) ||
        !scanner_ready(&tail->scanner, err) ||
        (redact->learned && !anchors_scratch(&tail->scanner.scratch, redact->learned, err)) ||
        (redact->values && !anchors_scratch(&tail->scanner.scratch, redact->values, err)))
        return false;
    tail->started = pthread_create(&tail->thread, NULL, work, tail) == 0;
    return tail->started || opl_fail(err, OPL_E_UNAVAILABLE, "cannot start a thread");
}

/* Holding the lock: until the piece before is done. */
static bool wait_idle(struct tail *tail, struct opl_err *err)
{
    while (tail->full)
        pthread_cond_wait(&tail->moved, &tail->lock);
    return !tail->failed || opl_fail(err, tail->err.code, "%s", tail->err.text);
}

bool tail_put(struct tail *tail, struct opl_buf *piece, char **window,
              const struct tail_source *source, struct opl_err *err)
{
    struct opl_buf empty;
    char *done;
    bool ok;

    pthread_mutex_lock(&tail->lock);
    ok = wait_idle(tail, err);
    if (ok) {
        empty = tail->piece;
        tail->piece = *piece;
        *piece = empty;
        opl_buf_reset(piece);
        done = tail->source;
        tail->source = *window;
        *window = done;
        tail->made_from = *source;
        tail->partial |= !source->whole_lines;
        tail->full = true;
        pthread_cond_broadcast(&tail->moved);
    }
    pthread_mutex_unlock(&tail->lock);
    return ok;
}

bool tail_finish(struct tail *tail, struct opl_err *err)
{
    bool ok;

    pthread_mutex_lock(&tail->lock);
    ok = wait_idle(tail, err);
    pthread_mutex_unlock(&tail->lock);
    return ok;
}

void tail_close(struct tail *tail)
{
    if (tail->started) {
        pthread_mutex_lock(&tail->lock);
        tail->stop = true;
        pthread_cond_broadcast(&tail->moved);
        pthread_mutex_unlock(&tail->lock);
        pthread_join(tail->thread, NULL);
    }
    if (tail->redact) {
        pthread_mutex_destroy(&tail->lock);
        pthread_cond_destroy(&tail->moved);
    }
    scanner_close(&tail->scanner);
    view_close(&tail->view);
    spans_close(&tail->spans);
    opl_buf_close(&tail->piece);
    free(tail->source);
}

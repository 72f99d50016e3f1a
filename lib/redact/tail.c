/* SPDX-License-Identifier: Apache-2.0 */
#include "tail.h"

static bool verify_piece(struct tail *tail, const struct opl_buf *out, struct opl_err *err)
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
    verify_view(&tail->view, redact->result.format, out->data, out->len);
    if (!mask_view(&masking, err))
        return false;
    if (tail->view.failed || tail->spans.failed)
        return opl_fail(err, OPL_E_NOMEM, "no memory to verify with");
    tail->found += tail->spans.count;
    return true;
}

/* Nobody else looks at the first piece: the lock is not held here. */
static bool take_piece(struct tail *tail, const struct tail_piece *piece, struct opl_err *err)
{
    const struct tail_source *source = &piece->source;

    opl_sha256_update(tail->redact->source_hash, piece->window + source->from,
                      source->to - source->from);
    opl_sha256_update(tail->redact->out_hash, opl_buf_text(&piece->out), piece->out.len);
    return verify_piece(tail, &piece->out, err) &&
           tail->io->out_write(tail->io->ctx, tail->spool, opl_buf_text(&piece->out),
                               piece->out.len, err);
}

static void *work(void *ctx)
{
    struct tail *tail = ctx;

    pthread_mutex_lock(&tail->lock);
    while (!tail->stop || tail->count > 0) {
        const struct tail_piece *piece = &tail->pieces[tail->first];
        bool ok;

        if (tail->count == 0) {
            pthread_cond_wait(&tail->moved, &tail->lock);
            continue;
        }
        pthread_mutex_unlock(&tail->lock);
        ok = tail->failed || take_piece(tail, piece, &tail->err);
        pthread_mutex_lock(&tail->lock);
        tail->failed |= !ok;
        tail->first = (tail->first + 1) % TAIL_DEPTH;
        tail->count--;
        pthread_cond_broadcast(&tail->moved);
    }
    pthread_mutex_unlock(&tail->lock);
    return NULL;
}

static bool windows_open(struct tail *tail, struct opl_err *err)
{
    for (size_t i = 0; i < TAIL_DEPTH; i++) {
        tail->pieces[i].window = malloc(WINDOW_MAX);
        if (!tail->pieces[i].window)
            return opl_fail(err, OPL_E_NOMEM, "no memory for a window");
    }
    return true;
}

bool tail_open(struct tail *tail, struct opl_redact *redact, const struct opl_redact_io *io,
               int spool, struct opl_err *err)
{
    tail->redact = redact;
    tail->io = io;
    tail->spool = spool;
    pthread_mutex_init(&tail->lock, NULL);
    pthread_cond_init(&tail->moved, NULL);
    if (!windows_open(tail, err) ||
        !scanner_open(&tail->scanner, redact->rules, redact->classes, err) ||
        !scanner_ready(&tail->scanner, err) ||
        (redact->learned && !anchors_scratch(&tail->scanner.scratch, redact->learned, err)) ||
        (redact->values && !anchors_scratch(&tail->scanner.scratch, redact->values, err)))
        return false;
    tail->started = pthread_create(&tail->thread, NULL, work, tail) == 0;
    return tail->started || opl_fail(err, OPL_E_UNAVAILABLE, "cannot start a thread");
}

/* Holding the lock: until at most `waiting` pieces are not done. */
static bool wait_for(struct tail *tail, size_t waiting, struct opl_err *err)
{
    while (tail->count > waiting)
        pthread_cond_wait(&tail->moved, &tail->lock);
    return !tail->failed || opl_fail(err, tail->err.code, "%s", tail->err.text);
}

/* The piece gets the full buffers, the caller those of an earlier piece. */
static void exchange(struct tail_piece *piece, struct opl_buf *out, char **window)
{
    struct opl_buf full = *out;
    char *bytes = *window;

    *out = piece->out;
    *window = piece->window;
    piece->out = full;
    piece->window = bytes;
    opl_buf_reset(out);
}

bool tail_put(struct tail *tail, struct opl_buf *out, char **window,
              const struct tail_source *source, struct opl_err *err)
{
    struct tail_piece *piece;
    bool ok;

    pthread_mutex_lock(&tail->lock);
    ok = wait_for(tail, TAIL_DEPTH - 1, err);
    if (ok) {
        piece = &tail->pieces[(tail->first + tail->count) % TAIL_DEPTH];
        exchange(piece, out, window);
        piece->source = *source;
        tail->partial |= !source->whole_lines;
        tail->count++;
        pthread_cond_broadcast(&tail->moved);
    }
    pthread_mutex_unlock(&tail->lock);
    return ok;
}

bool tail_finish(struct tail *tail, struct opl_err *err)
{
    bool ok;

    pthread_mutex_lock(&tail->lock);
    ok = wait_for(tail, 0, err);
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
    for (size_t i = 0; i < TAIL_DEPTH; i++) {
        opl_buf_close(&tail->pieces[i].out);
        free(tail->pieces[i].window);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tail - the second half of the mask pass, in a thread of its own: each piece of output is
 * verified, hashed and written, and its source hashed, while the next one is made.
 *
 * Pieces are taken in their order, so the result is the same as without a thread. A few may wait:
 * on a busy machine a thread that is woken for each piece mostly waits for a processor. It has its
 * own scanner and view and sees of the run only what no longer changes: rules, learned names,
 * options.
 */
#ifndef OPLEDGER_LIB_REDACT_TAIL_H
#define OPLEDGER_LIB_REDACT_TAIL_H

#include <pthread.h>

#include "run.h"

/* What of the window's bytes a piece of output was made from. */
struct tail_source {
    size_t from, to;
    bool whole_lines;
};

#define TAIL_DEPTH 8 /* pieces that wait or are taken, at some 2 MiB each */

struct tail_piece {
    struct opl_buf out;
    char *window; /* that it was made from */
    struct tail_source source;
};

struct tail {
    struct opl_redact *redact;
    const struct opl_redact_io *io;
    int spool;
    struct scanner scanner;
    struct view view;
    struct spans spans;

    pthread_t thread;
    bool started;
    pthread_mutex_t lock; /* over all that follows */
    pthread_cond_t moved;
    struct tail_piece pieces[TAIL_DEPTH]; /* a ring */
    size_t first, count;
    bool stop, failed;
    bool partial; /* some piece was no whole lines: then this verification does not count */
    uint64_t found;
    struct opl_err err;
};

OPL_MUST_CHECK bool tail_open(struct tail *tail, struct opl_redact *redact,
                              const struct opl_redact_io *io, int spool, struct opl_err *err);

/*
 * Hands a piece over, with the window that it was made from, and leaves an empty buffer and a
 * window to fill anew; false when an earlier piece failed.
 */
OPL_MUST_CHECK bool tail_put(struct tail *tail, struct opl_buf *out, char **window,
                             const struct tail_source *source, struct opl_err *err);

/* Waits for the last piece. */
OPL_MUST_CHECK bool tail_finish(struct tail *tail, struct opl_err *err);
void tail_close(struct tail *tail);

#endif

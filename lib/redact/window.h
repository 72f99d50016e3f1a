/* SPDX-License-Identifier: Apache-2.0 */
/*
 * window - goes through an input in windows of whole lines, at most WINDOW_MAX bytes each.
 *
 * Where windows end depends on the input alone. An open PEM block at the end of a window moves to
 * the next; a line longer than a window is cut, and what the window's user could not finish is
 * seen again at the beginning of the next one.
 */
#ifndef OPLEDGER_LIB_REDACT_WINDOW_H
#define OPLEDGER_LIB_REDACT_WINDOW_H

#include <opledger/redact.h>

#define WINDOW_MAX ((size_t)1 << 20)
#define WINDOW_OVERLAP ((size_t)64 << 10) /* of a cut line: the longest reach of a rule */
#define WINDOW_BEHIND ((size_t)8 << 10)   /* of a cut line: what a match may look back at */

struct window {
    opl_read_fn read;
    void *ctx;
    uint64_t size; /* of the input */

    char *bytes;
    size_t len;
    uint64_t at; /* of bytes[0] in the input */
    bool cut;    /* the last line goes on beyond the window */
    bool middle; /* the first line began before it */
    size_t skip; /* bytes at its beginning that were final in the one before: only looked back at */
};

OPL_MUST_CHECK bool window_open(struct window *window, opl_read_fn read, void *ctx, uint64_t size,
                                struct opl_err *err);
void window_close(struct window *window);

/* Reads the window at window->at; *more is false, and nothing read, at the end of the input. */
OPL_MUST_CHECK bool window_read(struct window *window, bool *more, struct opl_err *err);

/* What stands before `used` is final; the next window begins there, or a little before. */
void window_next(struct window *window, size_t used);

#endif

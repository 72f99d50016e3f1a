/* SPDX-License-Identifier: Apache-2.0 */
/*
 * view - the decoded text of one window and the map from it back to the raw bytes.
 *
 * A view is made of runs: `ratio` raw bytes stand behind each view byte of a run (1 copied as they
 * are, 2 to 6 escapes of that width, 0 bytes that stand nowhere in the input). Runs need not ascend
 * in the raw text: pieces of one buffer that a trace spreads over several strings are appended once
 * more, joined, and a match in there maps back to all its pieces.
 */
#ifndef OPLEDGER_LIB_REDACT_VIEW_H
#define OPLEDGER_LIB_REDACT_VIEW_H

#include <stdint.h>

#include <opledger/err.h>

struct view_run {
    uint32_t at;  /* first byte in the view */
    uint32_t raw; /* first byte in the window */
    uint32_t ratio;
};

struct view {
    char *bytes;
    size_t len, size;
    struct view_run *runs;
    size_t run_count, run_size;
    uint64_t decoded; /* escapes, over all windows */
    bool failed;      /* no memory: the window must not be used */
};

void view_reset(struct view *view);
void view_close(struct view *view);

/* Appends raw[from..to) as it is. */
void view_copy(struct view *view, const char *raw, size_t from, size_t to);

/* Appends raw[from..to) with its C escapes (octal, \xHH, \uHHHH, \n and so on) decoded. */
void view_unescape(struct view *view, const char *raw, size_t from, size_t to);

/* Appends a byte that stands nowhere in the input. */
void view_mark(struct view *view, char byte);

struct view_range {
    uint32_t from, to; /* in the window */
};

/* The raw ranges behind [from, to) of the view, adjoining ones merged; at most max; how many. */
size_t view_ranges(const struct view *view, size_t from, size_t to, struct view_range *out,
                   size_t max);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#include "window.h"

bool window_open(struct window *window, opl_read_fn read, void *ctx, uint64_t size,
                 struct opl_err *err)
{
    *window = (struct window){.read = read, .ctx = ctx, .size = size};
    window->bytes = malloc(WINDOW_MAX);
    return window->bytes || opl_fail(err, OPL_E_NOMEM, "no memory for a window");
}

void window_close(struct window *window)
{
    free(window->bytes);
    window->bytes = NULL;
}

/* Where a PEM block begins that the window does not end; len for none. */
static size_t open_block(const char *bytes, size_t len)
{
    static const char begin[] = "-----BEGIN", end[] = "-----END";
    size_t from = len > WINDOW_OVERLAP ? len - WINDOW_OVERLAP : 0;
    const char *open = NULL, *next = bytes + from, *line;

    while ((next = memmem(next, len - (size_t)(next - bytes), begin, sizeof(begin) - 1)))
        open = next++;
    if (!open || memmem(open, len - (size_t)(open - bytes), end, sizeof(end) - 1))
        return len;
    line = memrchr(bytes, '\n', (size_t)(open - bytes));
    return line ? (size_t)(line - bytes) + 1 : len;
}

static void end_at_line(struct window *window)
{
    const char *newline = memrchr(window->bytes, '\n', window->len);

    window->cut = !newline;
    if (!newline)
        return;
    window->len = (size_t)(newline - window->bytes) + 1;
    window->len = open_block(window->bytes, window->len);
}

bool window_read(struct window *window, bool *more, struct opl_err *err)
{
    uint64_t left = window->size - window->at;

    window->len = left < WINDOW_MAX ? (size_t)left : WINDOW_MAX;
    window->cut = false;
    *more = window->len > 0;
    if (!*more)
        return true;
    if (!window->read(window->ctx, window->at, window->bytes, window->len, err))
        return false;
    if (window->len < left)
        end_at_line(window);
    return true;
}

void window_next(struct window *window, size_t used)
{
    size_t behind = 0;

    window->middle = used > 0 && window->bytes[used - 1] != '\n';
    if (window->middle && used > WINDOW_BEHIND && window->cut && used < window->len)
        behind = WINDOW_BEHIND;
    window->at += used - behind;
    window->skip = behind;
}

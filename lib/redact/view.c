/* SPDX-License-Identifier: Apache-2.0 */
#include "view.h"

void view_reset(struct view *view)
{
    view->len = 0;
    view->run_count = 0;
}

void view_close(struct view *view)
{
    free(view->bytes);
    free(view->runs);
    memset(view, 0, sizeof(*view));
}

static bool grow(struct view *view, size_t bytes)
{
    size_t larger = view->size ? view->size : 65536;
    char *moved;

    while (larger < view->len + bytes)
        larger *= 2;
    moved = realloc(view->bytes, larger);
    if (!moved) {
        view->failed = true;
        return false;
    }
    view->bytes = moved;
    view->size = larger;
    return true;
}

static inline bool room(struct view *view, size_t bytes)
{
    return view->len + bytes <= view->size || grow(view, bytes);
}

static bool run_room(struct view *view)
{
    size_t larger = view->run_size ? view->run_size * 2 : 1024;
    struct view_run *moved;

    if (view->run_count < view->run_size)
        return true;
    moved = realloc(view->runs, larger * sizeof(*moved));
    if (!moved) {
        view->failed = true;
        return false;
    }
    view->runs = moved;
    view->run_size = larger;
    return true;
}

static void add_run(struct view *view, size_t raw, uint32_t ratio)
{
    if (run_room(view))
        view->runs[view->run_count++] =
            (struct view_run){.at = (uint32_t)view->len, .raw = (uint32_t)raw, .ratio = ratio};
}

/* Continues the last run where the next byte follows from it, or begins another. */
static inline void run_for(struct view *view, size_t raw, uint32_t ratio)
{
    const struct view_run *last = view->run_count ? &view->runs[view->run_count - 1] : NULL;

    if (!last || last->ratio != ratio ||
        (ratio > 0 && last->raw + (view->len - last->at) * ratio != raw))
        add_run(view, raw, ratio);
}

void view_copy(struct view *view, const char *raw, size_t from, size_t to)
{
    if (to <= from || !room(view, to - from))
        return;
    run_for(view, from, 1);
    memcpy(view->bytes + view->len, raw + from, to - from);
    view->len += to - from;
}

void view_mark(struct view *view, char byte)
{
    if (!room(view, 1))
        return;
    run_for(view, 0, 0);
    view->bytes[view->len++] = byte;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* `digits` hexadecimal digits; -1 when they are not all there. */
static int hex_number(const char *text, size_t len, size_t digits)
{
    int value = 0;

    if (len < digits)
        return -1;
    for (size_t i = 0; i < digits; i++) {
        int digit = hex_digit(text[i]);

        if (digit < 0)
            return -1;
        value = value * 16 + digit;
    }
    return value;
}

static const char simple_escapes[256] = {
    ['n'] = '\n', ['t'] = '\t', ['r'] = '\r', ['v'] = '\v',  ['f'] = '\f', ['b'] = '\b',
    ['a'] = '\a', ['e'] = 27,   ['"'] = '"',  ['\\'] = '\\', ['/'] = '/',  ['\''] = '\'',
};

/* One escape, given what follows its backslash: its width with the backslash, 0 for none known. */
static size_t escape_at(const char *text, size_t len, int *byte)
{
    size_t width = 0;

    if (len == 0)
        return 0;
    if (text[0] >= '0' && text[0] <= '7') {
        for (*byte = 0; width < 3 && width < len && text[width] >= '0' && text[width] <= '7';)
            *byte = *byte * 8 + (text[width++] - '0');
        *byte &= 0xff;
        return width + 1;
    }
    if (text[0] == 'x' && (*byte = hex_number(text + 1, len - 1, 2)) >= 0)
        return 4;
    if (text[0] == 'u' && (*byte = hex_number(text + 1, len - 1, 4)) >= 0) {
        *byte = *byte < 256 ? *byte : '?';
        return 6;
    }
    *byte = simple_escapes[(unsigned char)text[0]];
    return *byte ? 2 : 0;
}

/* Appends what stands at the backslash raw[at]; how many raw bytes that took. */
static size_t unescape_one(struct view *view, const char *raw, size_t at, size_t to)
{
    int byte = 0;
    size_t width = escape_at(raw + at + 1, to - at - 1, &byte);

    if (width == 0) {
        view_copy(view, raw, at, at + 1);
        return 1;
    }
    if (room(view, 1)) {
        run_for(view, at, (uint32_t)width);
        view->bytes[view->len++] = (char)byte;
        view->decoded++;
    }
    return width;
}

void view_unescape(struct view *view, const char *raw, size_t from, size_t to)
{
    while (from < to && !view->failed) {
        const char *slash = memchr(raw + from, '\\', to - from);
        size_t stop = slash ? (size_t)(slash - raw) : to;

        view_copy(view, raw, from, stop);
        from = stop;
        while (from < to && raw[from] == '\\' && !view->failed)
            from += unescape_one(view, raw, from, to);
    }
}

static size_t run_holding(const struct view *view, size_t at)
{
    size_t low = 0, high = view->run_count;

    while (high - low > 1) {
        size_t mid = (low + high) / 2;

        if (view->runs[mid].at <= at)
            low = mid;
        else
            high = mid;
    }
    return low;
}

static size_t add_range(struct view_range *out, size_t count, size_t max, struct view_range range)
{
    struct view_range *last = count ? &out[count - 1] : NULL;

    if (last && last->to == range.from) {
        last->to = range.to;
        return count;
    }
    if (count < max) {
        out[count] = range;
        return count + 1;
    }
    /* too many pieces: cover what lies between rather than leave one out */
    last->from = range.from < last->from ? range.from : last->from;
    last->to = range.to > last->to ? range.to : last->to;
    return count;
}

size_t view_ranges(const struct view *view, size_t from, size_t to, struct view_range *out,
                   size_t max)
{
    size_t count = 0;

    for (size_t i = run_holding(view, from); i < view->run_count && from < to; i++) {
        const struct view_run *run = &view->runs[i];
        size_t end = i + 1 < view->run_count ? view->runs[i + 1].at : view->len;
        size_t stop = to < end ? to : end;
        struct view_range range = {(uint32_t)(run->raw + (from - run->at) * run->ratio),
                                   (uint32_t)(run->raw + (stop - run->at) * run->ratio)};

        if (run->ratio > 0)
            count = add_range(out, count, max, range);
        from = stop;
    }
    return count;
}

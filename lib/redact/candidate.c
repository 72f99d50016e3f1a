/* SPDX-License-Identifier: Apache-2.0 */
#include "candidate.h"

void candidates_close(struct candidates *candidates)
{
    free(candidates->lines);
    memset(candidates, 0, sizeof(*candidates));
}

static struct candidate_line line_at(const struct candidates *candidates, size_t at)
{
    const char *bytes = candidates->bytes;
    const char *from = memrchr(bytes, '\n', at);
    const char *to = memchr(bytes + at, '\n', candidates->len - at);

    return (struct candidate_line){from ? (size_t)(from + 1 - bytes) : 0,
                                   to ? (size_t)(to - bytes) : candidates->len};
}

static bool grow(struct candidates *candidates)
{
    size_t larger = candidates->size ? candidates->size * 2 : 1024;
    struct candidate_line *moved = realloc(candidates->lines, larger * sizeof(*moved));

    candidates->failed |= !moved;
    if (!moved)
        return false;
    candidates->lines = moved;
    candidates->size = larger;
    return true;
}

/* The line that holds the byte before `end`. */
static bool add_line(struct candidates *candidates, size_t end)
{
    const struct candidate_line *last =
        candidates->count ? &candidates->lines[candidates->count - 1] : NULL;
    struct candidate_line line;

    if (last && end > last->from && end <= last->to)
        return true;
    line = line_at(candidates, end - 1);
    /* an anchor may end with a newline */
    line.to = line.to < end ? end : line.to;
    if (candidates->count == candidates->size && !grow(candidates))
        return false;
    candidates->lines[candidates->count++] = line;
    return true;
}

static bool on_anchor(void *ctx, unsigned id, size_t end)
{
    (void)id;
    return add_line(ctx, end);
}

/* Escapes behind which the raw text of an anchor is not what it is decoded. */
static bool may_hide(char escape, enum opl_format format)
{
    return escape == 'x' || escape == 't' || escape == '"' ||
           (escape == 'u' && format != OPL_FORMAT_STRACE);
}

static void add_escaped(struct candidates *candidates, enum opl_format format)
{
    const char *bytes = candidates->bytes;
    size_t at = 0;

    while (at + 1 < candidates->len) {
        const char *slash = memchr(bytes + at, '\\', candidates->len - at - 1);

        if (!slash)
            return;
        at = (size_t)(slash - bytes) + 2;
        if (!may_hide(slash[1], format))
            continue;
        if (!add_line(candidates, at))
            return;
        at = candidates->lines[candidates->count - 1].to;
    }
}

static int by_place(const void *a, const void *b)
{
    const struct candidate_line *left = a, *right = b;

    return (left->from > right->from) - (left->from < right->from);
}

/* The sets of anchors are scanned one after the other: the lines come in several runs. */
static void write_view(struct candidates *candidates, struct view *view)
{
    size_t covered = 0;

    if (candidates->count > 1)
        qsort(candidates->lines, candidates->count, sizeof(*candidates->lines), by_place);
    for (size_t i = 0; i < candidates->count; i++) {
        const struct candidate_line *line = &candidates->lines[i];

        if (line->to <= covered)
            continue;
        covered = line->to;
        view_unescape(view, candidates->bytes, line->from, line->to);
        view_mark(view, '\n');
    }
}

bool candidates_view(struct candidates *candidates, struct scanner *scanner, enum opl_format format,
                     struct view *view, struct opl_err *err)
{
    candidates->count = 0;
    if (!anchors_scan(scanner->rules->learn, &scanner->scratch, candidates->bytes, candidates->len,
                      on_anchor, candidates, err))
        return false;
    add_escaped(candidates, format);
    if (candidates->failed)
        return opl_fail(err, OPL_E_NOMEM, "no memory for lines to learn from");
    write_view(candidates, view);
    return true;
}

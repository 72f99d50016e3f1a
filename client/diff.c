/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Longest common subsequence over what differs between the common beginning and the common end. The
 * table has a cell per pair of lines, so past DIFF_CELLS the middle is shown as replaced whole: a
 * correct diff, only not the shortest.
 */
#include "diff.h"

#include <stdint.h>

#include "output.h"

#define DIFF_CELLS ((size_t)16 << 20)
#define CONTEXT 3

struct line {
    const char *text;
    size_t len;
};

struct text {
    struct line *lines; /* owned */
    size_t count;
};

/* One line of the result: ' ', '-' or '+'. */
struct step {
    char sign;
    const struct line *line;
};

struct steps {
    struct step *step; /* owned */
    size_t count;
};

static void text_close(struct text *text)
{
    free(text->lines);
}

static void steps_close(struct steps *steps)
{
    free(steps->step);
}

static void cells_free(uint16_t **cells)
{
    free(*cells);
}

static bool split(const struct opl_buf *from, struct text *out, struct opl_err *err)
{
    size_t breaks = 1;

    for (size_t i = 0; i < from->len; i++)
        breaks += from->data[i] == '\n';
    out->lines = calloc(breaks, sizeof(*out->lines));
    if (out->lines == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for a diff");
    for (size_t at = 0; at < from->len;) {
        const char *end = memchr(from->data + at, '\n', from->len - at);
        size_t len = end != NULL ? (size_t)(end - from->data) - at : from->len - at;

        out->lines[out->count].text = from->data + at;
        out->lines[out->count++].len = len;
        at += len + 1;
    }
    return true;
}

static bool same(const struct line *a, const struct line *b)
{
    return a->len == b->len && memcmp(a->text, b->text, a->len) == 0;
}

static void add(struct steps *steps, char sign, const struct line *line)
{
    steps->step[steps->count].sign = sign;
    steps->step[steps->count++].line = line;
}

static void add_all(struct steps *steps, char sign, const struct line *lines, size_t count)
{
    for (size_t i = 0; i < count; i++)
        add(steps, sign, &lines[i]);
}

/* cells[i][j]: the longest common subsequence of a from i on and b from j on. */
static void fill(uint16_t *cells, const struct text *a, const struct text *b)
{
    size_t width = b->count + 1;

    for (size_t i = a->count; i-- > 0;)
        for (size_t j = b->count; j-- > 0;) {
            uint16_t down = cells[(i + 1) * width + j], right = cells[i * width + j + 1];

            if (same(&a->lines[i], &b->lines[j]))
                cells[i * width + j] = (uint16_t)(cells[(i + 1) * width + j + 1] + 1);
            else
                cells[i * width + j] = down > right ? down : right;
        }
}

static void walk(const uint16_t *cells, const struct text *a, const struct text *b,
                 struct steps *steps)
{
    size_t width = b->count + 1;
    size_t i = 0, j = 0;

    while (i < a->count && j < b->count) {
        if (same(&a->lines[i], &b->lines[j])) {
            add(steps, ' ', &a->lines[i]);
            i++;
            j++;
        } else if (cells[(i + 1) * width + j] >= cells[i * width + j + 1]) {
            add(steps, '-', &a->lines[i++]);
        } else {
            add(steps, '+', &b->lines[j++]);
        }
    }
    add_all(steps, '-', a->lines + i, a->count - i);
    add_all(steps, '+', b->lines + j, b->count - j);
}

static bool middle(const struct text *a, const struct text *b, struct steps *steps,
                   struct opl_err *err)
{
    size_t cells_needed = (a->count + 1) * (b->count + 1);
    OPL_CLEANUP(cells_free) uint16_t *cells = NULL;

    if (cells_needed > DIFF_CELLS || a->count >= UINT16_MAX || b->count >= UINT16_MAX) {
        add_all(steps, '-', a->lines, a->count);
        add_all(steps, '+', b->lines, b->count);
        return true;
    }
    cells = calloc(cells_needed, sizeof(*cells));
    if (cells == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for a diff");
    fill(cells, a, b);
    walk(cells, a, b, steps);
    return true;
}

static bool compare(const struct text *a, const struct text *b, struct steps *steps,
                    struct opl_err *err)
{
    size_t head = 0, tail = 0;
    size_t shorter = a->count < b->count ? a->count : b->count;
    struct text a_middle, b_middle;

    steps->step = calloc(a->count + b->count + 1, sizeof(*steps->step));
    if (steps->step == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for a diff");
    while (head < shorter && same(&a->lines[head], &b->lines[head]))
        head++;
    while (tail < shorter - head &&
           same(&a->lines[a->count - 1 - tail], &b->lines[b->count - 1 - tail]))
        tail++;
    a_middle = (struct text){a->lines + head, a->count - head - tail};
    b_middle = (struct text){b->lines + head, b->count - head - tail};
    add_all(steps, ' ', a->lines, head);
    if (!middle(&a_middle, &b_middle, steps, err))
        return false;
    add_all(steps, ' ', a->lines + a->count - tail, tail);
    return true;
}

static bool is_near_change(const struct steps *steps, size_t at)
{
    size_t from = at > CONTEXT ? at - CONTEXT : 0;
    size_t to = at + CONTEXT < steps->count ? at + CONTEXT + 1 : steps->count;

    for (size_t i = from; i < to; i++)
        if (steps->step[i].sign != ' ')
            return true;
    return false;
}

static void print(const struct steps *steps, struct opl_buf *out)
{
    bool gap = false;
    size_t shown = 0;

    for (size_t i = 0; i < steps->count; i++) {
        const struct step *step = &steps->step[i];

        if (!is_near_change(steps, i)) {
            gap = true;
            continue;
        }
        if (gap)
            opl_buf_str(out, "    | ...\n");
        gap = false;
        opl_buf_fmt(out, "    | %c", step->sign);
        output_recorded(out, step->line->text, step->line->len, OUTPUT_INLINE);
        opl_buf_chr(out, '\n');
        shown++;
    }
    if (shown == 0)
        opl_buf_str(out, "    | (no difference)\n");
}

bool diff_text(const struct opl_buf *before, const struct opl_buf *after, struct opl_buf *out,
               struct opl_err *err)
{
    OPL_CLEANUP(text_close) struct text a = {0};
    OPL_CLEANUP(text_close) struct text b = {0};
    OPL_CLEANUP(steps_close) struct steps steps = {0};

    if (!split(before, &a, err) || !split(after, &b, err) || !compare(&a, &b, &steps, err))
        return false;
    print(&steps, out);
    return true;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "judge.h"

#include <inttypes.h>
#include <stdarg.h>

#define CUT "..."

static void text_vadd(char *text, size_t size, const char *fmt, va_list args) OPL_PRINTF(3, 0);

static void text_vadd(char *text, size_t size, const char *fmt, va_list args)
{
    size_t used = strlen(text);
    int wanted = vsnprintf(text + used, size - used, fmt, args);

    if (wanted < 0 || (size_t)wanted >= size - used)
        memcpy(text + size - sizeof CUT, CUT, sizeof CUT);
}

void text_add(char *text, size_t size, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    text_vadd(text, size, fmt, args);
    va_end(args);
}

void row_say(struct opl_requirement *row, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    text_vadd(row->detail, sizeof row->detail, fmt, args);
    va_end(args);
}

static int by_seq(const void *a, const void *b)
{
    const uint64_t *left = a;
    const uint64_t *right = b;

    return (*left > *right) - (*left < *right);
}

static void sort(struct opl_seqs *seqs)
{
    qsort(seqs->seq, seqs->count, sizeof seqs->seq[0], by_seq);
}

void row_say_seqs(struct opl_requirement *row, const char *lead, const struct opl_seqs *seqs)
{
    struct opl_seqs ordered = *seqs;

    sort(&ordered);
    for (size_t i = 0; i < ordered.count; i++)
        row_say(row, "%s %" PRIu64, i ? "," : lead, ordered.seq[i]);
}

void row_sort(struct opl_requirement *row)
{
    sort(&row->for_);
    sort(&row->against);
}

bool row_holds(const struct opl_requirement *row)
{
    return row->status == OPL_SATISFIED || row->status == OPL_NOT_APPLICABLE;
}

void row_lacks(struct opl_requirement *row, const char *next, ...)
{
    va_list args;

    if (row->status == OPL_SATISFIED)
        row->status = OPL_UNSATISFIED;
    if (row->next[0] != '\0')
        return;
    va_start(args, next);
    (void)vsnprintf(row->next, sizeof row->next, next, args);
    va_end(args);
}

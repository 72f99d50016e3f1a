/* SPDX-License-Identifier: Apache-2.0 */
#include "judge.h"

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

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Columns are as wide as their widest cell; on a terminal the last one is cut at its right edge,
 * so that a row is a line. Where too little room is left for it, it gets a line of its own.
 */
#include "output.h"

#include <stdarg.h>

#include <opledger/utf8.h>

#define CELL_MAX ((size_t)64 << 10)
#define COLUMNS_MAX 16
#define GAP 2
#define LAST_MIN 24 /* of the last column: less tells nothing */
#define INDENT 4

static size_t column_count(const struct table *table)
{
    size_t count = 0;

    while (table->titles[count] != NULL && count < COLUMNS_MAX)
        count++;
    return count;
}

static void add_take(struct table *table, char *cell)
{
    if (table->count == table->size) {
        size_t size = table->size == 0 ? 64 : table->size * 2;
        char **cells = realloc(table->cells, size * sizeof(*cells));

        if (cells == NULL) {
            table->failed = true;
            free(cell);
            return;
        }
        table->cells = cells;
        table->size = size;
    }
    table->cells[table->count++] = cell;
    table->failed = table->failed || cell == NULL;
}

void table_add(struct table *table, const char *cell)
{
    struct opl_buf text = OPL_BUF_INIT(CELL_MAX);

    if (cell != NULL)
        output_recorded(&text, cell, strlen(cell), OUTPUT_CELL);
    add_take(table, text.len > 0 ? opl_buf_take(&text) : strdup(""));
}

void table_add_fmt(struct table *table, const char *fmt, ...)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = OPL_BUF_INIT(CELL_MAX);
    va_list args;

    va_start(args, fmt);
    opl_buf_vfmt(&text, fmt, args);
    va_end(args);
    table_add(table, opl_buf_text(&text));
}

static size_t points(const char *text)
{
    size_t count = 0;

    for (; *text != '\0'; text++)
        count += ((unsigned char)*text & 0xC0) != 0x80;
    return count;
}

static void measure(const struct table *table, size_t columns, size_t *widths)
{
    for (size_t c = 0; c < columns; c++)
        widths[c] = points(table->titles[c]);
    for (size_t i = 0; i < table->count; i++)
        if (points(table->cells[i]) > widths[i % columns])
            widths[i % columns] = points(table->cells[i]);
}

/* The bytes of the first `width` characters. */
static size_t cut(const char *text, size_t width)
{
    size_t at = 0;

    while (text[at] != '\0' && (width > 0 || ((unsigned char)text[at] & 0xC0) == 0x80)) {
        width -= ((unsigned char)text[at] & 0xC0) != 0x80;
        at++;
    }
    return at;
}

/* Cut to a width, which shows. */
static void print_cut(const char *cell, size_t width, FILE *to)
{
    bool fits = points(cell) <= width;

    fprintf(to, "%.*s%s\n", (int)cut(cell, fits || width < 8 ? width : width - 3), cell,
            fits || width < 8 ? "" : "...");
}

static void print_last(const char *cell, size_t used, size_t column, const struct output *out,
                       bool whole)
{
    size_t width = (size_t)out->width;
    size_t least = whole || column < LAST_MIN ? column : LAST_MIN;
    bool beside = used + least <= width;

    if (!beside)
        fprintf(out->result, "\n%*s", INDENT, "");
    if (whole || width <= INDENT)
        fprintf(out->result, "%s\n", cell);
    else
        print_cut(cell, beside ? width - used : width - INDENT, out->result);
}

void output_cut(struct opl_buf *line, size_t width)
{
    if (width < 8 || points(opl_buf_text(line)) <= width)
        return;
    line->len = cut(opl_buf_text(line), width - 3);
    opl_buf_str(line, "...");
}

static void print_row(const char *const *cells, size_t columns, const size_t *widths,
                      struct output *out, bool whole)
{
    size_t used = 0;

    for (size_t c = 0; c + 1 < columns; c++) {
        int pad = (int)(widths[c] - points(cells[c])) + GAP;

        fprintf(out->result, "%s%*s", cells[c], pad, "");
        used += widths[c] + GAP;
    }
    print_last(cells[columns - 1], used, widths[columns - 1], out, whole);
}

static void print_tabbed(const struct table *table, size_t columns, FILE *to)
{
    for (size_t i = 0; i < table->count; i++)
        fprintf(to, "%s%c", table->cells[i], (i + 1) % columns == 0 ? '\n' : '\t');
}

void table_print(const struct table *table, struct output *out)
{
    size_t widths[COLUMNS_MAX];
    size_t columns = column_count(table);

    if (out->json || table->failed || columns == 0)
        return;
    if (!out->terminal) {
        print_tabbed(table, columns, out->result);
        return;
    }
    measure(table, columns, widths);
    fputs(out->color ? "\033[1m" : "", out->result);
    print_row(table->titles, columns, widths, out, table->whole);
    fputs(out->color ? "\033[0m" : "", out->result);
    for (size_t i = 0; i + columns <= table->count; i += columns)
        print_row((const char *const *)table->cells + i, columns, widths, out, table->whole);
}

void table_close(struct table *table)
{
    for (size_t i = 0; i < table->count; i++)
        free(table->cells[i]);
    free(table->cells);
    table->cells = NULL;
    table->count = table->size = 0;
}

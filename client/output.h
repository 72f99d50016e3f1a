/* SPDX-License-Identifier: Apache-2.0 */
/*
 * output - the only way text reaches a person.
 *
 * Words of our own go through output_line. Whatever was recorded, by models, vendors or users, goes
 * through output_recorded: control, bidirectional and invisible characters become visible escapes,
 * lines stand behind a gutter, cells cannot become formulas. stdout is the result, stderr the
 * messages. With --json stdout carries one document and output_line says nothing.
 */
#ifndef OPLEDGER_CLIENT_OUTPUT_H
#define OPLEDGER_CLIENT_OUTPUT_H

#include <stdio.h>

#include <jansson.h>

#include <opledger/buf.h>

struct output {
    FILE *result;   /* stdout */
    FILE *messages; /* stderr */
    bool json;
    bool terminal; /* result is a terminal: tables, colour */
    bool color;
    int width;         /* columns of the terminal */
    json_t *problem;   /* owned: the server's problem document, for --json */
    bool wrote_result; /* a document was printed: not a second one */
};

void output_open(struct output *out, bool json);
void output_close(struct output *out);

enum output_form {
    OUTPUT_INLINE, /* inside a line: line breaks are escaped too */
    OUTPUT_BLOCK,  /* lines behind a gutter */
    OUTPUT_CELL,   /* a cell of a list: inline, and never a formula */
};

/* THE function for recorded text: appends it to `to` in a form that is harmless anywhere. */
void output_recorded(struct opl_buf *to, const char *text, size_t len, enum output_form form);

/*
 * A command as its words were given: each that a shell would read otherwise is quoted, so that two
 * different commands never look the same. Recorded words are made harmless too.
 */
void output_command(struct opl_buf *to, char *const argv[]);

/* A line of our own; nothing recorded may be among the arguments. */
void output_line(struct output *out, const char *fmt, ...) OPL_PRINTF(2, 3);

/* "  label: text", for one recorded text; several lines go behind a gutter below the label. */
void output_labelled(struct output *out, const char *label, const char *text);

/* A whole prepared text, all of whose recorded parts went through output_recorded. */
void output_text(struct output *out, const struct opl_buf *text);

/* Cuts a prepared line to so many characters, "..." showing it. */
void output_cut(struct opl_buf *line, size_t width);

/* A message on stderr, of our own words. */
void output_note(struct output *out, const char *fmt, ...) OPL_PRINTF(2, 3);

/* "next: opledger ...", built from ids and words of ours only. */
void output_next(struct output *out, const char *fmt, ...) OPL_PRINTF(2, 3);

/* With --json: the one document. Otherwise nothing. */
OPL_MUST_CHECK bool output_json(struct output *out, const json_t *value, struct opl_err *err);

/* Message, field and hint on stderr; with --json the problem document on stdout. */
void output_error(struct output *out, const struct opl_err *err);

/*
 * A list: columns line up on a terminal, elsewhere they are separated by tabs. Cells are recorded
 * text or words of ours alike; all go through output_recorded.
 */
struct table {
    const char *const *titles; /* ends with NULL */
    char **cells;              /* owned, row after row */
    size_t count;
    size_t size;
    bool failed;
    bool whole; /* the last column is never cut: it is there to be copied */
};

void table_add(struct table *table, const char *cell); /* NULL is an empty cell */
void table_add_fmt(struct table *table, const char *fmt, ...) OPL_PRINTF(2, 3);
void table_print(const struct table *table, struct output *out);
void table_close(struct table *table);

#endif

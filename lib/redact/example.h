/* SPDX-License-Identifier: Apache-2.0 */
/*
 * example - the examples that each rule carries, and the forms of them that a trace would show.
 *
 * In a positive example << and >> stand around the value that must go; those in a negative one
 * would be text. Variants are derived, never written: what a rule's author did not think of.
 */
#ifndef OPLEDGER_LIB_REDACT_EXAMPLE_H
#define OPLEDGER_LIB_REDACT_EXAMPLE_H

#include <opledger/buf.h>

struct example {
    struct opl_buf text; /* without the marks */
    size_t from, to;     /* the value in it */
};

void example_close(struct example *example);

/* OPL_E_INVALID when the marks are not there once. */
OPL_MUST_CHECK bool example_parse(const char *text, struct example *out, struct opl_err *err);

enum example_form {
    EXAMPLE_PLAIN,
    EXAMPLE_QUOTED,  /* within a JSON string */
    EXAMPLE_ESCAPED, /* a string of strace, after \n */
    EXAMPLE_HEX,     /* the same under -xx */
    EXAMPLE_CUT,     /* the same, cut within the value */
    EXAMPLE_SPLIT,   /* over two iovecs */
    EXAMPLE_FORMS
};

const char *example_form_name(enum example_form form);

/* Appends the example in a form; `kept` bytes of the value where it is cut. */
void example_write(const struct example *example, enum example_form form, size_t kept,
                   struct opl_buf *out);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * field - values against the tables that describe them: entries, Statements and manifests alike.
 *
 * A value either comes with a draft, where texts are still open and times have any offset, or
 * stands in a document that is already canonical, where each has exactly one form.
 */
#ifndef OPLEDGER_LIB_FIELD_H
#define OPLEDGER_LIB_FIELD_H

#include <opledger/entry.h>

/* Where a value stands; only an error turns it into a JSON pointer. */
struct opl_spot {
    const struct opl_spot *up; /* NULL: directly under the document */
    const char *key;           /* NULL: item `index` of a list */
    size_t index;
};

struct opl_check {
    struct opl_draft *draft; /* texts are sealed into it; NULL: a canonical document */
    struct opl_err *err;
};

/*
 * Checks an object: no unknown field, none missing, each of its type. at NULL: it is the document.
 * With `copy` its members are put there, sealed and normalised. OPL_E_INVALID with the pointer.
 */
OPL_MUST_CHECK bool opl_fields_check(struct opl_check *check, const struct opl_field *fields,
                                     const json_t *object, const struct opl_spot *at, json_t *copy);

/* Records OPL_E_INVALID at a spot, and returns false. */
bool opl_refuse(struct opl_check *check, const struct opl_spot *at, const char *fmt, ...)
    OPL_PRINTF(3, 4);

/* "#3" gives 3; 0 when the text is no such reference to a line of the batch. */
size_t opl_line_ref(const char *text);

extern const struct opl_field opl_head_fields[]; /* {origin, root, size} */

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * json - strict reading, and canonical writing by RFC 8785 (JCS).
 *
 * Our JSON holds no floats: numbers are integers within +-(2^53 - 1), and a document with anything
 * else is refused with the path of the field. Duplicate keys, invalid UTF-8, lone surrogates, NUL
 * in strings, bytes after the document and nesting deeper than OPL_JSON_DEPTH are refused.
 */
#ifndef OPLEDGER_JSON_H
#define OPLEDGER_JSON_H

#include <jansson.h>

#include <opledger/buf.h>

#define OPL_JSON_DEPTH 16
#define OPL_JSON_INT_MAX 9007199254740991LL /* 2^53 - 1 */

/*
 * Parses one document. A new reference for the caller; NULL on failure with OPL_E_MALFORMED and,
 * where there is one, the JSON pointer of the offending value in err->field.
 */
OPL_MUST_CHECK json_t *opl_json_parse(const char *text, size_t len, struct opl_err *err);

/* The same, and the text must be the canonical form of what it says. */
OPL_MUST_CHECK json_t *opl_json_parse_canonical(const char *text, size_t len, struct opl_err *err);

/* Appends the RFC 8785 form: keys by UTF-16 code units, minimal escapes, no white space. */
OPL_MUST_CHECK bool opl_json_canonical(const json_t *value, struct opl_buf *out,
                                       struct opl_err *err);

/* SHA-256 of the canonical form. */
struct opl_hash;
OPL_MUST_CHECK bool opl_json_hash(const json_t *value, struct opl_hash *out, struct opl_err *err);

/* The string at object[key], or NULL when absent or of another type; borrowed. */
const char *opl_json_str(const json_t *object, const char *key);

/* The integer at object[key], or `otherwise`. */
int64_t opl_json_int(const json_t *object, const char *key, int64_t otherwise);

/* Appends "/key" to a JSON pointer, escaping ~ and / (RFC 6901). */
void opl_json_pointer_add(struct opl_buf *pointer, const char *key);

/* The value that a JSON pointer names, borrowed, or NULL. */
json_t *opl_json_at(const json_t *root, const char *pointer);

void opl_json_freep(json_t **value); /* cleanup function: drops the reference */

#endif

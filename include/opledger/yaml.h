/* SPDX-License-Identifier: Apache-2.0 */
/*
 * yaml - policies as people write them, read into the JSON values that field tables check.
 *
 * A subset on purpose: one document, every scalar a string, no aliases, anchors, tags, duplicate
 * or non-scalar keys, nesting at most OPL_JSON_DEPTH. What YAML would call true, null or 010 stays
 * the text that was written; the field tables say what it means.
 */
#ifndef OPLEDGER_YAML_H
#define OPLEDGER_YAML_H

#include <jansson.h>

#include <opledger/err.h>

#define OPL_YAML_MAX ((size_t)1 << 20) /* bytes of one policy file */

/*
 * A new reference for the caller. NULL on failure: OPL_E_INVALID, the text naming the line.
 */
OPL_MUST_CHECK json_t *opl_yaml_parse(const char *text, size_t len, struct opl_err *err);

#endif

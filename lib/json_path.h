/* SPDX-License-Identifier: Apache-2.0 */
/* json_path - where in a document a byte lies, for the errors of a parser that only knows bytes. */
#ifndef OPLEDGER_LIB_JSON_PATH_H
#define OPLEDGER_LIB_JSON_PATH_H

#include <opledger/buf.h>

/* Appends the JSON pointer of the value that is being read at text[at]; text[0, at) is well formed.
 */
void opl_json_path_at(const char *text, size_t at, struct opl_buf *pointer);

#endif

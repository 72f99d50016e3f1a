/* SPDX-License-Identifier: Apache-2.0 */
/*
 * entry_json - entries as reads give them: {seq, leaf, entry, texts} (CONTRACT section 8).
 */
#ifndef OPLEDGER_SERVER_ENTRY_JSON_H
#define OPLEDGER_SERVER_ENTRY_JSON_H

#include "db.h"

/*
 * Appends a JSON array of the entries in `rows` (seq, bytes, leaf from column 0), each hashed
 * again, with their sealed texts. *count says how many.
 */
OPL_MUST_CHECK bool entry_json_add(struct db *db, struct db_rows *rows, struct opl_buf *out,
                                   size_t *count, struct opl_err *err);

#endif

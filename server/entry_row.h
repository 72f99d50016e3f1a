/* SPDX-License-Identifier: Apache-2.0 */
/*
 * entry_row - an entry as the database gives it (seq, bytes, leaf, id, on_id), hashed again before
 * it is used.
 */
#ifndef OPLEDGER_SERVER_ENTRY_ROW_H
#define OPLEDGER_SERVER_ENTRY_ROW_H

#include <opledger/entry.h>

#include "db.h"

struct entry_row {
    uint64_t seq;
    const char *bytes; /* borrowed from the rows */
    size_t len;
    struct opl_hash leaf;
};

/* Columns column, column + 1 and column + 2 of the current row; OPL_E_LOG unless the leaf is that
 * of the bytes. */
OPL_MUST_CHECK bool entry_row_get(const struct db_rows *rows, int column, struct entry_row *out,
                                  struct opl_err *err);

/* The same from column 0, parsed; OPL_E_LOG too where id and on_id are not those of the bytes. */
OPL_MUST_CHECK bool entry_row_read(const struct db_rows *rows, struct opl_entry *entry,
                                   struct opl_err *err);

#endif

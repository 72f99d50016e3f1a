/* SPDX-License-Identifier: Apache-2.0 */
/*
 * db_cell - one value of a reply as libpq holds it; what lies between db.c, which alone knows
 * libpq, and the typed accessors of db_value.c.
 */
#ifndef OPLEDGER_SERVER_DB_CELL_H
#define OPLEDGER_SERVER_DB_CELL_H

#include "db_value.h"

struct db_cell {
    const uint8_t *data; /* followed by a NUL; NULL for SQL NULL */
    size_t len;
    uint32_t oid;
};

/* The current row's column; OPL_E_INTERNAL when there is no such row or column. */
OPL_MUST_CHECK bool db_cell_at(const struct db_rows *rows, int column, struct db_cell *cell,
                               struct opl_err *err);

#endif

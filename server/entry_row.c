/* SPDX-License-Identifier: Apache-2.0 */
#include "entry_row.h"

#include <opledger/merkle.h>

bool entry_row_get(const struct db_rows *rows, int column, struct entry_row *out,
                   struct opl_err *err)
{
    struct opl_hash leaf;
    const uint8_t *bytes;

    if (!db_get_u64(rows, column, &out->seq, err) ||
        !db_get_bytes(rows, column + 1, &bytes, &out->len, err) ||
        !db_get_hash(rows, column + 2, &out->leaf, err))
        return false;
    out->bytes = (const char *)bytes;
    opl_leaf_hash(bytes, out->len, &leaf);
    if (opl_hash_equal(&leaf, &out->leaf))
        return true;
    return opl_fail(err, OPL_E_LOG, "entry %llu in the database does not have its hash",
                    (unsigned long long)out->seq);
}

static bool same(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

/* Found under a key that its bytes do not have, it would be counted where it does not belong. */
static bool check_keys(const struct db_rows *rows, const struct opl_entry *entry,
                       struct opl_err *err)
{
    const char *id, *on;

    if (!db_get_text(rows, 3, &id, err) || !db_get_text(rows, 4, &on, err))
        return false;
    return (same(id, entry->id) && same(on, entry->on)) ||
           opl_fail(err, OPL_E_LOG, "entry %llu in the database is filed under another subject",
                    (unsigned long long)entry->seq);
}

bool entry_row_read(const struct db_rows *rows, struct opl_entry *entry, struct opl_err *err)
{
    struct entry_row row;

    return entry_row_get(rows, 0, &row, err) &&
           opl_entry_parse(row.bytes, row.len, row.seq, entry, err) && check_keys(rows, entry, err);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "read_head.h"

#include "queries.h"
#include "request.h"

bool read_head_get(struct db *db, struct read_head *head, struct opl_err *err)
{
    OPL_CLEANUP(db_rows_close) struct db_rows rows = {0};

    *head = (struct read_head){0};
    if (!db_fetch(db, &sql_checkpoint_last, DB_NO_ARGS, &rows, err))
        return false;
    return !db_rows_next(&rows) ||
           (db_get_u64(&rows, 0, &head->size, err) && db_get_hash(&rows, 1, &head->root, err));
}

void read_cursor_write(uint64_t size, uint64_t next, char text[static 64])
{
    snprintf(text, 64, "c%llu-%llu", (unsigned long long)size, (unsigned long long)next);
}

bool read_cursor_parse(const char *text, uint64_t *size, uint64_t *next, struct opl_err *err)
{
    char first[24] = "";
    const char *dash = strchr(text, '-');

    if (text[0] == 'c' && dash != NULL && (size_t)(dash - text) <= sizeof first) {
        snprintf(first, sizeof first, "%.*s", (int)(dash - text - 1), text + 1);
        if (request_number(first, size) && request_number(dash + 1, next))
            return true;
    }
    opl_fail(err, OPL_E_MALFORMED, "this is no cursor of a list");
    return opl_hint(err, "send back `next` of the page before, as it came");
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * read_head - the head of the log as a reader's snapshot has it.
 */
#ifndef OPLEDGER_SERVER_READ_HEAD_H
#define OPLEDGER_SERVER_READ_HEAD_H

#include "db.h"

struct read_head {
    uint64_t size;
    struct opl_hash root;
};

/* Size 0 for an empty log. */
OPL_MUST_CHECK bool read_head_get(struct db *db, struct read_head *head, struct opl_err *err);

/*
 * A page's cursor: the log size that the first page was made at, and where the next one starts.
 * *text is for the next reply, at most 64 characters.
 */
void read_cursor_write(uint64_t size, uint64_t next, char text[static 64]);
OPL_MUST_CHECK bool read_cursor_parse(const char *text, uint64_t *size, uint64_t *next,
                                      struct opl_err *err);

#endif

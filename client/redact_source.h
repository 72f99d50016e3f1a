/* SPDX-License-Identifier: Apache-2.0 */
/*
 * redact_source - the input of the filter, readable anywhere: a regular file as it is, anything
 * else through an encrypted spool. A file that changes while it is read is an error.
 */
#ifndef OPLEDGER_CLIENT_REDACT_SOURCE_H
#define OPLEDGER_CLIENT_REDACT_SOURCE_H

#include <sys/stat.h>

#include "redact_spool.h"

struct redact_source {
    int fd;
    bool owned;   /* fd is ours to close */
    bool spooled; /* through the spool */
    struct stat was;
    struct redact_spool spool;
    uint64_t size;
    const char *name;
};

/* path NULL or "-": the descriptor `in`. */
OPL_MUST_CHECK bool redact_source_open(struct redact_source *source, const char *path, int in,
                                       struct opl_err *err);
void redact_source_close(struct redact_source *source);
OPL_MUST_CHECK bool redact_source_read(struct redact_source *source, uint64_t at, void *bytes,
                                       size_t len, struct opl_err *err);

/* That the file is still the one that was opened. */
OPL_MUST_CHECK bool redact_source_check(const struct redact_source *source, struct opl_err *err);

#endif

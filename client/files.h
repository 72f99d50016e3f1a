/* SPDX-License-Identifier: Apache-2.0 */
/*
 * files - reading and writing small files, whole and without surprises.
 */
#ifndef OPLEDGER_CLIENT_FILES_H
#define OPLEDGER_CLIENT_FILES_H

#include <stdint.h>
#include <sys/types.h>

#include <opledger/buf.h>
#include <opledger/crypto.h>

void file_closep(int *fd);   /* cleanup function: closes unless negative */
void file_free(char **text); /* cleanup function: free() */
bool file_exists(const char *path);

/* Appends the whole of a file, or of an open one; past buf->max is OPL_E_TOO_LARGE. */
OPL_MUST_CHECK bool file_read(const char *path, struct opl_buf *out, struct opl_err *err);
OPL_MUST_CHECK bool file_read_fd(int fd, const char *name, struct opl_buf *out,
                                 struct opl_err *err);

/* Replaces a file in one step: written beside it, synced, renamed over it. */
OPL_MUST_CHECK bool file_replace(const char *path, const void *bytes, size_t len, mode_t mode,
                                 struct opl_err *err);

/* Appends to a file, made 0600 when absent; durable when true. */
OPL_MUST_CHECK bool file_append(const char *path, const void *bytes, size_t len,
                                struct opl_err *err);
OPL_MUST_CHECK bool file_write_fd(int fd, const void *bytes, size_t len, struct opl_err *err);

/* The folder and those above it, 0700 where they are made; one that others can write is refused. */
OPL_MUST_CHECK bool file_make_folder(const char *path, struct opl_err *err);

/* Digest and size of an open regular file, from its beginning; the offset is then 0 again. */
OPL_MUST_CHECK bool file_digest(int fd, const char *name, struct opl_hash *out, int64_t *size,
                                struct opl_err *err);

/* An open, already unlinked file of this user alone; -1 on failure. */
OPL_MUST_CHECK int file_temporary(struct opl_err *err);

#endif

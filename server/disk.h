/* SPDX-License-Identifier: Apache-2.0 */
/*
 * disk - the data folder: made, checked, and its failures said plainly.
 */
#ifndef OPLEDGER_SERVER_DISK_H
#define OPLEDGER_SERVER_DISK_H

#include <stdint.h>

#include <opledger/err.h>

/*
 * Makes the folder (mode 0700, parents too) unless it is there, and proves that it can be written.
 * OPL_E_CONFIG: not a folder, read-only, not ours. OPL_E_STORAGE: full.
 */
OPL_MUST_CHECK bool disk_prepare(const char *dir, struct opl_err *err);

/* Bytes free to us in the file system of dir. */
OPL_MUST_CHECK bool disk_free(const char *dir, uint64_t *bytes, struct opl_err *err);

/* OPL_E_STORAGE when fewer than `reserve` bytes are free. */
OPL_MUST_CHECK bool disk_has(const char *dir, uint64_t reserve, struct opl_err *err);

/* Records what errno means for a path: full, read-only, not allowed, or plain I/O. Returns false.
 */
bool disk_fail(struct opl_err *err, int error, const char *doing, const char *path);

/*
 * Replaces DIR/NAME by these bytes with this mode: temporary file, fsync, rename, fsync of the
 * folder. A reader sees the old or the new file, never half of one.
 */
OPL_MUST_CHECK bool disk_write_file(const char *path, const void *bytes, size_t len, int mode,
                                    struct opl_err *err);

#endif

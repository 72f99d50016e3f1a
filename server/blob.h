/* SPDX-License-Identifier: Apache-2.0 */
/*
 * blob - content-addressed bytes, kept as zstd chunks of 1 MiB in PostgreSQL.
 *
 * A blob exists from the moment its whole content has matched its digest; until then its chunks
 * belong to an upload that nobody can read. Each call takes the connection it runs on, so that
 * different workers may carry one upload or one read, one at a time. At most one chunk and its
 * compressed form are in memory.
 */
#ifndef OPLEDGER_SERVER_BLOB_H
#define OPLEDGER_SERVER_BLOB_H

#include "db.h"

#define BLOB_CHUNK ((size_t)1 << 20)
#define BLOB_KEEP_HOURS 24 /* how long a blob that no entry names, or a dead upload, may stay */

struct blob_info {
    struct opl_hash sha256;
    uint64_t size;
    int64_t upload; /* whose chunks hold the content */
};

/* OPL_E_NOT_FOUND when there is none. */
OPL_MUST_CHECK bool blob_find(struct db *db, const struct opl_hash *sha256, struct blob_info *info,
                              struct opl_err *err);

/* Writing. */
struct blob_upload;

/*
 * Starts an upload of at most max_size bytes whose digest must become *sha256. A known blob is
 * hashed again and not stored again, and counts as used now (collection waits a day anew).
 */
OPL_MUST_CHECK bool blob_upload_begin(struct blob_upload **upload, struct db *db,
                                      const struct opl_hash *sha256, uint64_t max_size,
                                      struct opl_err *err);

/* OPL_E_TOO_LARGE past max_size. After a failure only blob_upload_discard may follow. */
OPL_MUST_CHECK bool blob_upload_append(struct blob_upload *upload, struct db *db, const void *bytes,
                                       size_t len, struct opl_err *err);

/*
 * Makes the blob visible, durable when this returns. OPL_E_DIGEST: the bytes are not those of the
 * digest, and nothing is kept. *is_new is false when the blob was known. Frees nothing.
 */
OPL_MUST_CHECK bool blob_upload_finish(struct blob_upload *upload, struct db *db, bool *is_new,
                                       uint64_t *size, struct opl_err *err);

/* Bytes taken so far. */
uint64_t blob_upload_size(const struct blob_upload *upload);

/*
 * Frees the object; an unfinished upload's chunks are deleted through `db`, or, where that fails or
 * db is NULL, by a later blob_collect. Accepts NULL.
 */
void blob_upload_discard(struct blob_upload *upload, struct db *db);

/* Small content in one call: upload, or nothing when known. */
OPL_MUST_CHECK bool blob_put(struct db *db, const void *bytes, size_t len, struct opl_hash *sha256,
                             struct opl_err *err);

/* Reading. */
struct blob_reader;

/*
 * Opens bytes [from, from + len) of a blob; OPL_E_RANGE unless they lie inside it. The whole blob
 * (from 0, len = size) is hashed on the way.
 */
OPL_MUST_CHECK bool blob_reader_open(struct blob_reader **reader, const struct blob_info *info,
                                     uint64_t from, uint64_t len, struct opl_err *err);

/*
 * The next piece, at most BLOB_CHUNK bytes, borrowed until the next call; *len 0 at the end. A
 * whole read releases its last piece only after the digest has matched: OPL_E_DIGEST otherwise,
 * also for a chunk that is missing, does not decompress or has the wrong size.
 */
OPL_MUST_CHECK bool blob_reader_next(struct blob_reader *reader, struct db *db, const void **bytes,
                                     size_t *len, struct opl_err *err);
void blob_reader_free(struct blob_reader *reader);
void blob_reader_freep(struct blob_reader **reader); /* cleanup function */

/* A whole blob of at most out->max bytes, digest checked; OPL_E_TOO_LARGE when it is larger. */
OPL_MUST_CHECK bool blob_get(struct db *db, const struct opl_hash *sha256, struct opl_buf *out,
                             struct opl_err *err);

/*
 * Deletes what nothing needs: blobs that no entry names and dead uploads, older than
 * BLOB_KEEP_HOURS. Works in small transactions; *removed counts uploads whose chunks are gone,
 * which a collected blob's are too.
 */
OPL_MUST_CHECK bool blob_collect(struct db *db, uint64_t *removed, struct opl_err *err);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every chunk but the last holds exactly BLOB_CHUNK bytes before compression, so that byte n of a
 * blob stands in chunk n / BLOB_CHUNK.
 */
#include "blob.h"

#include <opledger/zstd.h>

#include "queries.h"

#define LEVEL 1 /* of zstd: traces shrink well enough, and uploads run at line speed */
#define DISCARD_CHUNKS 64

bool blob_find(struct db *db, const struct opl_hash *sha256, struct blob_info *info,
               struct opl_err *err)
{
    OPL_CLEANUP(db_array_close) struct db_array wanted = DB_ARRAY_INIT(DB_BYTES);
    OPL_CLEANUP(db_rows_close) struct db_rows rows = {0};

    db_array_bytes(&wanted, sha256->b, sizeof(sha256->b));
    if (!db_fetch(db, &sql_blob_get, DB_ARGS(db_array(&wanted)), &rows, err))
        return false;
    if (!db_rows_next(&rows))
        return opl_fail(err, OPL_E_NOT_FOUND, "no such blob");
    return db_get_hash(&rows, 0, &info->sha256, err) && db_get_u64(&rows, 1, &info->size, err) &&
           db_get_i64(&rows, 2, &info->upload, err);
}

/* Deletes what chunks an upload has, some at a time, and then its row. */
static bool discard_chunks(struct db *db, int64_t upload, struct opl_err *err)
{
    uint64_t gone = 1;

    while (gone) {
        OPL_CLEANUP(db_rows_close) struct db_rows rows = {0};

        if (!db_fetch_one(db, &sql_blob_discard, DB_ARGS(db_i64(upload), db_i32(DISCARD_CHUNKS)),
                          &rows, err) ||
            !db_get_u64(&rows, 0, &gone, err))
            return false;
    }
    return true;
}

/* Writing. */

struct blob_upload {
    struct opl_hash sha256;
    uint64_t max_size;
    uint64_t size;
    int64_t upload; /* meaningful unless known */
    int32_t chunks;
    bool known;
    bool done;
    struct opl_sha256_ctx *hash;
    struct opl_buf plain;  /* the chunk being filled */
    struct opl_buf packed; /* its compressed form */
};

static bool touch(struct db *db, struct blob_upload *upload, struct opl_err *err)
{
    OPL_CLEANUP(db_rows_close) struct db_rows rows = {0};

    if (!db_fetch(db, &sql_blob_touch, DB_ARGS(db_hash(&upload->sha256)), &rows, err))
        return false;
    upload->known = db_rows_next(&rows);
    return true;
}

static bool open_upload(struct db *db, struct blob_upload *upload, struct opl_err *err)
{
    OPL_CLEANUP(db_rows_close) struct db_rows rows = {0};

    return db_fetch_one(db, &sql_upload_insert, DB_NO_ARGS, &rows, err) &&
           db_get_i64(&rows, 0, &upload->upload, err);
}

static void upload_free(struct blob_upload *upload)
{
    opl_sha256_free(upload->hash);
    opl_buf_close(&upload->plain);
    opl_buf_close(&upload->packed);
    free(upload);
}

bool blob_upload_begin(struct blob_upload **upload, struct db *db, const struct opl_hash *sha256,
                       uint64_t max_size, struct opl_err *err)
{
    struct blob_upload *made = calloc(1, sizeof(*made));

    if (!made)
        return opl_fail(err, OPL_E_NOMEM, "no memory for an upload");
    made->sha256 = *sha256;
    made->max_size = max_size;
    made->hash = opl_sha256_new();
    made->plain.max = BLOB_CHUNK;
    if (!made->hash)
        opl_fail(err, OPL_E_NOMEM, "no memory for an upload");
    if (!made->hash || !touch(db, made, err) || (!made->known && !open_upload(db, made, err))) {
        upload_free(made);
        return false;
    }
    *upload = made;
    return true;
}

static bool store_chunk(struct blob_upload *upload, struct db *db, struct opl_err *err)
{
    opl_buf_reset(&upload->packed);
    if (!opl_buf_ok(&upload->plain, err) ||
        !opl_zstd_compress(upload->plain.data, upload->plain.len, LEVEL, &upload->packed, err) ||
        !db_exec(db, &sql_chunk_insert,
                 DB_ARGS(db_i64(upload->upload), db_i32(upload->chunks),
                         db_bytes(upload->packed.data, upload->packed.len)),
                 err))
        return false;
    opl_buf_reset(&upload->plain);
    upload->chunks++;
    return true;
}

bool blob_upload_append(struct blob_upload *upload, struct db *db, const void *bytes, size_t len,
                        struct opl_err *err)
{
    const char *at = bytes;

    if (len > upload->max_size - upload->size)
        return opl_fail(err, OPL_E_TOO_LARGE, "the blob is larger than %llu bytes",
                        (unsigned long long)upload->max_size);
    upload->size += len;
    opl_sha256_update(upload->hash, bytes, len);
    while (!upload->known && len) {
        size_t room = BLOB_CHUNK - upload->plain.len;
        size_t part = len < room ? len : room;

        opl_buf_add(&upload->plain, at, part);
        at += part;
        len -= part;
        if (upload->plain.len == BLOB_CHUNK && !store_chunk(upload, db, err))
            return false;
    }
    return true;
}

static bool check_digest(struct blob_upload *upload, struct opl_err *err)
{
    struct opl_hash hash;

    opl_sha256_final(upload->hash, &hash);
    return opl_hash_equal(&hash, &upload->sha256) ||
           opl_fail(err, OPL_E_DIGEST, "the %llu bytes are not those of the digest",
                    (unsigned long long)upload->size);
}

/* The row that makes it visible; whose chunks it names tells whether another upload was first. */
static bool publish(struct blob_upload *upload, struct db *db, bool *is_new, struct opl_err *err)
{
    OPL_CLEANUP(db_rows_close) struct db_rows rows = {0};
    int64_t owner;

    if (!db_fetch_one(
            db, &sql_blob_insert,
            DB_ARGS(db_hash(&upload->sha256), db_i64(upload->upload), db_u64(upload->size)), &rows,
            err) ||
        !db_get_i64(&rows, 0, &owner, err))
        return false;
    *is_new = owner == upload->upload;
    return true;
}

bool blob_upload_finish(struct blob_upload *upload, struct db *db, bool *is_new, uint64_t *size,
                        struct opl_err *err)
{
    bool fresh = false;

    if (!check_digest(upload, err))
        return false;
    if (!upload->known) {
        if ((upload->plain.len && !store_chunk(upload, db, err)) ||
            !publish(upload, db, &fresh, err))
            return false;
        upload->done = fresh; /* otherwise the chunks are a second copy, for discard to delete */
    }
    *is_new = fresh;
    *size = upload->size;
    return true;
}

uint64_t blob_upload_size(const struct blob_upload *upload)
{
    return upload->size;
}

void blob_upload_discard(struct blob_upload *upload, struct db *db)
{
    struct opl_err ignored = {0};
    bool gone;

    if (!upload)
        return;
    if (db && !upload->known && !upload->done) {
        gone = discard_chunks(db, upload->upload, &ignored);
        (void)gone; /* else blob_collect does it, a day later */
    }
    upload_free(upload);
}

bool blob_put(struct db *db, const void *bytes, size_t len, struct opl_hash *sha256,
              struct opl_err *err)
{
    struct blob_upload *upload = NULL;
    uint64_t size;
    bool is_new, good;

    opl_sha256(bytes, len, sha256);
    good = blob_upload_begin(&upload, db, sha256, len, err) &&
           blob_upload_append(upload, db, bytes, len, err) &&
           blob_upload_finish(upload, db, &is_new, &size, err);
    blob_upload_discard(upload, db);
    return good;
}

/* Reading. */

struct blob_reader {
    struct blob_info info;
    uint64_t at, end;
    struct opl_sha256_ctx *hash; /* NULL: part of a blob */
    struct opl_buf plain;
};

bool blob_reader_open(struct blob_reader **reader, const struct blob_info *info, uint64_t from,
                      uint64_t len, struct opl_err *err)
{
    struct blob_reader *made;

    if (from > info->size || len > info->size - from)
        return opl_fail(err, OPL_E_RANGE, "the blob has %llu bytes",
                        (unsigned long long)info->size);
    made = calloc(1, sizeof(*made));
    if (!made)
        return opl_fail(err, OPL_E_NOMEM, "no memory for a read");
    *made = (struct blob_reader){.info = *info, .at = from, .end = from + len};
    made->plain.max = BLOB_CHUNK;
    if (from == 0 && len == info->size) {
        made->hash = opl_sha256_new();
        if (!made->hash) {
            free(made);
            return opl_fail(err, OPL_E_NOMEM, "no memory for a read");
        }
    }
    *reader = made;
    return true;
}

static bool damaged(const struct blob_reader *reader, uint64_t n, struct opl_err *err)
{
    *err = (struct opl_err){0};
    return opl_fail(err, OPL_E_DIGEST, "chunk %llu of the blob is damaged or missing (upload %lld)",
                    (unsigned long long)n, (long long)reader->info.upload);
}

/* Chunk n into reader->plain; its length follows from the blob's. */
static bool load_chunk(struct blob_reader *reader, struct db *db, uint64_t n, struct opl_err *err)
{
    OPL_CLEANUP(db_rows_close) struct db_rows rows = {0};
    uint64_t left = reader->info.size - n * BLOB_CHUNK;
    const uint8_t *data;
    size_t len;

    opl_buf_reset(&reader->plain);
    if (!db_fetch(db, &sql_chunk_get, DB_ARGS(db_i64(reader->info.upload), db_i32((int32_t)n)),
                  &rows, err))
        return false;
    if (!db_rows_next(&rows) || !db_get_bytes(&rows, 0, &data, &len, err) ||
        !opl_zstd_decompress(data, len, BLOB_CHUNK, &reader->plain, err))
        return damaged(reader, n, err);
    return reader->plain.len == (left < BLOB_CHUNK ? left : BLOB_CHUNK) || damaged(reader, n, err);
}

static bool whole_matches(struct blob_reader *reader, struct opl_err *err)
{
    struct opl_hash hash;

    opl_sha256_final(reader->hash, &hash);
    return opl_hash_equal(&hash, &reader->info.sha256) ||
           opl_fail(err, OPL_E_DIGEST, "the blob's bytes are not those of its digest");
}

bool blob_reader_next(struct blob_reader *reader, struct db *db, const void **bytes, size_t *len,
                      struct opl_err *err)
{
    uint64_t n = reader->at / BLOB_CHUNK, skip = reader->at % BLOB_CHUNK;
    struct opl_err inner = {0};
    uint64_t left;

    *len = 0;
    if (reader->at == reader->end)
        return reader->info.size || !reader->hash || whole_matches(reader, err);
    if (!load_chunk(reader, db, n, &inner))
        return opl_fail(err, inner.code, "%s", inner.text);
    if (reader->hash)
        opl_sha256_update(reader->hash, reader->plain.data, reader->plain.len);

    left = reader->plain.len - skip;
    if (left > reader->end - reader->at)
        left = reader->end - reader->at;
    reader->at += left;
    if (reader->hash && reader->at == reader->end && !whole_matches(reader, err))
        return false;
    *bytes = reader->plain.data + skip;
    *len = (size_t)left;
    return true;
}

void blob_reader_free(struct blob_reader *reader)
{
    if (!reader)
        return;
    opl_sha256_free(reader->hash);
    opl_buf_close(&reader->plain);
    free(reader);
}

void blob_reader_freep(struct blob_reader **reader)
{
    blob_reader_free(*reader);
    *reader = NULL;
}

bool blob_get(struct db *db, const struct opl_hash *sha256, struct opl_buf *out,
              struct opl_err *err)
{
    OPL_CLEANUP(blob_reader_freep) struct blob_reader *reader = NULL;
    struct blob_info info;
    const void *bytes;
    size_t len;

    if (!blob_find(db, sha256, &info, err))
        return false;
    if (info.size > (out->max ? out->max : OPL_BUF_MAX))
        return opl_fail(err, OPL_E_TOO_LARGE, "the blob has %llu bytes",
                        (unsigned long long)info.size);
    if (!blob_reader_open(&reader, &info, 0, info.size, err))
        return false;
    do {
        if (!blob_reader_next(reader, db, &bytes, &len, err))
            return false;
        if (len)
            opl_buf_add(out, bytes, len);
    } while (len);
    return opl_buf_ok(out, err);
}

/* Collection. */

static bool collect_one(struct db *db, const struct opl_hash *sha256, struct opl_err *err)
{
    OPL_CLEANUP(db_rows_close) struct db_rows rows = {0};

    return db_fetch_one(db, &sql_blob_collect, DB_ARGS(db_hash(sha256)), &rows, err);
}

/* The search runs without the log's lock, each removal checks once more under it. */
static bool collect_blobs(struct db *db, struct opl_err *err)
{
    OPL_CLEANUP(db_rows_close) struct db_rows rows = {0};
    struct opl_hash sha256;

    if (!db_fetch(db, &sql_blob_unnamed, DB_NO_ARGS, &rows, err))
        return false;
    while (db_rows_next(&rows))
        if (!db_get_hash(&rows, 0, &sha256, err) || !collect_one(db, &sha256, err))
            return false;
    return true;
}

static bool collect_uploads(struct db *db, uint64_t *removed, bool *more, struct opl_err *err)
{
    OPL_CLEANUP(db_rows_close) struct db_rows rows = {0};
    int64_t upload;

    if (!db_fetch(db, &sql_upload_dead, DB_NO_ARGS, &rows, err))
        return false;
    *more = rows.count > 0;
    while (db_rows_next(&rows)) {
        if (!db_get_i64(&rows, 0, &upload, err) || !discard_chunks(db, upload, err))
            return false;
        ++*removed;
    }
    return true;
}

bool blob_collect(struct db *db, uint64_t *removed, struct opl_err *err)
{
    bool more = true;

    *removed = 0;
    if (!collect_blobs(db, err))
        return false;
    while (more)
        if (!collect_uploads(db, removed, &more, err))
            return false;
    return true;
}

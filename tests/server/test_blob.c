/* SPDX-License-Identifier: Apache-2.0 */
#include "server/blob.h"

#include "pg.h"
#include "unit.h"

#define MIB (1 << 20)

static struct pg *server;
static struct db *db;
static char content[3 * MIB + 12345];

static int start(void **state)
{
    server = pg_start_migrated();
    db = pg_connect(server, "opledger_service", NULL);
    for (size_t i = 0; i < sizeof(content); i++)
        content[i] = (char)(i % 251 + i / 70001);
    return unit_start(state);
}

static int stop(void **state)
{
    (void)state;
    db_free(db);
    pg_stop(server);
    return 0;
}

static int clean(void **state)
{
    (void)state;
    pg_sql(server, "TRUNCATE blob, blob_chunk, blob_upload, blob_ref, blob_collected");
    return 0;
}

static int64_t count(const char *query)
{
    OPL_CLEANUP(db_rows_close) struct db_rows rows = {0};
    OPL_CLEANUP(db_freep) struct db *fresh = pg_connect(server, NULL, NULL);
    const struct sql sql = {"count", query};
    int64_t n = -1;

    assert_ok(db_fetch_one(fresh, &sql, DB_NO_ARGS, &rows, err) && db_get_i64(&rows, 0, &n, err));
    return n;
}

/* Uploads in pieces of an odd size; the result of the finish. */
static bool upload(const char *bytes, size_t len, const struct opl_hash *sha256, bool *is_new,
                   struct opl_err *failure)
{
    struct blob_upload *running = NULL;
    const size_t piece = 100003;
    uint64_t size;
    bool good;

    assert_ok(blob_upload_begin(&running, db, sha256, len, err));
    for (size_t at = 0; at < len; at += piece)
        assert_ok(
            blob_upload_append(running, db, bytes + at, len - at < piece ? len - at : piece, err));
    assert_int_equal(blob_upload_size(running), len);
    good = blob_upload_finish(running, db, is_new, &size, failure);
    blob_upload_discard(running, db);
    return good;
}

static struct opl_hash stored(void)
{
    struct opl_hash hash;

    assert_ok(blob_put(db, content, sizeof(content), &hash, err));
    return hash;
}

static void what_goes_in_comes_out(void **state)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf out = {0};
    struct opl_hash hash;
    bool is_new = false;

    (void)state;
    opl_sha256(content, sizeof(content), &hash);
    assert_ok(upload(content, sizeof(content), &hash, &is_new, err));
    assert_true(is_new);
    assert_int_equal(count("SELECT count(*) FROM blob_chunk"), 4);
    assert_ok(blob_get(db, &hash, &out, err));
    assert_int_equal(out.len, sizeof(content));
    assert_memory_equal(out.data, content, sizeof(content));
}

static void an_empty_blob_and_one_of_exactly_a_chunk_are_blobs(void **state)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf out = {0};
    struct opl_hash empty, chunk;

    (void)state;
    assert_ok(blob_put(db, "", 0, &empty, err));
    assert_ok(blob_get(db, &empty, &out, err));
    assert_int_equal(out.len, 0);
    assert_ok(blob_put(db, content, MIB, &chunk, err));
    assert_int_equal(count("SELECT count(*) FROM blob_chunk"), 1);
    assert_ok(blob_get(db, &chunk, &out, err));
    assert_int_equal(out.len, MIB);
}

static void other_bytes_than_the_digest_leave_nothing(void **state)
{
    struct blob_info info;
    struct opl_hash hash;
    bool is_new;

    (void)state;
    opl_sha256(content, sizeof(content), &hash);
    hash.b[31] ^= 1;
    assert_fails(upload(content, sizeof(content), &hash, &is_new, err), OPL_E_DIGEST);
    assert_fails(blob_find(db, &hash, &info, err), OPL_E_NOT_FOUND);
    assert_int_equal(count("SELECT count(*) FROM blob_chunk"), 0);
    assert_int_equal(count("SELECT count(*) FROM blob_upload"), 0);
}

static void a_known_blob_is_hashed_but_not_stored_again(void **state)
{
    struct opl_hash hash = stored();
    bool is_new = true;

    (void)state;
    assert_ok(upload(content, sizeof(content), &hash, &is_new, err));
    assert_false(is_new);
    assert_int_equal(count("SELECT count(*) FROM blob_upload"), 1);
    assert_fails(upload(content + 1, sizeof(content) - 1, &hash, &is_new, err), OPL_E_DIGEST);
    assert_int_equal(count("SELECT count(*) FROM blob"), 1);
}

static void of_two_uploads_at_once_one_copy_stays(void **state)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf out = {0};
    struct blob_upload *one = NULL, *two = NULL;
    bool one_new = false, two_new = true;
    struct opl_hash hash;
    uint64_t size;

    (void)state;
    opl_sha256(content, 100, &hash);
    assert_ok(blob_upload_begin(&one, db, &hash, 100, err) &&
              blob_upload_begin(&two, db, &hash, 100, err));
    assert_ok(blob_upload_append(one, db, content, 100, err) &&
              blob_upload_append(two, db, content, 100, err));
    assert_ok(blob_upload_finish(one, db, &one_new, &size, err) &&
              blob_upload_finish(two, db, &two_new, &size, err));
    blob_upload_discard(one, db);
    blob_upload_discard(two, db);
    assert_true(one_new && !two_new);
    assert_int_equal(count("SELECT count(*) FROM blob_chunk"), 1);
    assert_ok(blob_get(db, &hash, &out, err));
}

static void more_than_the_maximum_is_refused(void **state)
{
    struct blob_upload *running = NULL;
    struct opl_hash hash;

    (void)state;
    opl_sha256(content, 11, &hash);
    assert_ok(blob_upload_begin(&running, db, &hash, 10, err) &&
              blob_upload_append(running, db, content, 10, err));
    assert_fails(blob_upload_append(running, db, content, 1, err), OPL_E_TOO_LARGE);
    blob_upload_discard(running, db);
    assert_int_equal(count("SELECT count(*) FROM blob_upload"), 0);
}

static void read_range(const struct opl_hash *hash, uint64_t from, uint64_t len)
{
    OPL_CLEANUP(blob_reader_freep) struct blob_reader *reader = NULL;
    struct blob_info info;
    uint64_t at = from;
    const void *bytes;
    size_t n;

    assert_ok(blob_find(db, hash, &info, err) && blob_reader_open(&reader, &info, from, len, err));
    for (;;) {
        assert_ok(blob_reader_next(reader, db, &bytes, &n, err));
        if (!n)
            break;
        assert_memory_equal(bytes, content + at, n);
        at += n;
    }
    assert_true(at == from + len);
}

static void any_range_can_be_read(void **state)
{
    struct opl_hash hash = stored();

    (void)state;
    read_range(&hash, 0, 1);
    read_range(&hash, MIB - 1, 2);
    read_range(&hash, MIB, MIB);
    read_range(&hash, 5, sizeof(content) - 5);
    read_range(&hash, sizeof(content) - 1, 1);
    read_range(&hash, sizeof(content), 0);
    read_range(&hash, 0, sizeof(content));
}

static void a_range_outside_is_refused(void **state)
{
    struct opl_hash hash = stored();
    struct blob_reader *reader = NULL;
    struct blob_info info;

    (void)state;
    assert_ok(blob_find(db, &hash, &info, err));
    assert_fails(blob_reader_open(&reader, &info, 1, info.size, err), OPL_E_RANGE);
    assert_fails(blob_reader_open(&reader, &info, info.size + 1, 0, err), OPL_E_RANGE);
    assert_fails(blob_reader_open(&reader, &info, UINT64_MAX, 2, err), OPL_E_RANGE);
}

/* A whole read after `tamper`; every byte that was released must be right. */
static void expect_damage(const char *tamper)
{
    OPL_CLEANUP(blob_reader_freep) struct blob_reader *reader = NULL;
    struct opl_hash hash = stored();
    struct opl_err failure = {0};
    struct blob_info info;
    const void *bytes;
    size_t len = 1, seen = 0;

    pg_sql(server, tamper);
    assert_ok(blob_find(db, &hash, &info, err));
    assert_ok(blob_reader_open(&reader, &info, 0, info.size, err));
    while (len && blob_reader_next(reader, db, &bytes, &len, &failure))
        seen += len;
    assert_int_equal(failure.code, OPL_E_DIGEST);
    assert_true(seen < sizeof(content));
    clean(NULL);
}

static void a_changed_byte_of_a_chunk_is_found(void **state)
{
    (void)state;
    expect_damage("UPDATE blob_chunk SET data = set_byte(data, length(data) / 2, "
                  "get_byte(data, length(data) / 2) # 1) WHERE n = 1");
}

static void a_chunk_that_is_gone_is_found(void **state)
{
    (void)state;
    expect_damage("DELETE FROM blob_chunk WHERE n = 3");
}

static void chunks_in_another_order_are_found(void **state)
{
    (void)state;
    expect_damage("UPDATE blob_chunk a SET data = b.data FROM blob_chunk b "
                  "WHERE a.upload = b.upload AND (a.n, b.n) IN ((0, 1), (1, 0))");
}

static void a_chunk_of_another_blob_is_found(void **state)
{
    struct opl_hash other;

    (void)state;
    assert_ok(blob_put(db, content + 7, MIB, &other, err));
    expect_damage("UPDATE blob_chunk a SET data = (SELECT data FROM blob_chunk ORDER BY upload, n "
                  "LIMIT 1) WHERE n = 2");
}

static void a_row_that_names_another_size_is_found(void **state)
{
    (void)state;
    expect_damage("UPDATE blob SET size = size - 1");
}

static uint64_t collect(void)
{
    uint64_t removed = 0;

    assert_ok(blob_collect(db, &removed, err));
    return removed;
}

static void collection_takes_old_unnamed_blobs_alone(void **state)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf out = {0};
    struct opl_hash unnamed, named, fresh;
    struct blob_info info;

    (void)state;
    assert_ok(blob_put(db, "unnamed", 7, &unnamed, err) && blob_put(db, "named", 5, &named, err));
    pg_sql(server, "UPDATE blob SET at = now() - interval '25 hours'; "
                   "UPDATE blob_upload SET at = now() - interval '25 hours'; "
                   "INSERT INTO blob_ref SELECT sha256, 0 FROM blob WHERE size = 5");
    assert_ok(blob_put(db, "fresh", 5, &fresh, err));
    assert_int_equal(collect(), 1);
    assert_fails(blob_find(db, &unnamed, &info, err), OPL_E_NOT_FOUND);
    assert_ok(blob_get(db, &named, &out, err) && blob_get(db, &fresh, &out, err));
    assert_int_equal(count("SELECT count(*) FROM blob_chunk"), 2);
    assert_int_equal(count("SELECT count(*) FROM blob_collected"), 1);
    assert_int_equal(collect(), 0);
}

static void collection_takes_uploads_that_were_abandoned(void **state)
{
    struct blob_upload *running = NULL;
    struct opl_hash hash;

    (void)state;
    opl_sha256(content, sizeof(content), &hash);
    assert_ok(blob_upload_begin(&running, db, &hash, sizeof(content), err) &&
              blob_upload_append(running, db, content, 2 * MIB, err));
    blob_upload_discard(running, NULL); /* as a crash would */
    assert_int_equal(collect(), 0);
    pg_sql(server, "UPDATE blob_upload SET at = now() - interval '25 hours'");
    assert_int_equal(collect(), 1);
    assert_int_equal(count("SELECT count(*) FROM blob_chunk"), 0);
}

static void putting_a_known_blob_again_keeps_it(void **state)
{
    struct opl_hash hash;

    (void)state;
    assert_ok(blob_put(db, "kept", 4, &hash, err));
    pg_sql(server, "UPDATE blob SET at = now() - interval '25 hours'; "
                   "UPDATE blob_upload SET at = now() - interval '25 hours'");
    assert_ok(blob_put(db, "kept", 4, &hash, err));
    assert_int_equal(collect(), 0);
}

static void the_service_cannot_discard_the_chunks_of_a_blob(void **state)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf out = {0};
    static const struct sql all = {"all", "SELECT blob_discard(upload, 100) FROM blob"};
    struct opl_hash hash = stored();

    (void)state;
    assert_ok(db_exec(db, &all, DB_NO_ARGS, err));
    assert_ok(blob_get(db, &hash, &out, err));
}

#define with_clean(test) cmocka_unit_test_teardown(test, clean)

static const struct CMUnitTest tests[] = {
    with_clean(what_goes_in_comes_out),
    with_clean(an_empty_blob_and_one_of_exactly_a_chunk_are_blobs),
    with_clean(other_bytes_than_the_digest_leave_nothing),
    with_clean(a_known_blob_is_hashed_but_not_stored_again),
    with_clean(of_two_uploads_at_once_one_copy_stays),
    with_clean(more_than_the_maximum_is_refused),
    with_clean(any_range_can_be_read),
    with_clean(a_range_outside_is_refused),
    with_clean(a_changed_byte_of_a_chunk_is_found),
    with_clean(a_chunk_that_is_gone_is_found),
    with_clean(chunks_in_another_order_are_found),
    with_clean(a_chunk_of_another_blob_is_found),
    with_clean(a_row_that_names_another_size_is_found),
    with_clean(collection_takes_old_unnamed_blobs_alone),
    with_clean(collection_takes_uploads_that_were_abandoned),
    with_clean(putting_a_known_blob_again_keeps_it),
    with_clean(the_service_cannot_discard_the_chunks_of_a_blob),
};

int main(void)
{
    return cmocka_run_group_tests(tests, start, stop);
}

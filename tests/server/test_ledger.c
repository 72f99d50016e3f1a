/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include <sys/stat.h>
#include <unistd.h>

#include "pg.h"
#include "testlog.h"

static struct testlog *log_;

static int start(void **state)
{
    (void)state;
    assert_ok(opl_crypto_init(err));
    log_ = testlog_start();
    return 0;
}

static int stop(void **state)
{
    (void)state;
    testlog_stop(log_);
    return 0;
}

static void the_key_is_private_and_stays(void **state)
{
    OPL_CLEANUP(ledger_close) struct ledger again = {0};
    char path[128];
    struct stat st;

    (void)state;
    snprintf(path, sizeof path, "%s/log.key", log_->dir);
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    assert_ok(ledger_open(&again, log_->dir, "", log_->db, err));
    assert_string_equal(again.origin, log_->ledger.origin);
    assert_true(opl_vkey_equal(&again.vkey, &log_->ledger.vkey));
    assert_memory_equal(&again.idempotency, &log_->ledger.idempotency, sizeof again.idempotency);
    assert_memory_not_equal(&again.idempotency, &again.challenge, sizeof again.challenge);
}

static void a_folder_without_the_key_does_not_open_the_log(void **state)
{
    OPL_CLEANUP(ledger_close) struct ledger other = {0};
    char dir[] = "/tmp/opl-ledger-XXXXXX";

    (void)state;
    assert_non_null(mkdtemp(dir));
    assert_fails(ledger_open(&other, dir, "", log_->db, err), OPL_E_CONFIG);
    assert_int_equal(rmdir(dir), 0); /* nothing was written */
}

static void what_is_signed_opens_with_the_key(void **state)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf note = {0};
    struct opl_head head = {.size = 3}, read;

    (void)state;
    snprintf(head.origin, sizeof head.origin, "%s", log_->ledger.origin);
    assert_ok(ledger_sign(&log_->ledger, &head, &note, err));
    assert_ok(opl_checkpoint_open(note.data, note.len, &log_->ledger.vkey, &read, err));
    assert_int_equal(read.size, 3);
}

/* A folder and a database where nothing has begun. */
struct empty {
    struct pg *pg;
    struct db *db;
    char dir[32];
};

static int start_empty(void **state)
{
    struct empty *empty = calloc(1, sizeof *empty);

    assert_non_null(empty);
    empty->pg = pg_start_migrated();
    empty->db = pg_connect(empty->pg, NULL, NULL);
    (void)snprintf(empty->dir, sizeof empty->dir, "/tmp/opl-empty-XXXXXX");
    assert_non_null(mkdtemp(empty->dir));
    *state = empty;
    return 0;
}

static char *path_of(const struct empty *empty, const char *name)
{
    static char path[64];

    (void)snprintf(path, sizeof path, "%s/%s", empty->dir, name);
    return path;
}

static int stop_empty(void **state)
{
    static const char *const names[] = {"log.key", "origin", "beginning"};
    struct empty *empty = *state;

    for (size_t i = 0; i < 3; i++)
        (void)unlink(path_of(empty, names[i]));
    assert_int_equal(rmdir(empty->dir), 0);
    db_free(empty->db);
    pg_stop(empty->pg);
    free(empty);
    return 0;
}

static void a_log_that_was_lost_is_not_begun_again(void **state)
{
    OPL_CLEANUP(ledger_close) struct ledger made = {0}, again = {0};
    struct empty *empty = *state;

    assert_ok(ledger_may_begin(empty->dir, err));
    assert_ok(ledger_open(&made, empty->dir, "", empty->db, err));
    assert_ok(ledger_may_begin(empty->dir, err)); /* it has no entries yet */
    assert_ok(ledger_has_begun(empty->dir, err));
    assert_ok(ledger_has_begun(empty->dir, err)); /* once more does no harm */
    assert_fails(ledger_may_begin(empty->dir, err), OPL_E_CONFIG);
    assert_fails(ledger_open(&again, empty->dir, "", empty->db, err), OPL_E_CONFIG);
}

static void either_file_alone_speaks_of_a_log_that_was_lost(void **state)
{
    static const char *const names[] = {"log.key", "origin"};
    struct empty *empty = *state;

    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(fclose(fopen(path_of(empty, names[i]), "w")), 0);
        assert_fails(ledger_may_begin(empty->dir, err), OPL_E_CONFIG);
        assert_int_equal(unlink(path_of(empty, names[i])), 0);
    }
    assert_ok(ledger_may_begin(empty->dir, err));
}

/* It died at any place between the mark and the first entries. */
static void a_first_start_that_died_goes_on(void **state)
{
    OPL_CLEANUP(ledger_close) struct ledger first = {0}, second = {0}, third = {0};
    struct empty *empty = *state;

    assert_int_equal(fclose(fopen(path_of(empty, "beginning"), "w")), 0);
    assert_ok(ledger_open(&first, empty->dir, "a.example.org/1", empty->db, err));
    assert_string_equal(first.origin, "a.example.org/1");
    assert_int_equal(unlink(path_of(empty, "origin")), 0);
    assert_ok(ledger_open(&second, empty->dir, "", empty->db, err));
    assert_true(opl_vkey_equal(&first.vkey, &second.vkey));
    assert_ok(ledger_open(&third, empty->dir, "a.example.org/1", empty->db, err));
    assert_true(opl_vkey_equal(&first.vkey, &third.vkey));
}

static void another_origin_than_the_folders_is_refused(void **state)
{
    OPL_CLEANUP(ledger_close) struct ledger other = {0}, same = {0};

    (void)state;
    assert_fails(ledger_open(&other, log_->dir, "other.example.org/1", log_->db, err),
                 OPL_E_CONFIG);
    assert_ok(ledger_open(&same, log_->dir, log_->ledger.origin, log_->db, err));
}

#define EMPTY(name) cmocka_unit_test_setup_teardown(name, start_empty, stop_empty)

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_key_is_private_and_stays),
    cmocka_unit_test(a_folder_without_the_key_does_not_open_the_log),
    EMPTY(a_log_that_was_lost_is_not_begun_again),
    EMPTY(either_file_alone_speaks_of_a_log_that_was_lost),
    EMPTY(a_first_start_that_died_goes_on),
    cmocka_unit_test(another_origin_than_the_folders_is_refused),
    cmocka_unit_test(what_is_signed_opens_with_the_key),
};

int main(void)
{
    return cmocka_run_group_tests(tests, start, stop);
}

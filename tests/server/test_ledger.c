/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include <sys/stat.h>
#include <unistd.h>

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

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_key_is_private_and_stays),
    cmocka_unit_test(a_folder_without_the_key_does_not_open_the_log),
    cmocka_unit_test(what_is_signed_opens_with_the_key),
};

int main(void)
{
    return cmocka_run_group_tests(tests, start, stop);
}

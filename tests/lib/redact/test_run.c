/* SPDX-License-Identifier: Apache-2.0 */
#include "filtered.h"

static void a_value_seen_later_in_another_encoding_is_mended(void **state)
{
    OPL_CLEANUP(redacted_close)
    struct redacted done = run("x 68756e74657232322173616665 y\npassword=hunter22!safe\n");

    (void)state;
    assert_true(done.ok);
    assert_int_equal(done.result.rounds, 2);
    assert_false(has(&done, "68756e7465"));
}

static void a_record_longer_than_a_window_is_masked_whole(void **state)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};
    OPL_CLEANUP(redacted_close) struct redacted done = {0};
    const struct opl_redact_options options = {.context = "test", .format = OPL_FORMAT_STRACE};

    (void)state;
    opl_buf_str(&text, "77 04:43:43.630618 write(1, \"");
    for (int i = 0; i < 300000; i++)
        opl_buf_str(&text, "abcdefgh");
    opl_buf_str(&text, "\", 9) = 9\n");
    opl_buf_str(&text, LINE("getpid() = 77"));
    done = redacted_run(text.data, text.len, &options);
    assert_true(done.ok);
    assert_false(has(&done, "abcdefgh"));
    assert_true(has(&done, LINE("getpid() = 77")));
    assert_true(done.result.unscannable > 0);
}

static void a_key_without_its_end_is_masked(void **state)
{
    OPL_CLEANUP(redacted_close)
    struct redacted done = run("-----BEGIN RSA PRIVATE KEY-----\n"
                               "MIIEowIBAAKCAQEAxhqcG6qvH0b3Xv2m6kq3dZg0kq3dZg0kq3dZg0kq3dZg0abc\n"
                               "qvH0b3Xv2m6kq3dZg0kq3dZg0kq3dZg0kq3dZg0abcMIIEowIBAAKCAQEAxhqcG6\n"
                               "[2026-12-01] plain words go on here\n");

    (void)state;
    assert_false(has(&done, "kq3dZg0"));
    assert_true(has(&done, "plain words go on here"));
    assert_int_equal(count(&done.out, "\n"), 4);
}

static void a_secret_of_what_is_masked_whole_is_masked_elsewhere_too(void **state)
{
    OPL_CLEANUP(redacted_close)
    struct redacted done = run(
        LINE("read(9</var/spool/slurm/job.7/environment>, \"PGPASSWORD=jkWcJ4G7!x\\0A=b\\0\", 9) "
             "= 9") LINE("read(9</var/spool/slurm/job.7/script>, \"mysql -u zed -plvdzxr4R\\n\", "
                         "9) = 9") LINE("write(5</tmp/x>, \"connect jkWcJ4G7!x lvdzxr4R\\n\", 9) "
                                        "= 9"));

    (void)state;
    assert_true(done.ok);
    assert_false(has(&done, "jkWcJ4G7"));
    assert_false(has(&done, "lvdzxr4R"));
    assert_true(has(&done, "\"connect secret_"));
}

static void a_name_of_what_is_masked_whole_is_masked_elsewhere_too(void **state)
{
    OPL_CLEANUP(redacted_close)
    struct redacted done =
        run(LINE("read(9</var/spool/slurm/job.7/environment>, \"A=b\\0USER=zedmund\\0\", 9) = 9")
                LINE("write(5</tmp/x>, \"connect zedmund\\n\", 9) = 9"));

    (void)state;
    assert_true(done.ok);
    assert_false(has(&done, "zedmund"));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_secret_of_what_is_masked_whole_is_masked_elsewhere_too),
    cmocka_unit_test(a_name_of_what_is_masked_whole_is_masked_elsewhere_too),
    cmocka_unit_test(a_value_seen_later_in_another_encoding_is_mended),
    cmocka_unit_test(a_record_longer_than_a_window_is_masked_whole),
    cmocka_unit_test(a_key_without_its_end_is_masked),
};

UNIT_MAIN(tests)

/* SPDX-License-Identifier: Apache-2.0 */
#include "filtered.h"

static void a_token_after_an_escape_is_seen(void **state)
{
    (void)state;
    assert_gone(LINE("write(1, \"\\nAKIAIOSFODNN7EXAMPLE\\0\", 22) = 22"), "AKIAIOSFODNN");
    assert_gone(LINE("write(1, \"\\tAKIAIOSFODNN7EXAMPLE\"..., 4096) = 4096"), "AKIAIOSFODNN");
}

/* Such lines are searched by the verify pass alone. */
static void what_hides_in_a_call_that_moves_no_text_is_seen(void **state)
{
    static const char names[] = LINE("write(1, \"USER=alice\\0\", 11) = 11")
        LINE("futex(0x55fb16ec3168, FUTEX_WAIT, alice, NULL) = 0") LINE("futex(0x1, 1) = 0");
    OPL_CLEANUP(redacted_close) struct redacted done = run(names);

    (void)state;
    assert_gone(LINE("futex(AKIAIOSFODNN7EXAMPLE, 1) = 0"), "AKIAIOSFODNN");
    assert_gone(LINE("rt_sigaction(password=hunter2hunter2) = 0"), "hunter2");
    assert_gone(LINE("futex(ghp_jhGw7OmgagCeFP4izR1t1fhm <unfinished ...>")
                    LINE("mprotect(10.20.30.40, 1) = 0"),
                "10.20.30.40");
    assert_true(done.ok);
    assert_false(has(&done, "alice"));
    assert_true(has(&done, LINE("futex(0x1, 1) = 0")));
}

static void a_token_in_hexadecimal_escapes_is_seen(void **state)
{
    (void)state;
    assert_gone(LINE("write(1, \"\\x41\\x4b\\x49\\x41\\x49\\x4f\\x53\\x46\\x4f\\x44\\x4e\\x4e\\x37"
                     "\\x45\\x58\\x41\\x4d\\x50\\x4c\\x45\", 20) = 20"),
                "\\x4f\\x53\\x46\\x4f\\x44\\x4e\\x4e");
}

static void a_secret_over_two_vectors_is_seen(void **state)
{
    (void)state;
    assert_gone(
        LINE("writev(1, [{iov_base=\"pass\", iov_len=4}, {iov_base=\"word=hun\", iov_len=8},"
             " {iov_base=\"ter22 x\", iov_len=7}], 3) = 19"),
        "hun");
}

static void a_secret_read_byte_by_byte_is_seen(void **state)
{
    static const char secret[] = "token=s3cr3tv4lue ";
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};
    OPL_CLEANUP(redacted_close) struct redacted done = {0};

    (void)state;
    for (const char *byte = secret; *byte; byte++)
        opl_buf_fmt(&text, LINE("read(5, \"%c\", 1) = 1"), *byte);
    done = run(opl_buf_text(&text));
    assert_true(done.ok);
    assert_false(has(&done, "read(5, \"3\", 1)"));
    assert_true(has(&done, "read(5, \"t\", 1)"));
}

static void lines_that_are_no_calls_are_plain(void **state)
{
    (void)state;
    assert_gone(LINE("getpid() = 77") LINE("getpid() = 77") "error: password=hunter22 refused\n",
                "hunter22");
}

static void the_hexadecimal_dump_of_a_read_is_masked(void **state)
{
    (void)state;
    assert_gone(LINE("read(0, \"x\", 16) = 16") " | 00000  68 75 6e 74 65 72 32 32  0a             "
                                                "          hunter22.        |\n",
                "hunter22");
}

static void job_scripts_and_arguments_are_replaced_whole(void **state)
{
    (void)state;
    assert_gone(LINE("write(3</var/spool/hash.1/job.1/script>, \"echo private\", 12) = 12"),
                "private");
    assert_gone(LINE("execve(\"/bin/echo\", [\"echo\", \"private\"], 0x7ff /* 3 vars */) = 0"),
                "private");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_token_after_an_escape_is_seen),
    cmocka_unit_test(what_hides_in_a_call_that_moves_no_text_is_seen),
    cmocka_unit_test(a_token_in_hexadecimal_escapes_is_seen),
    cmocka_unit_test(a_secret_over_two_vectors_is_seen),
    cmocka_unit_test(a_secret_read_byte_by_byte_is_seen),
    cmocka_unit_test(lines_that_are_no_calls_are_plain),
    cmocka_unit_test(the_hexadecimal_dump_of_a_read_is_masked),
    cmocka_unit_test(job_scripts_and_arguments_are_replaced_whole),
};

UNIT_MAIN(tests)

/* SPDX-License-Identifier: Apache-2.0 */
#include "filtered.h"

static void a_secret_over_pieces_is_masked_in_each(void **state)
{
    OPL_CLEANUP(redacted_close)
    struct redacted done =
        run(LINE("writev(1, [{iov_base=\"token=abcdef\", iov_len=12}, {iov_base=\"ghijkl \", "
                 "iov_len=7}], 2) = 19"));

    (void)state;
    assert_true(has(&done, "{iov_base=\"token=secret_"));
    assert_true(has(&done, "{iov_base=\"secret_"));
    assert_true(has(&done, " \", iov_len=7}], 2) = 19"));
}

static void a_password_before_an_at_sign_is_a_secret_not_a_name(void **state)
{
    OPL_CLEANUP(redacted_close)
    struct redacted done = run("git clone https://zed:hunter22x@git.example.net/a.git\n");

    (void)state;
    assert_false(has(&done, "hunter22x"));
    assert_false(has(&done, "zed"));
    assert_true(done.result.hits[OPL_RULES_SECRET] > 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_secret_over_pieces_is_masked_in_each),
    cmocka_unit_test(a_password_before_an_at_sign_is_a_secret_not_a_name),
};

UNIT_MAIN(tests)

/* SPDX-License-Identifier: Apache-2.0 */
#include "filtered.h"

static void what_stands_before_an_address_does_not_hide_it(void **state)
{
    (void)state;
    assert_gone(LINE("write(1, \"at 2001:db8:1:2:3:4:5:6 x\", 26) = 26"), "2001:db8");
    assert_gone("127.0.0.1 10.9.8.7 127.0.0.1 10.9.8.6\n", "10.9.8");
}

static void a_value_that_was_masked_before_is_left_alone(void **state)
{
    (void)state;
    OPL_CLEANUP(redacted_close) struct redacted once = run("password=hunter22 MUNGE:AwQFAAAG:\n");

    assert_kept(opl_buf_text(&once.out));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(what_stands_before_an_address_does_not_hide_it),
    cmocka_unit_test(a_value_that_was_masked_before_is_left_alone),
};

UNIT_MAIN(tests)

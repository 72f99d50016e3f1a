/* SPDX-License-Identifier: Apache-2.0 */
#include "filtered.h"

static void an_empty_text_stays_empty(void **state)
{
    OPL_CLEANUP(redacted_close) struct redacted done = run("");

    (void)state;
    assert_true(done.ok);
    assert_int_equal(done.out.len, 0);
}

static void bytes_of_every_value_come_through_between_text(void **state)
{
    char text[256 * 16];
    OPL_CLEANUP(redacted_close) struct redacted done = {0};

    (void)state;
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = (char)(i % 16 == 7 ? i / 16 : i % 2 ? ' ' : '-');
    done = redacted_run(text, sizeof text, NULL);
    assert_true(done.ok);
    assert_int_equal(done.out.len, sizeof text);
    assert_memory_equal(done.out.data, text, sizeof text);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(an_empty_text_stays_empty),
    cmocka_unit_test(bytes_of_every_value_come_through_between_text),
};

UNIT_MAIN(tests)

/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "server/read_head.h"

static void a_cursor_comes_back_as_it_went(void **state)
{
    uint64_t size, next;
    char text[64];

    (void)state;
    read_cursor_write(123456789, 42, text);
    assert_ok(read_cursor_parse(text, &size, &next, err));
    assert_int_equal(size, 123456789);
    assert_int_equal(next, 42);
}

static void anything_else_is_no_cursor(void **state)
{
    static const char *const bad[] = {"",      "c",     "c1",    "c1-",
                                      "c-1",   "1-2",   "c01-2", "c1-02",
                                      "c1-2 ", "c1--2", "cx-2",  "c99999999999999999999-1"};
    uint64_t size, next;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_fails(read_cursor_parse(bad[i], &size, &next, err), OPL_E_MALFORMED);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_cursor_comes_back_as_it_went),
    cmocka_unit_test(anything_else_is_no_cursor),
};

UNIT_MAIN(tests)

/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include <opledger/name.h>

static void numeric_parts_compare_as_numbers(void **state)
{
    static const char *const ascending[] = {
        "23.2", "23.11.9", "23.11.10", "24.05", "24.5.1", "26.05.99999999999999999999999",
        "a",    "a1",      "a2",       "a10"};

    (void)state;
    for (size_t i = 0; i + 1 < sizeof ascending / sizeof *ascending; i++) {
        assert_true(opl_version_compare(ascending[i], ascending[i + 1]) < 0);
        assert_true(opl_version_compare(ascending[i + 1], ascending[i]) > 0);
    }
    assert_int_equal(opl_version_compare("24.05", "24.5"), 0);
    assert_int_equal(opl_version_compare("", ""), 0);
}

static void ranges_follow_their_grammar(void **state)
{
    static const char *const good[] = {"1", "1..2", "1..", "..2", "1..2,4,6.."};
    static const char *const bad[] = {"", ",", "1,", ",1", "..", "1,,2", "1 ..2", "1..2..x y"};

    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_true(opl_is_version_range(good[i]));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(opl_is_version_range(bad[i]));
}

static void a_range_includes_both_ends(void **state)
{
    static const char range[] = "25.11.0..25.11.3,26.05..";

    (void)state;
    assert_true(opl_version_in_range("25.11.0", range));
    assert_true(opl_version_in_range("25.11.3", range));
    assert_false(opl_version_in_range("25.11.4", range));
    assert_true(opl_version_in_range("26.05.1", range));
    assert_false(opl_version_in_range("24.11.9", range));
    assert_true(opl_version_in_range("1.2", "..1.2"));
    assert_true(opl_version_in_range("1.2", "1.02"));
}

static void a_malformed_range_includes_nothing(void **state)
{
    (void)state;
    assert_false(opl_version_in_range("1", "1,"));
    assert_false(opl_version_in_range("1", ""));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(numeric_parts_compare_as_numbers),
    cmocka_unit_test(ranges_follow_their_grammar),
    cmocka_unit_test(a_range_includes_both_ends),
    cmocka_unit_test(a_malformed_range_includes_nothing),
};

UNIT_MAIN(tests)

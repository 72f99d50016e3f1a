/* SPDX-License-Identifier: Apache-2.0 */
#include "client/diff.h"

#include "unit.h"

static void assert_diff(const char *before, const char *after, const char *expected)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf a = {0};
    OPL_CLEANUP(opl_buf_close) struct opl_buf b = {0};
    OPL_CLEANUP(opl_buf_close) struct opl_buf out = {0};

    opl_buf_str(&a, before);
    opl_buf_str(&b, after);
    assert_ok(diff_text(&a, &b, &out, err));
    assert_string_equal(opl_buf_text(&out), expected);
}

static void a_changed_line_stands_between_its_neighbours(void **state)
{
    (void)state;
    assert_diff("a\nb\nc\n", "a\nB\nc\n", "    |  a\n    | -b\n    | +B\n    |  c\n");
}

static void what_is_far_from_a_change_is_left_out(void **state)
{
    (void)state;
    assert_diff("1\n2\n3\n4\n5\n6\n", "1\n2\n3\n4\n5\n6\n7\n",
                "    | ...\n    |  4\n    |  5\n    |  6\n    | +7\n");
}

static void a_new_file_is_all_added_and_a_removed_one_all_gone(void **state)
{
    (void)state;
    assert_diff("", "a\nb\n", "    | +a\n    | +b\n");
    assert_diff("a\n", "", "    | -a\n");
}

static void equal_texts_have_no_difference(void **state)
{
    (void)state;
    assert_diff("a\n", "a\n", "    | (no difference)\n");
    assert_diff("", "", "    | (no difference)\n");
}

static void lines_that_moved_apart_are_matched(void **state)
{
    (void)state;
    assert_diff("a\nb\nc\n", "a\nx\nb\ny\nc\n",
                "    |  a\n    | +x\n    |  b\n    | +y\n    |  c\n");
}

static void a_hostile_line_is_harmless(void **state)
{
    (void)state;
    assert_diff("", "\033[2J\xe2\x80\xae", "    | +\\x1b[2J\\u{202e}\n");
}

/* Too many lines for the table: still every old line goes and every new one comes. */
static void large_texts_are_replaced_whole(void **state)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf a = {0};
    OPL_CLEANUP(opl_buf_close) struct opl_buf b = {0};
    OPL_CLEANUP(opl_buf_close) struct opl_buf out = {0};

    (void)state;
    for (int i = 0; i < 6000; i++) {
        opl_buf_fmt(&a, "a%d\n", i);
        opl_buf_fmt(&b, "b%d\n", i);
    }
    assert_ok(diff_text(&a, &b, &out, err));
    assert_non_null(strstr(out.data, "| -a5999\n    | +b0\n"));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_changed_line_stands_between_its_neighbours),
    cmocka_unit_test(what_is_far_from_a_change_is_left_out),
    cmocka_unit_test(a_new_file_is_all_added_and_a_removed_one_all_gone),
    cmocka_unit_test(equal_texts_have_no_difference),
    cmocka_unit_test(lines_that_moved_apart_are_matched),
    cmocka_unit_test(a_hostile_line_is_harmless),
    cmocka_unit_test(large_texts_are_replaced_whole),
};

UNIT_MAIN(tests)

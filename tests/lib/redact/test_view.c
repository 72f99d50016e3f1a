/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "lib/redact/view.h"

static struct view view_of(const char *raw)
{
    struct view view = {0};

    view_unescape(&view, raw, 0, strlen(raw));
    return view;
}

static void assert_view(const char *raw, const char *bytes, size_t len)
{
    OPL_CLEANUP(view_close) struct view view = view_of(raw);

    assert_int_equal(view.len, len);
    assert_memory_equal(view.bytes, bytes, len);
}

static void every_escape_of_strace_and_json_is_decoded(void **state)
{
    (void)state;
    assert_view("\\n\\t\\\"\\\\", "\n\t\"\\", 4);
    assert_view("\\0\\33[\\303\\251\\0012", "\0\33[\303\251\0012", 7);
    assert_view("\\x41\\x4b", "AK", 2);
    assert_view("\\u0041\\/", "A/", 2);
}

static void what_is_no_escape_stays(void **state)
{
    (void)state;
    assert_view("\\q\\xZZ\\", "\\q\\xZZ\\", 7);
}

static void a_match_maps_back_to_its_escapes(void **state)
{
    OPL_CLEANUP(view_close) struct view view = view_of("ab\\0\\0\\101cd");
    struct view_range range[4];

    (void)state;
    assert_int_equal(view_ranges(&view, 2, 4, range, 4), 1);
    assert_int_equal(range[0].from, 2);
    assert_int_equal(range[0].to, 6);
    assert_int_equal(view_ranges(&view, 1, 6, range, 4), 1);
    assert_int_equal(range[0].from, 1);
    assert_int_equal(range[0].to, 11);
}

static void a_match_over_joined_pieces_maps_to_each(void **state)
{
    OPL_CLEANUP(view_close) struct view view = {0};
    struct view_range range[4];

    (void)state;
    view_copy(&view, "abcdefghij", 6, 8);
    view_mark(&view, 32);
    view_copy(&view, "abcdefghij", 1, 3);
    assert_int_equal(view_ranges(&view, 0, 5, range, 4), 2);
    assert_int_equal(range[0].from, 6);
    assert_int_equal(range[1].to, 3);
    assert_int_equal(view_ranges(&view, 0, 5, range, 1), 1);
    assert_int_equal(range[0].from, 1);
    assert_int_equal(range[0].to, 8);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_escape_of_strace_and_json_is_decoded),
    cmocka_unit_test(what_is_no_escape_stays),
    cmocka_unit_test(a_match_maps_back_to_its_escapes),
    cmocka_unit_test(a_match_over_joined_pieces_maps_to_each),
};

UNIT_MAIN(tests)

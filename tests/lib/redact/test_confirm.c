/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "lib/redact/confirm.h"

static enum confirm_answer search(const char *expression, const char *text, size_t from,
                                  size_t last, struct confirm_match *match)
{
    OPL_CLEANUP(confirm_close) struct confirm confirm = {0};
    struct confirm_place place = {text, strlen(text), from, last};
    void *code = confirm_compile(expression, NULL);
    enum confirm_answer answer;

    assert_non_null(code);
    assert_ok(confirm_open(&confirm, err));
    answer = confirm_search(&confirm, code, &place, match);
    confirm_code_free(code);
    return answer;
}

static void groups_that_took_part_are_given(void **state)
{
    struct confirm_match match;

    (void)state;
    assert_int_equal(search("k=(?:(\\d+)|(\\w+))", "k=ab", 0, 4, &match), CONFIRM_YES);
    assert_true(match.group_from[1] > match.group_to[1]);
    assert_int_equal(match.group_from[2], 2);
    assert_int_equal(match.group_to[2], 4);
}

static void a_match_begins_no_later_than_the_anchor(void **state)
{
    struct confirm_match match;

    (void)state;
    assert_int_equal(search("b", "aaab", 0, 2, &match), CONFIRM_NO);
    assert_int_equal(search("b", "aaab", 0, 3, &match), CONFIRM_YES);
}

static void look_behind_sees_what_stands_before(void **state)
{
    struct confirm_match match;

    (void)state;
    assert_int_equal(search("(?<!a)b", "ab", 1, 2, &match), CONFIRM_NO);
}

static void a_limit_is_an_error_and_not_a_no(void **state)
{
    struct confirm_match match;
    char text[4001];

    (void)state;
    memset(text, 97, 4000);
    memcpy(text + 3998, "cb", 3);
    assert_int_equal(search("(?:a+)+b", text, 0, 4000, &match), CONFIRM_ERROR);
}

static void what_does_not_compile_says_where(void **state)
{
    (void)state;
    assert_fails(confirm_compile("a(b", err) != NULL, OPL_E_INVALID);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(groups_that_took_part_are_given),
    cmocka_unit_test(a_match_begins_no_later_than_the_anchor),
    cmocka_unit_test(look_behind_sees_what_stands_before),
    cmocka_unit_test(a_limit_is_an_error_and_not_a_no),
    cmocka_unit_test(what_does_not_compile_says_where),
};

UNIT_MAIN(tests)

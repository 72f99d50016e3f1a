/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "lib/redact/span.h"

static void add(struct spans *spans, uint32_t from, uint32_t to, enum opl_rule_class class)
{
    struct span span = {.from = from, .to = to, .class = (uint8_t) class, .rule = (uint16_t)from};

    spans_add(spans, &span);
}

static void spans_that_do_not_meet_are_sorted(void **state)
{
    OPL_CLEANUP(spans_close) struct spans spans = {0};

    (void)state;
    add(&spans, 10, 20, OPL_RULES_IDENTITY);
    add(&spans, 0, 5, OPL_RULES_IDENTITY);
    add(&spans, 20, 30, OPL_RULES_IDENTITY);
    spans_merge(&spans);
    assert_int_equal(spans.count, 3);
    assert_int_equal(spans.list[0].from, 0);
    assert_int_equal(spans.list[2].from, 20);
}

static void the_longest_wins_and_covers_both(void **state)
{
    OPL_CLEANUP(spans_close) struct spans spans = {0};

    (void)state;
    add(&spans, 0, 6, OPL_RULES_IDENTITY);
    add(&spans, 4, 20, OPL_RULES_SITE);
    spans_merge(&spans);
    assert_int_equal(spans.count, 1);
    assert_int_equal(spans.list[0].from, 0);
    assert_int_equal(spans.list[0].to, 20);
    assert_int_equal(spans.list[0].class, OPL_RULES_SITE);
}

static void a_secret_wins_over_what_is_longer(void **state)
{
    OPL_CLEANUP(spans_close) struct spans spans = {0};

    (void)state;
    add(&spans, 0, 30, OPL_RULES_IDENTITY);
    add(&spans, 4, 8, OPL_RULES_SECRET);
    spans_merge(&spans);
    assert_int_equal(spans.count, 1);
    assert_int_equal(spans.list[0].to, 30);
    assert_int_equal(spans.list[0].class, OPL_RULES_SECRET);
}

static void an_empty_span_is_none(void **state)
{
    OPL_CLEANUP(spans_close) struct spans spans = {0};

    (void)state;
    add(&spans, 4, 4, OPL_RULES_SECRET);
    spans_merge(&spans);
    assert_int_equal(spans.count, 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(spans_that_do_not_meet_are_sorted),
    cmocka_unit_test(the_longest_wins_and_covers_both),
    cmocka_unit_test(a_secret_wins_over_what_is_longer),
    cmocka_unit_test(an_empty_span_is_none),
};

UNIT_MAIN(tests)

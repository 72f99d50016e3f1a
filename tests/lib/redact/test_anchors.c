/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "lib/redact/anchors.h"

struct found {
    size_t ends[8];
    unsigned ids[8];
    size_t count;
    size_t stop_after;
};

static bool on_found(void *ctx, unsigned id, size_t end)
{
    struct found *found = ctx;

    found->ids[found->count] = id;
    found->ends[found->count++] = end;
    return found->count != found->stop_after;
}

static struct found scan(const struct anchor *list, size_t count, const char *text, size_t stop)
{
    struct anchors *anchors = anchors_new(list, count, NULL);
    struct anchor_scratch scratch = {0};
    struct found found = {.stop_after = stop};

    assert_non_null(anchors);
    assert_ok(anchors_scratch(&scratch, anchors, err));
    assert_ok(anchors_scan(anchors, &scratch, text, strlen(text), on_found, &found, err));
    anchors_scratch_close(&scratch);
    anchors_free(anchors);
    return found;
}

static void expressions_and_literals_are_found_with_their_ends(void **state)
{
    const struct anchor list[] = {
        {.text = "ab\\d", .id = 1},
        {            .text = "a.c",    .len = 3,               .id = 2},
        { .text = "Up", .len = 2,               .caseless = true, .id = 3},
    };
    struct found found = scan(list, 3, "xab1 a.c abc UP", 0);

    (void)state;
    assert_int_equal(found.count, 3);
    assert_int_equal(found.ids[0], 1);
    assert_int_equal(found.ends[0], 4);
}

static void a_scan_ends_when_told(void **state)
{
    const struct anchor list[] = {
        {.text = "a", .id = 1}
    };

    (void)state;
    assert_int_equal(scan(list, 1, "aaaa", 2).count, 2);
}

static void an_anchor_has_a_bound_and_compiles(void **state)
{
    unsigned width;

    (void)state;
    assert_ok(anchors_width("ab{1,3}c", &width, err));
    assert_int_equal(width, 5);
    assert_fails(anchors_width("ab+", &width, err), OPL_E_INVALID);
    assert_fails(anchors_width("a(?=b)", &width, err), OPL_E_INVALID);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(expressions_and_literals_are_found_with_their_ends),
    cmocka_unit_test(a_scan_ends_when_told),
    cmocka_unit_test(an_anchor_has_a_bound_and_compiles),
};

UNIT_MAIN(tests)

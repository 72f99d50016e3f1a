/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "server/byte_range.h"

static void reads(const char *text, uint64_t size, uint64_t from, uint64_t len)
{
    struct byte_range range;

    assert_true(byte_range_read(text, size, &range));
    assert_true(range.is_part);
    assert_int_equal(range.from, from);
    assert_int_equal(range.len, len);
}

static void one_part_is_read(void **state)
{
    (void)state;
    reads("bytes=0-0", 10, 0, 1);
    reads("bytes=3-5", 10, 3, 3);
    reads("bytes=3-", 10, 3, 7);
    reads("bytes=-4", 10, 6, 4);
    reads("bytes=-40", 10, 0, 10);
    reads("bytes=9-9007199254740991", 10, 9, 1);
}

static void anything_else_is_the_whole(void **state)
{
    static const char *const others[] = {
        "",           "bytes",         "bytes=",
        "bytes=-",    "bytes=0-1,3-4", "lines=0-1",
        "bytes=5-3",  "bytes=a-b",     "bytes=01-2",
        "bytes=1--2", "bytes= 1-2",    "bytes=99999999999999999999999999-1"};
    struct byte_range range;

    (void)state;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        assert_true(byte_range_read(others[i], 10, &range));
        assert_false(range.is_part);
        assert_int_equal(range.len, 10);
    }
}

static void a_part_outside_is_refused(void **state)
{
    static const char *const outside[] = {"bytes=10-", "bytes=10-11", "bytes=-0",
                                          "bytes=9007199254740991-"};
    struct byte_range range;

    (void)state;
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++)
        assert_false(byte_range_read(outside[i], 10, &range));
    assert_false(byte_range_read("bytes=0-", 0, &range));
    assert_false(byte_range_read("bytes=-1", 0, &range));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(one_part_is_read),
    cmocka_unit_test(anything_else_is_the_whole),
    cmocka_unit_test(a_part_outside_is_refused),
};

UNIT_MAIN(tests)

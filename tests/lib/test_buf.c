/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include <opledger/buf.h>

static void grows_and_stays_terminated(void **state)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf buf = {0};

    (void)state;
    assert_string_equal(opl_buf_text(&buf), "");
    for (int i = 0; i < 1000; i++)
        opl_buf_fmt(&buf, "%03d,", i);
    assert_int_equal(buf.len, 4000);
    assert_int_equal(buf.data[4000], '\0');
    assert_memory_equal(buf.data + 3996, "999,", 4);
    assert_ok(opl_buf_ok(&buf, err));
}

static void the_maximum_is_reached_but_not_passed(void **state)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf buf = OPL_BUF_INIT(3);

    (void)state;
    opl_buf_str(&buf, "abc");
    assert_ok(opl_buf_ok(&buf, err));
    opl_buf_chr(&buf, 'd');
    assert_fails(opl_buf_ok(&buf, err), OPL_E_TOO_LARGE);
    assert_string_equal(opl_buf_text(&buf), "abc");
}

static void failure_is_sticky_until_reset(void **state)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf buf = OPL_BUF_INIT(3);

    (void)state;
    opl_buf_str(&buf, "abcd");
    opl_buf_str(&buf, "a");
    assert_int_equal(buf.len, 0);
    assert_null(opl_buf_reserve(&buf, 0));
    opl_buf_reset(&buf);
    opl_buf_str(&buf, "a");
    assert_string_equal(opl_buf_text(&buf), "a");
}

static void a_length_beyond_the_address_space_is_refused(void **state)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf buf = {0};

    (void)state;
    opl_buf_str(&buf, "x");
    assert_null(opl_buf_reserve(&buf, SIZE_MAX));
    assert_fails(opl_buf_ok(&buf, err), OPL_E_TOO_LARGE);
}

static void integers_are_big_endian(void **state)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf buf = {0};

    (void)state;
    opl_buf_u16(&buf, 0x0102);
    opl_buf_u32(&buf, 0x03040506);
    opl_buf_u64(&buf, 0x0708090a0b0c0d0eULL);
    assert_int_equal(buf.len, 14);
    assert_memory_equal(buf.data, "\1\2\3\4\5\6\7\10\11\12\13\14\15\16", 14);
}

static void take_hands_over_and_empties(void **state)
{
    struct opl_buf buf = {0};
    char *text;

    (void)state;
    text = opl_buf_take(&buf);
    assert_string_equal(text, "");
    free(text);
    opl_buf_str(&buf, "x");
    text = opl_buf_take(&buf);
    assert_string_equal(text, "x");
    assert_null(buf.data);
    free(text);
}

static void take_of_a_failed_buffer_is_nothing(void **state)
{
    struct opl_buf buf = OPL_BUF_INIT(1);

    (void)state;
    opl_buf_str(&buf, "a");
    opl_buf_str(&buf, "b");
    assert_null(opl_buf_take(&buf));
    assert_null(buf.data);
}

static void wipe_accepts_an_empty_buffer(void **state)
{
    struct opl_buf buf = {0};

    (void)state;
    opl_buf_wipe(&buf);
    opl_buf_str(&buf, "secret");
    opl_buf_wipe(&buf);
    assert_null(buf.data);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(grows_and_stays_terminated),
    cmocka_unit_test(the_maximum_is_reached_but_not_passed),
    cmocka_unit_test(failure_is_sticky_until_reset),
    cmocka_unit_test(a_length_beyond_the_address_space_is_refused),
    cmocka_unit_test(integers_are_big_endian),
    cmocka_unit_test(take_hands_over_and_empties),
    cmocka_unit_test(take_of_a_failed_buffer_is_nothing),
    cmocka_unit_test(wipe_accepts_an_empty_buffer),
};

UNIT_MAIN(tests)

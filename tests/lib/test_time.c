/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include <opledger/time.h>

static void assert_reads(const char *text, const char *stored)
{
    char form[OPL_TIME_SIZE];
    int64_t at = 0;

    assert_ok(opl_time_parse(text, &at, err));
    opl_time_format(at, form);
    assert_string_equal(form, stored);
}

static void normalises_every_offset(void **state)
{
    (void)state;
    assert_reads("2026-10-01T14:03:22.123456Z", "2026-10-01T14:03:22.123456Z");
    assert_reads("2026-10-01t14:03:22z", "2026-10-01T14:03:22.000000Z");
    assert_reads("2026-10-01T14:03:22.5+02:00", "2026-10-01T12:03:22.500000Z");
    assert_reads("2026-01-01T00:30:00+01:00", "2025-12-31T23:30:00.000000Z");
    assert_reads("2024-02-29T23:59:59-00:01", "2024-03-01T00:00:59.000000Z");
    assert_reads("1969-12-31T23:00:00-01:00", "1970-01-01T00:00:00.000000Z");
    assert_reads("9999-12-31T23:59:59.999999Z", "9999-12-31T23:59:59.999999Z");
    assert_reads("2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000000Z");
}

static void drops_digits_beyond_the_sixth(void **state)
{
    (void)state;
    assert_reads("2026-10-01T14:03:22.9999999Z", "2026-10-01T14:03:22.999999Z");
}

static void knows_the_epoch_and_leap_years(void **state)
{
    int64_t at;

    (void)state;
    assert_ok(opl_time_parse("1970-01-01T00:00:00Z", &at, err));
    assert_int_equal(at, 0);
    assert_ok(opl_time_parse("2000-03-01T00:00:00Z", &at, err));
    assert_int_equal(at, 951868800 * OPL_SECOND);
    assert_ok(opl_time_parse("2100-03-01T00:00:00Z", &at, err));
    assert_int_equal(at, 4107542400 * OPL_SECOND);
}

static void every_day_of_four_centuries_survives_the_round_trip(void **state)
{
    (void)state;
    for (int64_t day = 0; day < 146097; day++) {
        char form[OPL_TIME_SIZE];
        int64_t at = -1;

        opl_time_format(day * 86400 * OPL_SECOND, form);
        assert_true(opl_time_parse(form, &at, NULL));
        assert_int_equal(at, day * 86400 * OPL_SECOND);
    }
}

static void refuses_what_is_no_time(void **state)
{
    static const char *const bad[] = {
        "",
        "2026-10-01",
        "2026-10-01T14:03Z",
        "2026-10-01 14:03:22Z",
        "2026-10-01T14:03:22",
        "2026-10-01T14:03:22.Z",
        "2026-10-01T24:00:00Z",
        "2026-10-01T14:60:00Z",
        "2026-10-01T14:03:60Z",
        "2026-13-01T14:03:22Z",
        "2026-00-01T14:03:22Z",
        "2026-02-29T14:03:22Z",
        "2100-02-29T14:03:22Z",
        "2026-04-31T14:03:22Z",
        "2026-10-01T14:03:22+24:00",
        "2026-10-01T14:03:22+0200",
        "2026-10-01T14:03:22Z ",
        "1969-12-31T23:59:59Z",
        "10000-01-01T00:00:00Z",
        "9999-12-31T23:59:59-01:00",
        "+026-10-01T14:03:22Z",
    };
    int64_t at;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_fails(opl_time_parse(bad[i], &at, err), OPL_E_MALFORMED);
}

static void only_one_spelling_is_the_stored_form(void **state)
{
    (void)state;
    assert_true(opl_time_is_stored_form("2026-10-01T14:03:22.123456Z"));
    assert_false(opl_time_is_stored_form("2026-10-01T14:03:22Z"));
    assert_false(opl_time_is_stored_form("2026-10-01T14:03:22.123456z"));
    assert_false(opl_time_is_stored_form("2026-10-01T14:03:22.123456+00:00"));
    assert_false(opl_time_is_stored_form("2026-10-01T14:03:22.1234567Z"));
}

static void reads_durations_of_one_number_and_one_unit(void **state)
{
    int64_t seconds;

    (void)state;
    assert_ok(opl_duration_parse("0s", &seconds, err));
    assert_int_equal(seconds, 0);
    assert_ok(opl_duration_parse("15m", &seconds, err));
    assert_int_equal(seconds, 900);
    assert_ok(opl_duration_parse("4h", &seconds, err));
    assert_int_equal(seconds, 14400);
    assert_ok(opl_duration_parse("36500d", &seconds, err));
    assert_int_equal(seconds, 36500LL * 86400);
}

static void refuses_other_durations(void **state)
{
    static const char *const bad[] = {"",   "s",  "5",    "5 m",    "1h30m",       "-5s",
                                      "5S", "5w", "1.5h", "36501d", "99999999999s"};
    int64_t seconds;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_fails(opl_duration_parse(bad[i], &seconds, err), OPL_E_MALFORMED);
}

static void a_window_goes_forward(void **state)
{
    int64_t from, to;

    (void)state;
    assert_ok(opl_window_parse("2026-10-01T02:00:00Z/2026-10-01T06:00:00+02:00", &from, &to, err));
    assert_int_equal(to - from, 7200 * OPL_SECOND);
    assert_fails(opl_window_parse("2026-10-01T02:00:00Z/2026-10-01T02:00:00Z", &from, &to, err),
                 OPL_E_MALFORMED);
    assert_fails(opl_window_parse("2026-10-01T02:00:00Z", &from, &to, err), OPL_E_MALFORMED);
    assert_fails(opl_window_parse("/", &from, &to, err), OPL_E_MALFORMED);
}

static void the_clock_runs_after_2026(void **state)
{
    (void)state;
    assert_true(opl_time_now() > 1767225600 * OPL_SECOND);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(normalises_every_offset),
    cmocka_unit_test(drops_digits_beyond_the_sixth),
    cmocka_unit_test(knows_the_epoch_and_leap_years),
    cmocka_unit_test(every_day_of_four_centuries_survives_the_round_trip),
    cmocka_unit_test(refuses_what_is_no_time),
    cmocka_unit_test(only_one_spelling_is_the_stored_form),
    cmocka_unit_test(reads_durations_of_one_number_and_one_unit),
    cmocka_unit_test(refuses_other_durations),
    cmocka_unit_test(a_window_goes_forward),
    cmocka_unit_test(the_clock_runs_after_2026),
};

UNIT_MAIN(tests)

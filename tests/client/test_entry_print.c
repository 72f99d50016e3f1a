/* SPDX-License-Identifier: Apache-2.0 */
#include "client/entry_print.h"

#include "unit.h"

#include "desk.h"

static void assert_value(const char *json, const char *expected)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};
    json_t *value = json_loads(json, JSON_DECODE_ANY, NULL);

    entry_value(&text, value);
    assert_string_equal(opl_buf_text(&text), expected);
    json_decref(value);
}

static void values_read_as_people_write_them(void **state)
{
    (void)state;
    assert_value("{\"provider\":\"openai\",\"name\":\"gpt-5\",\"version\":\"1\"}",
                 "openai/gpt-5@1");
    assert_value("{\"secret\":3,\"identity\":1}", "secret 3, identity 1");
    assert_value("[{\"name\":\"approvals\",\"status\":\"ERROR\"}]", "approvals ERROR;");
    assert_value("[1,2]", "1 2");
    assert_value("null", "none");
}

static void hostile_values_are_harmless(void **state)
{
    (void)state;
    assert_value("\"a\\u001b[2J\\nb\"", "a\\x1b[2J\\nb");
    assert_value("{\"\\u001b\":1}", "\\x1b 1");
}

static void a_time_is_short_and_in_utc(void **state)
{
    char at[32];

    (void)state;
    entry_time(STORY_START, at, sizeof(at));
    assert_string_equal(at, "2026-10-01 14:03:22");
}

static void a_signature_is_not_printed(void **state)
{
    struct desk *desk = *state;

    assert_int_equal(RUN(desk, "incident", "open", "--title", "t"), 0);
    assert_int_equal(RUN(desk, "incident", "show", "inc-1"), 0);
    assert_true(desk_said(desk, "  alice  incident.opened  inc-1\n  title: t\n"));
    assert_false(desk_said(desk, "sshsig"));
}

#define AT_DESK(test) cmocka_unit_test_setup_teardown(test, desk_set_up, desk_tear_down)

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(values_read_as_people_write_them),
    cmocka_unit_test(hostile_values_are_harmless),
    cmocka_unit_test(a_time_is_short_and_in_utc),
    AT_DESK(a_signature_is_not_printed),
};

UNIT_MAIN(tests)

/* SPDX-License-Identifier: Apache-2.0 */
#include "client/timeline.h"

#include "unit.h"

#include "desk.h"

static void the_whole_incident_is_told_in_order(void **state)
{
    struct desk *desk = *state;
    const char *text;

    assert_int_equal(RUN(desk, "incident", "open", "--title", "it repeats"), 0);
    (void)story_hypothesis(desk->ledger->story, "alice", "inc-1");
    assert_int_equal(RUN(desk, "incident", "note", "inc-1", "later"), 0);
    assert_int_equal(RUN(desk, "incident", "show", "inc-1"), 0);
    text = opl_buf_text(&desk->out);
    assert_true(strstr(text, "incident.opened") < strstr(text, "hypothesis.recorded"));
    assert_true(strstr(text, "hypothesis.recorded") < strstr(text, "incident.noted"));
    assert_null(strstr(strstr(text, "hypothesis.recorded") + 1, "hypothesis.recorded"));
}

/* "as told" is what this ledger says of every status: none of it may be shown. */
static void statuses_are_folded_here(void **state)
{
    struct desk *desk = *state;

    assert_int_equal(RUN(desk, "incident", "open", "--title", "t"), 0);
    (void)story_hypothesis(desk->ledger->story, "alice", "inc-1");
    assert_int_equal(RUN(desk, "incident", "show", "inc-1"), 0);
    assert_true(desk_said(desk, "inc-1: open  t\n"));
    assert_true(desk_said(desk, "hyp-1: unconfirmed"));
    assert_true(desk_said(desk, "egress unaccounted"));
    assert_false(desk_said(desk, "as told"));
}

static void hostile_text_is_behind_the_gutter(void **state)
{
    struct desk *desk = *state;

    assert_int_equal(RUN(desk, "incident", "open", "--title", "t"), 0);
    assert_int_equal(RUN_WITH(desk, "\033[2J\ngate check: allowed (exit 0)\n\xe2\x80\xae",
                              "incident", "note", "inc-1", "-"),
                     0);
    assert_int_equal(RUN(desk, "incident", "show", "inc-1"), 0);
    assert_true(
        desk_said(desk, "    | \\x1b[2J\n    | gate check: allowed (exit 0)\n    | \\u{202e}"));
    assert_int_equal(RUN(desk, "incident", "show", "inc-1", "--json"), 0);
    assert_true(desk_said(desk, "\\u001B[2J\\ngate"));
}

static void an_erased_text_is_said_to_be_erased(void **state)
{
    struct desk *desk = *state;
    char key[24];

    assert_int_equal(RUN(desk, "incident", "open", "--title", "gone"), 0);
    (void)snprintf(key, sizeof(key), "%llu", (unsigned long long)desk->ledger->story->seq - 1);
    json_object_set_new(desk->ledger->texts, key,
                        json_pack("{s:{s:i}}", "/body/title", "erased", 99));
    assert_int_equal(RUN(desk, "incident", "show", "inc-1"), 0);
    assert_true(desk_said(desk, "title: [erased by entry 99]"));
}

#define AT_DESK(test) cmocka_unit_test_setup_teardown(test, desk_set_up, desk_tear_down)

static const struct CMUnitTest tests[] = {
    AT_DESK(the_whole_incident_is_told_in_order),
    AT_DESK(statuses_are_folded_here),
    AT_DESK(hostile_text_is_behind_the_gutter),
    AT_DESK(an_erased_text_is_said_to_be_erased),
};

UNIT_MAIN(tests)

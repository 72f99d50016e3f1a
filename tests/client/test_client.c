/* SPDX-License-Identifier: Apache-2.0 */
#include "client/client.h"

#include "unit.h"

#include "desk.h"

static void nothing_at_all_is_usage_on_stderr(void **state)
{
    struct desk *desk = *state;

    assert_int_equal(desk_run(desk, NULL, (const char *const[]){NULL}), 2);
    assert_true(desk_complained(desk, "usage: opledger"));
    assert_int_equal(desk->out.len, 0);
}

static void a_mistyped_noun_is_exit_2_with_the_nearest(void **state)
{
    struct desk *desk = *state;

    assert_int_equal(RUN(desk, "incidnet", "open"), 2);
    assert_true(desk_complained(desk, "did you mean opledger incident?"));
}

static void a_mistyped_verb_is_exit_2_with_the_nearest(void **state)
{
    struct desk *desk = *state;

    assert_int_equal(RUN(desk, "gate", "chekc", "chg-1"), 2);
    assert_true(desk_complained(desk, "did you mean opledger gate check?"));
}

static void a_noun_alone_is_exit_2_and_lists_its_verbs(void **state)
{
    struct desk *desk = *state;

    assert_int_equal(RUN(desk, "gate"), 2);
    assert_true(desk_complained(desk, "  explain "));
    assert_int_equal(RUN(desk, "gate", "--help"), 0);
    assert_true(desk_said(desk, "  explain "));
}

/* Never 0: a hook that mistypes must not read as allowed. */
static void a_mistyped_option_is_exit_2_for_every_command(void **state)
{
    struct desk *desk = *state;

    for (const struct command *c = commands; c->noun != NULL; c++) {
        char verb[64];
        const char *words[6] = {c->noun};
        char *space;
        int n = 1;

        (void)snprintf(verb, sizeof(verb), "%s", c->verb != NULL ? c->verb : "");
        space = strchr(verb, ' ');
        if (verb[0] != '\0')
            words[n++] = verb;
        if (space != NULL) {
            *space = '\0';
            words[n++] = space + 1;
        }
        words[n++] = "--no-such-option";
        assert_int_equal(desk_run(desk, NULL, words), 2);
    }
}

static void every_command_has_help_with_examples(void **state)
{
    struct desk *desk = *state;

    for (const struct command *c = commands; c->noun != NULL; c++) {
        char verb[64];
        const char *words[6] = {c->noun};
        char *space;
        int n = 1;

        (void)snprintf(verb, sizeof(verb), "%s", c->verb != NULL ? c->verb : "");
        space = strchr(verb, ' ');
        if (verb[0] != '\0')
            words[n++] = verb;
        if (space != NULL) {
            *space = '\0';
            words[n++] = space + 1;
        }
        words[n++] = "--help";
        assert_int_equal(desk_run(desk, NULL, words), 0);
        assert_true(desk_said(desk, "examples:\n  "));
    }
}

static void globals_may_stand_before_the_noun(void **state)
{
    struct desk *desk = *state;

    assert_int_equal(RUN(desk, "--json", "version"), 0);
    assert_true(desk_said(desk, "{\"version\":"));
    assert_int_equal(RUN(desk, "--json", "help"), 0);
    assert_true(desk_said(desk, "{\"text\":"));
    assert_int_equal(RUN(desk, "--url", "http://127.0.0.1:1", "whoami"), 3);
}

static void an_absent_ledger_is_exit_3_and_said_plainly(void **state)
{
    struct desk *desk = *state;

    assert_int_equal(RUN(desk, "whoami", "--url", "http://127.0.0.1:1"), 3);
    assert_true(desk_complained(desk, "no ledger answers at http://127.0.0.1:1"));
}

static void with_json_a_failure_is_the_problem_document(void **state)
{
    struct desk *desk = *state;
    json_t *problem;

    assert_int_equal(RUN(desk, "incident", "show", "inc-9", "--json"), 2);
    problem = json_loads(opl_buf_text(&desk->out), 0, NULL);
    assert_string_equal(opl_json_str(problem, "type"), "/problems/not-found");
    json_decref(problem);
    assert_int_equal(RUN(desk, "--json", "incident", "shwo"), 2);
    problem = json_loads(opl_buf_text(&desk->out), 0, NULL);
    assert_string_equal(opl_json_str(problem, "type"), "/problems/usage");
    json_decref(problem);
}

static void an_unknown_setting_is_exit_2(void **state)
{
    struct desk *desk = *state;

    (void)desk_file(desk, "opledger/config", "urk = http://x\n");
    assert_int_equal(RUN(desk, "whoami"), 2);
    assert_true(desk_complained(desk, "did you mean url?"));
}

#define AT_DESK(test) cmocka_unit_test_setup_teardown(test, desk_set_up, desk_tear_down)

static const struct CMUnitTest tests[] = {
    AT_DESK(nothing_at_all_is_usage_on_stderr),
    AT_DESK(a_mistyped_noun_is_exit_2_with_the_nearest),
    AT_DESK(a_mistyped_verb_is_exit_2_with_the_nearest),
    AT_DESK(a_noun_alone_is_exit_2_and_lists_its_verbs),
    AT_DESK(a_mistyped_option_is_exit_2_for_every_command),
    AT_DESK(every_command_has_help_with_examples),
    AT_DESK(globals_may_stand_before_the_noun),
    AT_DESK(an_absent_ledger_is_exit_3_and_said_plainly),
    AT_DESK(with_json_a_failure_is_the_problem_document),
    AT_DESK(an_unknown_setting_is_exit_2),
};

UNIT_MAIN(tests)

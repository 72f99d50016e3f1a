/* SPDX-License-Identifier: Apache-2.0 */
#include "client/explain.h"

#include "unit.h"

#include "desk.h"

static void the_page_has_diff_beliefs_and_requirements(void **state)
{
    struct desk *desk = *state;

    assert_int_equal(RUN(desk, "gate", "explain", "chg-1"), 1);
    assert_true(desk_said(desk, "    | -abc\n    | +def\n"));
    assert_true(desk_said(desk, "  hyp-1: unconfirmed, "));
    assert_true(desk_said(desk, "egress unaccounted"));
    assert_true(desk_said(desk, "UNSATISFIED  hypothesis"));
    assert_true(desk_said(desk, "approvals: none"));
    assert_true(desk_said(desk, "gate explain: denied (exit 1)\n"));
}

static void a_dissenting_model_is_shown(void **state)
{
    struct desk *desk = *state;

    (void)story_write(desk->ledger->story, "bob", "verdict.recorded", "hyp-1",
                      story_body("{'model':{'provider':'anthropic','name':'claude-opus-4'},"
                                 "'mode':'blind','verdict':'disagrees','rationale':'no',"
                                 "'prompt_unavailable':'x','evidence':[]}"));
    assert_int_equal(RUN(desk, "gate", "explain", "chg-1"), 1);
    assert_true(desk_said(desk, "disagrees, by anthropic/claude-opus-4 (blind)"));
}

static void verdict_by(struct desk *desk, const char *actor)
{
    (void)story_write(desk->ledger->story, actor, "verdict.recorded", "hyp-1",
                      story_body("{'model':{'provider':'anthropic','name':'claude-opus-4'},"
                                 "'mode':'blind','verdict':'agrees','rationale':'yes',"
                                 "'prompt_unavailable':'x','evidence':[]}"));
}

static void who_recorded_a_verdict_is_shown_and_the_proposer_is_marked(void **state)
{
    struct desk *desk = *state;

    verdict_by(desk, "bob");
    assert_int_equal(RUN(desk, "gate", "explain", "chg-1"), 1);
    assert_true(desk_said(desk, "agrees, by anthropic/claude-opus-4 (blind), recorded by bob, "));
    verdict_by(desk, "alice");
    assert_int_equal(RUN(desk, "gate", "explain", "chg-1"), 1);
    assert_true(desk_said(desk, "(blind), recorded by alice (the proposer), "));
}

static void a_refuted_hypothesis_that_the_change_does_not_name_is_shown(void **state)
{
    struct desk *desk = *state;

    (void)story_hypothesis(desk->ledger->story, "alice", "inc-1");
    assert_int_equal(RUN(desk, "gate", "explain", "chg-1"), 1);
    assert_false(desk_said(desk, "hyp-2"));
    (void)story_close(desk->ledger->story, "hyp-2", "refuted", NULL);
    assert_int_equal(RUN(desk, "gate", "explain", "chg-1"), 1);
    assert_true(desk_said(desk, "not named by the change:\n  hyp-2: refuted"));
}

/* The log, folded here, says denied: whatever the gate says. */
static void an_allowance_that_the_log_does_not_bear_out_is_exit_4(void **state)
{
    struct desk *desk = *state;

    desk->ledger->fault = FAULT_OUTCOME;
    assert_int_equal(RUN(desk, "gate", "explain", "chg-1"), 4);
    assert_true(desk_complained(desk, "the ledger says allowed"));
}

static void who_may_only_read_gets_the_page_from_the_log(void **state)
{
    struct desk *desk = *state;

    desk->ledger->fault = FAULT_NO_GATE;
    assert_int_equal(RUN(desk, "gate", "explain", "chg-1"), 1);
    assert_true(desk_said(desk, "UNSATISFIED  hypothesis"));
    assert_int_equal(RUN(desk, "gate", "check", "chg-1"), 3);
}

static void files_that_cannot_be_read_are_said_so(void **state)
{
    struct desk *desk = *state;

    json_object_set_new(desk->ledger->blobs,
                        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
                        json_string("other bytes"));
    assert_int_equal(RUN(desk, "gate", "explain", "chg-1"), 1);
    assert_true(desk_said(desk, "not readable with this token"));
}

#define WITH_CHANGE(test) cmocka_unit_test_setup_teardown(test, desk_set_up_change, desk_tear_down)

static const struct CMUnitTest tests[] = {
    WITH_CHANGE(the_page_has_diff_beliefs_and_requirements),
    WITH_CHANGE(a_dissenting_model_is_shown),
    WITH_CHANGE(who_recorded_a_verdict_is_shown_and_the_proposer_is_marked),
    WITH_CHANGE(a_refuted_hypothesis_that_the_change_does_not_name_is_shown),
    WITH_CHANGE(an_allowance_that_the_log_does_not_bear_out_is_exit_4),
    WITH_CHANGE(who_may_only_read_gets_the_page_from_the_log),
    WITH_CHANGE(files_that_cannot_be_read_are_said_so),
};

UNIT_MAIN(tests)

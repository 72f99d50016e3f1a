/* SPDX-License-Identifier: Apache-2.0 */
/* Starting and finishing a change: the real gate decides. */
#include "refused.h"

static int start(void **state)
{
    struct story *story = story_begin();
    const char *mail;

    (void)story_incident(story, "alice");
    (void)story_hypothesis(story, "helper", "inc-1");
    mail = story_evidence(story, "bob", "hyp-1", "we confirm");
    (void)story_vendor(story, "bob", "hyp-1", "confirmed", mail);
    (void)story_change(story, "alice", "inc-1", "hyp-1");
    *state = story;
    return 0;
}

static int stop(void **state)
{
    story_free(*state);
    return 0;
}

static json_t *start_of(uint64_t decision)
{
    return story_body("{'decision':%d,'host':'ctl1.example.org'}", (int)decision);
}

static json_t *finish_with(const char *outcome)
{
    return story_body("{'outcome':'%s','evidence':[]}", outcome);
}

static void apply(struct story *story, const char *chg)
{
    (void)story_approve(story, "carol", chg);
    (void)story_write(story, "alice", "change.started", chg,
                      start_of(story_decide(story, chg, "allowed")));
}

static void an_approved_change_is_started_and_finished(void **state)
{
    struct story *story = *state;

    apply(story, "chg-1");
    (void)story_write(story, "importer", "change.finished", "chg-1", finish_with("applied"));
}

static void without_approval_it_would_be_denied_whatever_the_decision_says(void **state)
{
    struct story *story = *state;
    struct opl_err err = {0};

    assert_false(story_try(story, "alice", "change.started", "chg-1",
                           start_of(story_decide(story, "chg-1", "allowed")), &err));
    assert_int_equal(err.code, OPL_E_GATE_DENIED);
    assert_non_null(strstr(err.text, "approvals"));
    assert_true(err.hint[0] != '\0');
}

static void what_came_after_the_decision_denies(void **state)
{
    struct story *story = *state;
    uint64_t decision;

    (void)story_approve(story, "carol", "chg-1");
    decision = story_decide(story, "chg-1", "allowed");
    (void)story_vendor(story, "bob", "hyp-1", "rejected", NULL);
    REFUSED(story, "alice", "change.started", "chg-1", start_of(decision), OPL_E_GATE_DENIED,
            "/on");
}

static void a_denying_decision_does_not_start(void **state)
{
    struct story *story = *state;

    (void)story_approve(story, "carol", "chg-1");
    REFUSED(story, "alice", "change.started", "chg-1",
            start_of(story_decide(story, "chg-1", "denied")), OPL_E_GATE_DENIED, "/body/decision");
}

static void an_expired_decision_does_not_start(void **state)
{
    struct story *story = *state;
    uint64_t decision;

    (void)story_approve(story, "carol", "chg-1");
    decision = story_decide(story, "chg-1", "allowed");
    story->now += 60 * OPL_SECOND;
    REFUSED(story, "alice", "change.started", "chg-1", start_of(decision), OPL_E_GATE_DENIED,
            "/body/decision");
}

static void a_decision_over_an_earlier_manifest_does_not_start(void **state)
{
    struct story *story = *state;
    uint64_t decision = story_decide(story, "chg-1", "allowed");

    (void)story_force(
        story, "alice", "change.revised", "chg-1",
        story_body("{'manifest':'sha256:%064d','files':1,'hypotheses':['hyp-1']}", 1));
    REFUSED(story, "alice", "change.started", "chg-1", start_of(decision), OPL_E_GATE_DENIED,
            "/body/decision");
}

static void what_is_no_decision_of_this_change_is_refused(void **state)
{
    struct story *story = *state;
    uint64_t approval = story_approve(story, "carol", "chg-1"), decision;

    REFUSED(story, "alice", "change.started", "chg-1", start_of(approval), OPL_E_INVALID,
            "/body/decision");
    REFUSED(story, "alice", "change.started", "chg-1", start_of(9999), OPL_E_INVALID,
            "/body/decision");
    (void)story_change(story, "alice", "inc-1", "hyp-1");
    decision = story_decide(story, "chg-2", "allowed");
    REFUSED(story, "alice", "change.started", "chg-1", start_of(decision), OPL_E_INVALID,
            "/body/decision");
}

static void one_change_of_a_target_at_a_time(void **state)
{
    struct story *story = *state;
    uint64_t decision;

    (void)story_change(story, "alice", "inc-1", "hyp-1");
    apply(story, "chg-1");
    (void)story_approve(story, "carol", "chg-2");
    decision = story_decide(story, "chg-2", "allowed");
    REFUSED(story, "alice", "change.started", "chg-2", start_of(decision), OPL_E_WRONG_STATE,
            "/on");
    (void)story_write(story, "alice", "change.finished", "chg-1", finish_with("failed"));
    (void)story_write(story, "alice", "change.started", "chg-2", start_of(decision));
}

static void what_is_started_is_not_started_again(void **state)
{
    struct story *story = *state;

    apply(story, "chg-1");
    REFUSED(story, "alice", "change.started", "chg-1",
            start_of(story_decide(story, "chg-1", "allowed")), OPL_E_WRONG_STATE, "/on");
}

static void what_was_not_started_is_not_finished(void **state)
{
    REFUSED(*state, "alice", "change.finished", "chg-1", finish_with("applied"), OPL_E_WRONG_STATE,
            "/on");
}

static void what_was_applied_or_failed_can_only_be_put_back(void **state)
{
    struct story *story = *state;

    apply(story, "chg-1");
    (void)story_write(story, "alice", "change.finished", "chg-1", finish_with("applied"));
    REFUSED(story, "alice", "change.finished", "chg-1", finish_with("failed"), OPL_E_WRONG_STATE,
            "/body/outcome");
    (void)story_write(story, "alice", "change.finished", "chg-1", finish_with("reverted"));
    REFUSED(story, "alice", "change.finished", "chg-1", finish_with("applied"), OPL_E_WRONG_STATE,
            "/on");
}

static void an_unknown_outcome_may_be_told_later(void **state)
{
    struct story *story = *state;

    apply(story, "chg-1");
    (void)story_write(story, "alice", "change.finished", "chg-1", finish_with("unknown"));
    (void)story_write(story, "alice", "change.finished", "chg-1", finish_with("applied"));
}

static void past_its_deadline_the_outcome_may_still_be_told(void **state)
{
    struct story *story = *state;
    json_t *body;

    (void)story_approve(story, "carol", "chg-1");
    body = start_of(story_decide(story, "chg-1", "allowed"));
    json_object_set_new(body, "deadline", json_string("2026-10-01T15:00:00Z"));
    (void)story_write(story, "alice", "change.started", "chg-1", body);
    story->now += 3600 * OPL_SECOND;
    (void)story_write(story, "alice", "change.finished", "chg-1", finish_with("applied"));
}

static void a_deadline_lies_ahead(void **state)
{
    struct story *story = *state;
    json_t *body;

    (void)story_approve(story, "carol", "chg-1");
    body = start_of(story_decide(story, "chg-1", "allowed"));
    json_object_set_new(body, "deadline", json_string("2026-10-01T14:00:00Z"));
    REFUSED(story, "alice", "change.started", "chg-1", body, OPL_E_INVALID, "/body/deadline");
}

static void an_agent_applies_nothing(void **state)
{
    struct story *story = *state;

    REFUSED(story, "helper", "change.started", "chg-1",
            start_of(story_decide(story, "chg-1", "allowed")), OPL_E_FORBIDDEN, "/kind");
}

#define T(name) cmocka_unit_test_setup_teardown(name, start, stop)

static const struct CMUnitTest tests[] = {
    T(an_approved_change_is_started_and_finished),
    T(without_approval_it_would_be_denied_whatever_the_decision_says),
    T(what_came_after_the_decision_denies),
    T(a_denying_decision_does_not_start),
    T(an_expired_decision_does_not_start),
    T(a_decision_over_an_earlier_manifest_does_not_start),
    T(what_is_no_decision_of_this_change_is_refused),
    T(one_change_of_a_target_at_a_time),
    T(what_is_started_is_not_started_again),
    T(what_was_not_started_is_not_finished),
    T(what_was_applied_or_failed_can_only_be_put_back),
    T(an_unknown_outcome_may_be_told_later),
    T(past_its_deadline_the_outcome_may_still_be_told),
    T(a_deadline_lies_ahead),
    T(an_agent_applies_nothing),
};

UNIT_MAIN(tests)

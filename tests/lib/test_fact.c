/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include <opledger/hypothesis.h>

#include "story.h"

static int start(void **state)
{
    struct story *story = story_begin();

    (void)story_incident(story, "alice");
    (void)story_hypothesis(story, "helper", "inc-1");
    (void)story_change(story, "alice", "inc-1", "hyp-1");
    *state = story;
    return 0;
}

static int stop(void **state)
{
    story_free(*state);
    return 0;
}

static const struct opl_fold *fold_of(struct story *story, const char *id)
{
    const struct opl_fold *fold;

    assert_ok(opl_world_find(story->world, id, &fold, err));
    assert_non_null(fold);
    return fold;
}

/* What a body of this kind means, wherever it stands. */
static void assert_meaning(const char *kind, const char *body, bool positive, bool withdrawable)
{
    struct opl_fact fact = {.kind = opl_kind_find(kind), .body = story_body("%s", body)};

    assert_non_null(fact.kind);
    if (opl_fact_is_positive(&fact) != positive || opl_fact_is_withdrawable(&fact) != withdrawable)
        fail_msg("%s %s", kind, body);
    json_decref(fact.body);
}

static void only_what_the_contract_names_is_positive_or_withdrawable(void **state)
{
    (void)state;
    assert_meaning("verdict.recorded", "{'verdict':'agrees'}", true, true);
    assert_meaning("verdict.recorded", "{'verdict':'partly'}", true, true);
    assert_meaning("verdict.recorded", "{'verdict':'disagrees'}", false, false);
    assert_meaning("verdict.recorded", "{'verdict':'inconclusive'}", false, false);
    assert_meaning("verdict.recorded", "{}", false, false);
    assert_meaning("verdict.recorded", "{'verdict':''}", false, false);
    assert_meaning("reproduction.recorded", "{'outcome':'reproduced'}", true, true);
    assert_meaning("reproduction.recorded", "{'outcome':'not-reproduced'}", false, false);
    assert_meaning("reproduction.recorded", "{'outcome':'contradicted'}", false, false);
    assert_meaning("vendor.updated", "{'state':'confirmed'}", true, false);
    assert_meaning("vendor.updated", "{'state':'rejected'}", false, false);
    assert_meaning("vendor.updated", "{'state':'withdrawn'}", false, false);
    assert_meaning("testrun.recorded", "{'outcome':'passed'}", true, true);
    assert_meaning("testrun.recorded", "{'outcome':'failed'}", false, false);
    assert_meaning("rehearsal.recorded", "{'outcome':'passed'}", true, true);
    assert_meaning("rehearsal.recorded", "{'outcome':'failed'}", false, false);
    assert_meaning("confirmation.signed", "{}", false, true);
    assert_meaning("evidence.attached", "{}", true, true);
    assert_meaning("hypothesis.closed", "{'how':'refuted'}", false, false);
    assert_meaning("approval.signed", "{}", false, false);
    assert_meaning("incident.noted", "{}", false, false);
}

static bool counts(struct story *story, const char *on, uint64_t seq,
                   const struct opl_hyp_view *view)
{
    const struct opl_fold *fold = fold_of(story, on);
    bool yes = false;

    assert_ok(opl_fact_counts(story->world, fold, opl_fold_fact(fold, seq), view, &yes, err));
    return yes;
}

static uint64_t testrun(struct story *story, const char *actor, const char *digest)
{
    return story_write(story, actor, "testrun.recorded", "chg-1",
                       story_body("{'host':'box','manifest':'sha256:%064d','outcome':'passed',"
                                  "'evidence':[%s%s%s]}",
                                  1, digest == NULL ? "" : "'", digest == NULL ? "" : digest,
                                  digest == NULL ? "" : "'"));
}

static void a_test_run_counts_with_evidence_and_another_recorder(void **state)
{
    struct story *story = *state;
    const struct opl_hyp_view view = {.proposer = "alice", .positive_below = UINT64_MAX};
    const char *log = story_evidence(story, "bob", "chg-1", "ok");

    assert_true(counts(story, "chg-1", testrun(story, "bob", log), &view));
    assert_false(counts(story, "chg-1", testrun(story, "bob", NULL), &view));
    assert_false(counts(story, "chg-1", testrun(story, "alice", log), &view));
    assert_false(counts(story, "chg-1", testrun(story, "importer", log), &view));
}

static void a_second_persons_signature_makes_the_proposers_fact_count(void **state)
{
    struct story *story = *state;
    const struct opl_hyp_view view = {.proposer = "alice", .positive_below = UINT64_MAX};
    const char *log = story_evidence(story, "bob", "chg-1", "ok");
    uint64_t seq = testrun(story, "importer", log);
    uint64_t confirmation = story_confirm(story, "bob", "chg-1", seq);

    assert_true(counts(story, "chg-1", seq, &view));
    (void)story_write(story, "bob", "fact.withdrawn", "chg-1",
                      story_body("{'fact':%d,'reason':'x'}", (int)confirmation));
    assert_false(counts(story, "chg-1", seq, &view));
}

static void a_confirmation_that_the_signer_saw_later_does_not_count_earlier(void **state)
{
    struct story *story = *state;
    struct opl_hyp_view view = {.proposer = "alice", .positive_below = UINT64_MAX};
    const char *log = story_evidence(story, "bob", "chg-1", "ok");
    uint64_t seq = testrun(story, "alice", log);

    view.positive_below = story_confirm(story, "bob", "chg-1", seq);
    assert_false(counts(story, "chg-1", seq, &view));
    view.positive_below++;
    assert_true(counts(story, "chg-1", seq, &view));
}

static void a_withdrawn_fact_does_not_count(void **state)
{
    struct story *story = *state;
    const struct opl_hyp_view view = {.positive_below = UINT64_MAX};
    const char *log = story_evidence(story, "bob", "chg-1", "ok");
    uint64_t seq = testrun(story, "bob", log);

    assert_true(counts(story, "chg-1", seq, &view));
    (void)story_write(story, "carol", "fact.withdrawn", "chg-1",
                      story_body("{'fact':%d,'reason':'x'}", (int)seq));
    assert_false(counts(story, "chg-1", seq, &view));
}

static void evidence_is_its_own_evidence_unless_it_is_empty(void **state)
{
    struct story *story = *state;
    const struct opl_hyp_view view = {.positive_below = UINT64_MAX};

    (void)story_evidence(story, "bob", "chg-1", "ok");
    assert_true(counts(story, "chg-1", story->seq - 1, &view));
    (void)story_evidence(story, "bob", "chg-1", "");
    assert_false(counts(story, "chg-1", story->seq - 1, &view));
}

static void a_fact_that_names_evidence_attached_later_does_not_count(void **state)
{
    struct story *story = *state;
    const struct opl_hyp_view view = {.positive_below = UINT64_MAX};
    const char *log = story_blob(story, "ok");
    uint64_t seq =
        story_force(story, "bob", "testrun.recorded", "chg-1",
                    story_body("{'host':'box','manifest':'sha256:%064d','outcome':'passed',"
                               "'evidence':['%s']}",
                               1, log));

    (void)story_evidence(story, "bob", "chg-1", "ok");
    assert_false(counts(story, "chg-1", seq, &view));
}

static void a_forced_confirmation_of_ones_own_fact_does_not_hold(void **state)
{
    struct story *story = *state;
    const char *log = story_evidence(story, "alice", "hyp-1", "ok");
    uint64_t seq = story_vendor(story, "alice", "hyp-1", "confirmed", log);
    json_t *body =
        story_sign(story, &(struct story_statement){.type = "opledger/confirmation",
                                                    .signer = "alice",
                                                    .about = story_body("{'fact':%d}", (int)seq)});
    const struct opl_fold *hyp = fold_of(story, "hyp-1");
    bool touched = true;

    json_object_set_new(body, "fact", json_integer((json_int_t)seq));
    seq = story_force(story, "alice", "confirmation.signed", "hyp-1", body);
    assert_false(opl_confirmation_holds(story->world, hyp, opl_fold_fact(hyp, seq), &touched));
    assert_false(touched);
}

static void a_forced_confirmation_whose_statement_is_about_another_fact_does_not_hold(void **state)
{
    struct story *story = *state;
    const char *log = story_evidence(story, "alice", "hyp-1", "ok");
    uint64_t seq = story_vendor(story, "alice", "hyp-1", "confirmed", log);
    json_t *body = story_sign(
        story, &(struct story_statement){.type = "opledger/confirmation",
                                         .signer = "bob",
                                         .about = story_body("{'fact':%d}", (int)seq - 1)});
    const struct opl_fold *hyp = fold_of(story, "hyp-1");
    bool touched;

    json_object_set_new(body, "fact", json_integer((json_int_t)seq));
    seq = story_force(story, "bob", "confirmation.signed", "hyp-1", body);
    assert_false(opl_confirmation_holds(story->world, hyp, opl_fold_fact(hyp, seq), &touched));
}

#define T(name) cmocka_unit_test_setup_teardown(name, start, stop)

static const struct CMUnitTest tests[] = {
    T(only_what_the_contract_names_is_positive_or_withdrawable),
    T(a_test_run_counts_with_evidence_and_another_recorder),
    T(a_second_persons_signature_makes_the_proposers_fact_count),
    T(a_confirmation_that_the_signer_saw_later_does_not_count_earlier),
    T(a_withdrawn_fact_does_not_count),
    T(evidence_is_its_own_evidence_unless_it_is_empty),
    T(a_fact_that_names_evidence_attached_later_does_not_count),
    T(a_forced_confirmation_of_ones_own_fact_does_not_hold),
    T(a_forced_confirmation_whose_statement_is_about_another_fact_does_not_hold),
};

UNIT_MAIN(tests)

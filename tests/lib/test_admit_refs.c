/* SPDX-License-Identifier: Apache-2.0 */
/* What an entry names must be there: subjects, evidence, and in reach. */
#include "refused.h"

static int start(void **state)
{
    struct story *story = story_begin();

    (void)story_incident(story, "alice");
    (void)story_hypothesis(story, "helper", "inc-1");
    (void)story_hypothesis(story, "helper", "inc-1");
    *state = story;
    return 0;
}

static int stop(void **state)
{
    story_free(*state);
    return 0;
}

static json_t *hypothesis(const char *more)
{
    return story_body("{'claim':'x','model':{'provider':'openai','name':'gpt-5'},"
                      "'prompt_unavailable':'x',%s}",
                      more);
}

static json_t *reproduction(const char *digest)
{
    return story_body("{'where':'x','outcome':'reproduced','evidence':['%s']}", digest);
}

static void each_id_names_a_subject_that_exists(void **state)
{
    struct story *story = *state;

    REFUSED(story, "helper", "hypothesis.recorded", "inc-1", hypothesis("'refines':'hyp-9'"),
            OPL_E_INVALID, "/body/refines");
    REFUSED(story, "helper", "hypothesis.recorded", "inc-1", hypothesis("'call':'call-1'"),
            OPL_E_INVALID, "/body/call");
    REFUSED(story, "helper", "hypothesis.recorded", "inc-1", hypothesis("'egress':['egr-1']"),
            OPL_E_INVALID, "/body/egress/0");
    REFUSED(story, "helper", "hypothesis.recorded", "inc-1", hypothesis("'refines':'inc-1'"),
            OPL_E_INVALID, "/body/refines");
    (void)story_write(story, "helper", "hypothesis.recorded", "inc-1",
                      hypothesis("'refines':'hyp-1'"));
}

static void evidence_that_was_never_attached_is_refused(void **state)
{
    struct story *story = *state;
    struct opl_err err = {0};

    assert_false(story_try(story, "bob", "reproduction.recorded", "hyp-1",
                           reproduction(story_blob(story, "stored, not attached")), &err));
    assert_int_equal(err.code, OPL_E_INVALID);
    assert_string_equal(err.field, "/body/evidence/0");
    assert_string_equal(err.hint, "opledger evidence attach hyp-1 FILE");
}

static void evidence_is_found_on_the_incident_and_on_its_other_hypotheses(void **state)
{
    struct story *story = *state;
    const char *on_incident = story_evidence(story, "bob", "inc-1", "a");
    const char *on_other = story_evidence(story, "bob", "hyp-2", "b");

    (void)story_write(story, "bob", "reproduction.recorded", "hyp-1", reproduction(on_incident));
    (void)story_write(story, "bob", "reproduction.recorded", "hyp-1", reproduction(on_other));
    (void)story_write(story, "helper", "hypothesis.recorded", "inc-1",
                      story_body("{'claim':'x','model':{'provider':'openai','name':'gpt-5'},"
                                 "'prompt_unavailable':'x','evidence':['%s']}",
                                 on_other));
}

static void evidence_of_another_incident_is_out_of_reach(void **state)
{
    struct story *story = *state;
    const char *digest;

    (void)story_incident(story, "alice");
    digest = story_evidence(story, "bob", "inc-2", "elsewhere");
    REFUSED(story, "bob", "reproduction.recorded", "hyp-1", reproduction(digest), OPL_E_INVALID,
            "/body/evidence/0");
}

static void empty_or_withdrawn_evidence_does_not_serve(void **state)
{
    struct story *story = *state;
    const char *empty = story_evidence(story, "bob", "hyp-1", ""), *gone;

    REFUSED(story, "bob", "reproduction.recorded", "hyp-1", reproduction(empty), OPL_E_INVALID,
            "/body/evidence/0");
    gone = story_evidence(story, "bob", "hyp-1", "wrong host");
    (void)story_write(story, "bob", "fact.withdrawn", "hyp-1",
                      story_body("{'fact':%d,'reason':'x'}", (int)story->seq - 1));
    REFUSED(story, "bob", "reproduction.recorded", "hyp-1", reproduction(gone), OPL_E_INVALID,
            "/body/evidence/0");
}

static json_t *testrun(const char *digest)
{
    return story_body("{'host':'testbox','manifest':'sha256:%064d','outcome':'passed',"
                      "'evidence':['%s']}",
                      1, digest);
}

static void a_change_reaches_the_incidents_of_its_hypotheses(void **state)
{
    struct story *story = *state;
    const char *own, *inherited = story_evidence(story, "bob", "hyp-2", "b"), *foreign;

    (void)story_change(story, "alice", NULL, "hyp-1");
    own = story_evidence(story, "bob", "chg-1", "c");
    (void)story_write(story, "bob", "testrun.recorded", "chg-1", testrun(own));
    (void)story_write(story, "bob", "testrun.recorded", "chg-1", testrun(inherited));
    (void)story_incident(story, "alice");
    foreign = story_evidence(story, "bob", "inc-2", "d");
    REFUSED(story, "bob", "testrun.recorded", "chg-1", testrun(foreign), OPL_E_INVALID,
            "/body/evidence/0");
}

static void the_second_of_two_digests_is_named_when_it_is_the_bad_one(void **state)
{
    struct story *story = *state;
    const char *good = story_evidence(story, "bob", "hyp-1", "a");

    REFUSED(story, "bob", "reproduction.recorded", "hyp-1",
            story_body("{'where':'x','outcome':'reproduced','evidence':['%s','sha256:%064d']}",
                       good, 1),
            OPL_E_INVALID, "/body/evidence/1");
}

#define T(name) cmocka_unit_test_setup_teardown(name, start, stop)

static const struct CMUnitTest tests[] = {
    T(each_id_names_a_subject_that_exists),
    T(evidence_that_was_never_attached_is_refused),
    T(evidence_is_found_on_the_incident_and_on_its_other_hypotheses),
    T(evidence_of_another_incident_is_out_of_reach),
    T(empty_or_withdrawn_evidence_does_not_serve),
    T(a_change_reaches_the_incidents_of_its_hypotheses),
    T(the_second_of_two_digests_is_named_when_it_is_the_bad_one),
};

UNIT_MAIN(tests)

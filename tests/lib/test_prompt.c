/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include <opledger/hypothesis.h>

#include "story.h"

static int start(void **state)
{
    struct story *story = story_begin();

    (void)story_incident(story, "alice");
    (void)story_hypothesis(story, "helper", "inc-1");
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

static bool accounted(struct story *story, const char *hyp)
{
    const struct opl_fold *fold = fold_of(story, hyp);
    bool yes = false;

    assert_ok(opl_prompt_accounted(story->world, fold, opl_fold_creation(fold), &yes, err));
    return yes;
}

static void egress(struct story *story, const char *on, const char *outcome)
{
    (void)story_force(story, "alice", "egress.recorded", on,
                      story_body("{'destination':'d','model':{'provider':'openai','name':'gpt-5'},"
                                 "'rules':'sha256:%064d','sent_sha256':'%064d',"
                                 "'manifest_sha256':'%064d','bytes':1,'hits':{},'unscannable':0,"
                                 "'outcome':'%s'}",
                                 1, 3, 2, outcome));
}

static void a_prompt_is_accounted_for_by_an_egress_that_was_sent(void **state)
{
    struct story *story = *state;

    assert_false(accounted(story, "hyp-1"));
    egress(story, "inc-1", "refused");
    assert_false(accounted(story, "hyp-1"));
    egress(story, "inc-1", "sent");
    assert_true(accounted(story, "hyp-1"));
}

static void an_unavailable_prompt_is_unaccounted(void **state)
{
    struct story *story = *state;

    egress(story, "inc-1", "sent");
    (void)story_write(story, "helper", "hypothesis.recorded", "inc-1",
                      story_body("{'claim':'x','model':{'provider':'openai','name':'gpt-5'},"
                                 "'prompt_unavailable':'lost'}"));
    assert_false(accounted(story, "hyp-2"));
}

static void an_egress_on_the_hypothesis_itself_counts_too(void **state)
{
    struct story *story = *state;

    egress(story, "hyp-1", "sent");
    assert_true(accounted(story, "hyp-1"));
}

static void an_egress_of_another_incident_does_not_account(void **state)
{
    struct story *story = *state;

    (void)story_incident(story, "alice");
    egress(story, "inc-2", "sent");
    assert_false(accounted(story, "hyp-1"));
}

static void naming_the_egresses_whose_text_it_contained_accounts(void **state)
{
    struct story *story = *state;

    egress(story, "inc-1", "sent");
    (void)story_write(story, "helper", "hypothesis.recorded", "inc-1",
                      story_body("{'claim':'x','model':{'provider':'openai','name':'gpt-5'},"
                                 "'prompt_sha256':'%064d','egress':['egr-1']}",
                                 8));
    assert_true(accounted(story, "hyp-2"));
}

static void named(struct story *story, const char *egress)
{
    (void)story_force(story, "helper", "hypothesis.recorded", "inc-1",
                      story_body("{'claim':'x','model':{'provider':'openai','name':'gpt-5'},"
                                 "'prompt_sha256':'%064d','egress':[%s]}",
                                 8, egress));
}

static void a_named_egress_of_another_incident_does_not_account(void **state)
{
    struct story *story = *state;

    (void)story_incident(story, "alice");
    egress(story, "inc-2", "sent");
    egress(story, "hyp-1", "sent");
    named(story, "'egr-1'");
    assert_false(accounted(story, "hyp-2"));
    named(story, "'egr-2','egr-1'"); /* one that does not account spoils the others */
    assert_false(accounted(story, "hyp-3"));
    named(story, "'egr-2'");
    assert_true(accounted(story, "hyp-4"));
}

static void a_named_egress_that_was_not_sent_does_not_account(void **state)
{
    struct story *story = *state;

    egress(story, "inc-1", "refused");
    named(story, "'egr-1'");
    assert_false(accounted(story, "hyp-2"));
}

#define T(name) cmocka_unit_test_setup_teardown(name, start, stop)

static const struct CMUnitTest tests[] = {
    T(a_prompt_is_accounted_for_by_an_egress_that_was_sent),
    T(an_unavailable_prompt_is_unaccounted),
    T(an_egress_on_the_hypothesis_itself_counts_too),
    T(an_egress_of_another_incident_does_not_account),
    T(naming_the_egresses_whose_text_it_contained_accounts),
    T(a_named_egress_of_another_incident_does_not_account),
    T(a_named_egress_that_was_not_sent_does_not_account),
};

UNIT_MAIN(tests)

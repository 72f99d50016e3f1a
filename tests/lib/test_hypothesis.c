/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include <opledger/hypothesis.h>

#include "story.h"

static const struct opl_hyp_view anyone = {.positive_below = UINT64_MAX};

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

static struct opl_hyp_result weigh(struct story *story, const char *hyp,
                                   const struct opl_hyp_view *view)
{
    struct opl_hyp_result result;

    assert_ok(opl_hypothesis_status(story->world, fold_of(story, hyp), view, &result, err));
    return result;
}

static void assert_status(struct story *story, const char *hyp, enum opl_hyp_status status)
{
    assert_string_equal(opl_hyp_status_name(weigh(story, hyp, &anyone).status),
                        opl_hyp_status_name(status));
}

/* A refinement of hyp-1, or of another. */
static void refine(struct story *story, const char *of)
{
    (void)story_write(story, "helper", "hypothesis.recorded", "inc-1",
                      story_body("{'claim':'finer','model':{'provider':'openai','name':'gpt-5'},"
                                 "'prompt_unavailable':'lost','refines':'%s'}",
                                 of));
}

static void a_fresh_hypothesis_is_unconfirmed(void **state)
{
    assert_status(*state, "hyp-1", OPL_HYP_UNCONFIRMED);
}

static void asking_the_vendor_shows_asked(void **state)
{
    (void)story_vendor(*state, "alice", "hyp-1", "asked", NULL);
    assert_status(*state, "hyp-1", OPL_HYP_ASKED);
}

static void a_confirmation_with_evidence_counts(void **state)
{
    struct story *story = *state;
    const char *mail = story_evidence(story, "bob", "hyp-1", "we confirm");
    uint64_t seq = story_vendor(story, "bob", "hyp-1", "confirmed", mail);
    struct opl_hyp_result result = weigh(story, "hyp-1", &anyone);

    assert_int_equal(result.status, OPL_HYP_VENDOR_CONFIRMED);
    assert_true(result.vendor_confirmed);
    assert_int_equal(result.confirmed_by.count, 1);
    assert_int_equal(result.confirmed_by.seq[0], seq);
    assert_int_equal(result.confirmed_at, opl_fold_fact(fold_of(story, "hyp-1"), seq)->at);
}

static void a_confirmation_without_evidence_does_not_count(void **state)
{
    uint64_t seq = story_vendor(*state, "bob", "hyp-1", "confirmed", NULL);
    struct opl_hyp_result result = weigh(*state, "hyp-1", &anyone);

    assert_int_equal(result.status, OPL_HYP_UNCONFIRMED);
    assert_int_equal(result.not_counted.seq[0], seq);
}

static void withdrawn_evidence_takes_the_confirmation_with_it(void **state)
{
    struct story *story = *state;
    const char *mail = story_evidence(story, "bob", "hyp-1", "we confirm");
    uint64_t evidence = story->seq - 1;

    (void)story_vendor(story, "bob", "hyp-1", "confirmed", mail);
    (void)story_write(story, "bob", "fact.withdrawn", "hyp-1",
                      story_body("{'fact':%d,'reason':'forged'}", (int)evidence));
    assert_status(story, "hyp-1", OPL_HYP_UNCONFIRMED);
}

static void the_proposers_own_fact_needs_a_second_person(void **state)
{
    struct story *story = *state;
    const struct opl_hyp_view view = {.proposer = "alice", .positive_below = UINT64_MAX};
    const char *mail = story_evidence(story, "alice", "hyp-1", "we confirm");
    uint64_t seq = story_vendor(story, "alice", "hyp-1", "confirmed", mail);

    assert_int_equal(weigh(story, "hyp-1", &view).status, OPL_HYP_UNCONFIRMED);
    (void)story_confirm(story, "bob", "hyp-1", seq);
    assert_int_equal(weigh(story, "hyp-1", &view).status, OPL_HYP_VENDOR_CONFIRMED);
}

static void persons_are_compared_and_not_principals(void **state)
{
    struct story *story = *state;
    const struct opl_hyp_view view = {.proposer = "alice", .positive_below = UINT64_MAX};
    const char *log = story_evidence(story, "importer", "hyp-1", "same waits");

    (void)story_reproduction(story, "importer", "hyp-1", "reproduced", log);
    assert_int_equal(weigh(story, "hyp-1", &view).status, OPL_HYP_UNCONFIRMED);
    assert_status(story, "hyp-1", OPL_HYP_REPRODUCED);
}

static void a_confirmation_by_the_proposer_adds_nothing(void **state)
{
    struct story *story = *state;
    const struct opl_hyp_view view = {
        .proposer = "bob", .positive_below = UINT64_MAX, .signed_by = "key"};
    const char *mail = story_evidence(story, "alice", "hyp-1", "we confirm");
    uint64_t seq = story_vendor(story, "alice", "hyp-1", "confirmed", mail);

    (void)story_confirm(story, "bob", "hyp-1", seq);
    assert_int_equal(weigh(story, "hyp-1", &view).status, OPL_HYP_UNCONFIRMED);
    (void)story_confirm(story, "carol", "hyp-1", seq);
    assert_int_equal(weigh(story, "hyp-1", &view).status, OPL_HYP_VENDOR_CONFIRMED);
}

static void a_confirmation_by_a_revoked_key_adds_nothing(void **state)
{
    struct story *story = *state;
    const struct opl_hyp_view view = {.proposer = "alice", .positive_below = UINT64_MAX};
    const char *mail = story_evidence(story, "alice", "hyp-1", "we confirm");
    uint64_t seq = story_vendor(story, "alice", "hyp-1", "confirmed", mail);
    char fingerprint[OPL_FINGERPRINT_SIZE];

    (void)story_confirm(story, "bob", "hyp-1", seq);
    story_fingerprint("bob", fingerprint);
    (void)story_force(
        story, "bob", "key.revoked", NULL,
        story_body("{'principal':'bob','fingerprint':'%s','reason':'lost'}", fingerprint));
    assert_int_equal(weigh(story, "hyp-1", &view).status, OPL_HYP_UNCONFIRMED);
}

static void a_confirmation_that_was_forced_in_unsigned_adds_nothing(void **state)
{
    struct story *story = *state;
    const struct opl_hyp_view view = {.proposer = "alice", .positive_below = UINT64_MAX};
    const char *mail = story_evidence(story, "alice", "hyp-1", "we confirm");
    uint64_t seq = story_vendor(story, "alice", "hyp-1", "confirmed", mail);
    json_t *body =
        story_sign(story, &(struct story_statement){.type = "opledger/confirmation",
                                                    .signer = "bob",
                                                    .about = story_body("{'fact':%d}", (int)seq),
                                                    .key = "mallory"});

    json_object_set_new(body, "fact", json_integer((json_int_t)seq));
    (void)story_force(story, "bob", "confirmation.signed", "hyp-1", body);
    assert_int_equal(weigh(story, "hyp-1", &view).status, OPL_HYP_UNCONFIRMED);
}

static void touch_is_never_shown_by_a_software_key(void **state)
{
    struct story *story = *state;
    const struct opl_hyp_view view = {.positive_below = UINT64_MAX, .signed_by = "touch"};
    const char *mail = story_evidence(story, "alice", "hyp-1", "we confirm");
    uint64_t seq = story_vendor(story, "alice", "hyp-1", "confirmed", mail);

    (void)story_confirm(story, "bob", "hyp-1", seq);
    assert_int_equal(weigh(story, "hyp-1", &view).status, OPL_HYP_UNCONFIRMED);
}

static void positive_facts_past_what_the_signer_saw_do_not_count(void **state)
{
    struct story *story = *state;
    const char *mail = story_evidence(story, "bob", "hyp-1", "we confirm");
    uint64_t seq = story_vendor(story, "bob", "hyp-1", "confirmed", mail);
    struct opl_hyp_view view = {.positive_below = seq};

    assert_int_equal(weigh(story, "hyp-1", &view).status, OPL_HYP_UNCONFIRMED);
    view.positive_below = seq + 1;
    assert_int_equal(weigh(story, "hyp-1", &view).status, OPL_HYP_VENDOR_CONFIRMED);
}

static void asking_again_does_not_cancel_a_confirmation(void **state)
{
    struct story *story = *state;
    const char *mail = story_evidence(story, "bob", "hyp-1", "we confirm");

    (void)story_vendor(story, "bob", "hyp-1", "confirmed", mail);
    (void)story_vendor(story, "alice", "hyp-1", "asked", NULL);
    (void)story_vendor(story, "alice", "hyp-1", "acknowledged", NULL);
    assert_status(story, "hyp-1", OPL_HYP_VENDOR_CONFIRMED);
}

static void a_withdrawal_by_the_vendor_cancels_earlier_confirmations_only(void **state)
{
    struct story *story = *state;
    const char *mail = story_evidence(story, "bob", "hyp-1", "we confirm");

    (void)story_vendor(story, "bob", "hyp-1", "confirmed", mail);
    (void)story_vendor(story, "alice", "hyp-1", "withdrawn", NULL);
    assert_status(story, "hyp-1", OPL_HYP_UNCONFIRMED);
    (void)story_vendor(story, "bob", "hyp-1", "confirmed", mail);
    assert_status(story, "hyp-1", OPL_HYP_VENDOR_CONFIRMED);
}

static void a_rejection_blocks_until_two_people_stand_for_a_later_confirmation(void **state)
{
    struct story *story = *state;
    const char *mail = story_evidence(story, "bob", "hyp-1", "we confirm");
    uint64_t seq;

    (void)story_vendor(story, "bob", "hyp-1", "confirmed", mail);
    (void)story_vendor(story, "alice", "hyp-1", "rejected", NULL);
    assert_status(story, "hyp-1", OPL_HYP_REFUTED);
    seq = story_vendor(story, "bob", "hyp-1", "confirmed", mail);
    assert_status(story, "hyp-1", OPL_HYP_REFUTED);
    (void)story_confirm(story, "carol", "hyp-1", seq);
    assert_status(story, "hyp-1", OPL_HYP_VENDOR_CONFIRMED);
    (void)story_vendor(story, "alice", "hyp-1", "withdrawn", NULL);
    assert_status(story, "hyp-1", OPL_HYP_REFUTED);
}

static void a_failed_reproduction_contests_and_a_contradiction_refutes(void **state)
{
    struct story *story = *state;
    const char *log = story_evidence(story, "bob", "hyp-1", "nothing seen");

    (void)story_reproduction(story, "bob", "hyp-1", "reproduced", log);
    (void)story_reproduction(story, "carol", "hyp-1", "not-reproduced", log);
    assert_status(story, "hyp-1", OPL_HYP_CONTESTED);
    (void)story_reproduction(story, "carol", "hyp-1", "contradicted", log);
    assert_status(story, "hyp-1", OPL_HYP_REFUTED);
    assert_false(weigh(story, "hyp-1", &anyone).reproduced);
}

static void each_way_of_closing_blocks_under_its_own_name(void **state)
{
    static const struct {
        const char *how;
        enum opl_hyp_status status;
    } rows[] = {
        {"withdrawn",    OPL_HYP_WITHDRAWN   },
        {"superseded",   OPL_HYP_SUPERSEDED  },
        {"refuted",      OPL_HYP_REFUTED     },
        {"inconclusive", OPL_HYP_INCONCLUSIVE},
    };
    struct story *story = *state;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        (void)story_hypothesis(story, "helper", "inc-1");
        (void)story_close(story, story->last_id, rows[i].how, NULL);
    }
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char id[OPL_ID_SIZE];

        opl_id_format(OPL_ID_HYP, i + 2, id);
        assert_status(story, id, rows[i].status);
        assert_true(opl_hyp_status_blocks(rows[i].status));
    }
}

static void what_comes_first_in_precedence_is_shown(void **state)
{
    struct story *story = *state;
    const char *log = story_evidence(story, "bob", "hyp-1", "nothing seen");

    (void)story_reproduction(story, "carol", "hyp-1", "contradicted", log);
    (void)story_close(story, "hyp-1", "withdrawn", NULL);
    assert_status(story, "hyp-1", OPL_HYP_WITHDRAWN);
    assert_int_equal(weigh(story, "hyp-1", &anyone).against.count, 2);
}

static void a_refinement_inherits_what_blocks(void **state)
{
    struct story *story = *state;

    (void)story_vendor(story, "alice", "hyp-1", "rejected", NULL);
    refine(story, "hyp-1");
    refine(story, "hyp-2");
    assert_status(story, "hyp-2", OPL_HYP_REFUTED);
    assert_status(story, "hyp-3", OPL_HYP_REFUTED);
}

static void a_block_that_comes_after_the_refinement_reaches_it_too(void **state)
{
    struct story *story = *state;
    const char *log;

    refine(story, "hyp-1");
    log = story_evidence(story, "bob", "hyp-2", "same waits");
    (void)story_reproduction(story, "bob", "hyp-2", "reproduced", log);
    assert_status(story, "hyp-2", OPL_HYP_REPRODUCED);
    (void)story_reproduction(story, "carol", "hyp-1", "contradicted", log);
    assert_status(story, "hyp-2", OPL_HYP_REFUTED);
}

static void an_inherited_block_is_answered_by_two_people_on_the_refinement(void **state)
{
    struct story *story = *state;
    const char *log;
    uint64_t seq;

    (void)story_vendor(story, "alice", "hyp-1", "rejected", NULL);
    refine(story, "hyp-1");
    refine(story, "hyp-2");
    log = story_evidence(story, "bob", "hyp-2", "same waits");
    seq = story_reproduction(story, "bob", "hyp-2", "reproduced", log);
    assert_status(story, "hyp-2", OPL_HYP_REFUTED);
    (void)story_confirm(story, "carol", "hyp-2", seq);
    assert_status(story, "hyp-2", OPL_HYP_REPRODUCED);
    assert_status(story, "hyp-3", OPL_HYP_UNCONFIRMED);
    assert_status(story, "hyp-1", OPL_HYP_REFUTED);
}

static void giving_way_is_nothing_against_the_successor(void **state)
{
    struct story *story = *state;

    (void)story_hypothesis(story, "helper", "inc-1");
    (void)story_close(story, "hyp-1", "superseded", "hyp-2");
    assert_status(story, "hyp-1", OPL_HYP_SUPERSEDED);
    assert_status(story, "hyp-2", OPL_HYP_UNCONFIRMED);
    refine(story, "hyp-1");
    assert_status(story, "hyp-3", OPL_HYP_SUPERSEDED);
}

static void a_replacement_inherits_what_stood_against_the_one_it_replaces(void **state)
{
    struct story *story = *state;

    (void)story_vendor(story, "alice", "hyp-1", "rejected", NULL);
    (void)story_hypothesis(story, "helper", "inc-1");
    (void)story_close(story, "hyp-1", "superseded", "hyp-2");
    assert_status(story, "hyp-2", OPL_HYP_REFUTED);
}

static void a_forgotten_closing_no_longer_says_what_it_replaced(void **state)
{
    const struct opl_hyp_view held = {.positive_below = UINT64_MAX, .held_only = true};
    struct story *story = *state;

    (void)story_vendor(story, "alice", "hyp-1", "rejected", NULL);
    (void)story_hypothesis(story, "helper", "inc-1");
    (void)story_close(story, "hyp-1", "superseded", "hyp-2");
    assert_int_equal(weigh(story, "hyp-2", &held).status, OPL_HYP_REFUTED);
    opl_world_forget(story->world, "hyp-1");
    assert_int_equal(weigh(story, "hyp-2", &held).status, OPL_HYP_UNCONFIRMED);
}

static void hypotheses_that_replace_each_other_are_decided(void **state)
{
    struct story *story = *state;

    (void)story_hypothesis(story, "helper", "inc-1");
    (void)story_close(story, "hyp-1", "superseded", "hyp-2");
    (void)story_close(story, "hyp-2", "superseded", "hyp-1");
    assert_status(story, "hyp-1", OPL_HYP_SUPERSEDED);
    assert_status(story, "hyp-2", OPL_HYP_SUPERSEDED);
}

static void a_ladder_of_refinements_and_replacements_is_decided(void **state)
{
    struct story *story = *state;
    char id[OPL_ID_SIZE], next[OPL_ID_SIZE];

    (void)story_vendor(story, "alice", "hyp-1", "rejected", NULL);
    for (uint64_t i = 1; i <= 60; i++) {
        opl_id_format(OPL_ID_HYP, i, id);
        opl_id_format(OPL_ID_HYP, i + 1, next);
        refine(story, id);
        (void)story_close(story, id, "superseded", next);
    }
    assert_status(story, next, OPL_HYP_REFUTED);
}

static void verdicts_are_never_averaged_into_the_status(void **state)
{
    struct story *story = *state;
    uint64_t seq = story_write(story, "second", "verdict.recorded", "hyp-1",
                               story_body("{'model':{'provider':'anthropic','name':"
                                          "'claude-opus-4'},'mode':'blind','verdict':'disagrees',"
                                          "'rationale':'no','prompt_unavailable':'lost',"
                                          "'evidence':[]}"));

    assert_status(story, "hyp-1", OPL_HYP_UNCONFIRMED);
    assert_int_equal(weigh(story, "hyp-1", &anyone).against.seq[0], seq);
}

static void negatives_by_an_agent_are_shown_and_do_not_block(void **state)
{
    struct story *story = *state;
    uint64_t seq = story_force(story, "second", "reproduction.recorded", "hyp-1",
                               story_body("{'where':'x','outcome':'contradicted','evidence':[]}"));

    assert_status(story, "hyp-1", OPL_HYP_UNCONFIRMED);
    assert_int_equal(weigh(story, "hyp-1", &anyone).against.seq[0], seq);
}

#define T(name) cmocka_unit_test_setup_teardown(name, start, stop)

static const struct CMUnitTest tests[] = {
    T(a_fresh_hypothesis_is_unconfirmed),
    T(asking_the_vendor_shows_asked),
    T(a_confirmation_with_evidence_counts),
    T(a_confirmation_without_evidence_does_not_count),
    T(withdrawn_evidence_takes_the_confirmation_with_it),
    T(the_proposers_own_fact_needs_a_second_person),
    T(persons_are_compared_and_not_principals),
    T(a_confirmation_by_the_proposer_adds_nothing),
    T(a_confirmation_by_a_revoked_key_adds_nothing),
    T(a_confirmation_that_was_forced_in_unsigned_adds_nothing),
    T(touch_is_never_shown_by_a_software_key),
    T(positive_facts_past_what_the_signer_saw_do_not_count),
    T(asking_again_does_not_cancel_a_confirmation),
    T(a_withdrawal_by_the_vendor_cancels_earlier_confirmations_only),
    T(a_rejection_blocks_until_two_people_stand_for_a_later_confirmation),
    T(a_failed_reproduction_contests_and_a_contradiction_refutes),
    T(each_way_of_closing_blocks_under_its_own_name),
    T(what_comes_first_in_precedence_is_shown),
    T(a_refinement_inherits_what_blocks),
    T(a_block_that_comes_after_the_refinement_reaches_it_too),
    T(an_inherited_block_is_answered_by_two_people_on_the_refinement),
    T(giving_way_is_nothing_against_the_successor),
    T(a_replacement_inherits_what_stood_against_the_one_it_replaces),
    T(a_forgotten_closing_no_longer_says_what_it_replaced),
    T(hypotheses_that_replace_each_other_are_decided),
    T(a_ladder_of_refinements_and_replacements_is_decided),
    T(verdicts_are_never_averaged_into_the_status),
    T(negatives_by_an_agent_are_shown_and_do_not_block),
};

UNIT_MAIN(tests)

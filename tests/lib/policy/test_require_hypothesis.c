/* SPDX-License-Identifier: Apache-2.0 */
#include "play.h"

#define AGED "  - hypothesis: {status: [vendor-confirmed, reproduced], max-age: 30d}\n"
#define REPRODUCED "  - hypothesis: {status: [reproduced]}\n"
#define NONE "  - hypothesis: {status: [vendor-confirmed, none]}\n"
#define NEXT_VENDOR "opledger vendor update hyp-1 --vendor V --state confirmed --evidence F"

static void check(const char *require, const char *told, enum opl_requirement_status status,
                  const char *detail, const char *next)
{
    check_row(require, told, "hypothesis", status, detail, next);
}

static void a_vendor_confirmation_by_another_person_satisfies(void **state)
{
    struct play *play = play_judged(PLAY_HYPOTHESIS, "facts: [vendor-asked, vendor-confirmed]");

    (void)state;
    assert_row(play, "hypothesis", OPL_SATISFIED, "hyp-1 is vendor-confirmed", "");
    assert_int_equal(play_row(play, "hypothesis")->for_.count, 1);
    play_close(play);
}

static void a_reproduction_satisfies(void **state)
{
    (void)state;
    check(PLAY_HYPOTHESIS, "facts: [reproduced]", OPL_SATISFIED, "hyp-1 is reproduced", "");
}

static void what_nobody_confirmed_names_the_next_command(void **state)
{
    (void)state;
    check(PLAY_HYPOTHESIS, "facts: [verdict-agrees]", OPL_UNSATISFIED, "hyp-1 is unconfirmed",
          NEXT_VENDOR);
    check(PLAY_HYPOTHESIS, "facts: [vendor-asked]", OPL_UNSATISFIED, "hyp-1 is asked", NEXT_VENDOR);
    check(REPRODUCED, "facts: [vendor-asked]", OPL_UNSATISFIED, "hyp-1 is asked",
          "opledger reproduction record hyp-1 --where H --outcome reproduced --evidence F");
}

static void a_status_that_the_policy_does_not_list_does_not_satisfy(void **state)
{
    (void)state;
    check(REPRODUCED, "facts: [vendor-confirmed]", OPL_UNSATISFIED, "hyp-1 is vendor-confirmed",
          NULL);
}

static void the_proposer_alone_needs_a_second_person(void **state)
{
    struct play *play = play_judged(PLAY_HYPOTHESIS, "facts: [vendor-confirmed-by-proposer]");
    uint64_t seq = play->situation.scene.size - 1;
    char next[64];

    (void)state;
    (void)snprintf(next, sizeof next, "opledger confirm hyp-1 %llu", (unsigned long long)seq);
    assert_row(play, "hypothesis", OPL_UNSATISFIED, "without evidence or a second person:", next);
    play_close(play);
}

static void a_confirmation_without_evidence_is_not_there_to_be_confirmed(void **state)
{
    (void)state;
    check(PLAY_HYPOTHESIS, "facts: [vendor-confirmed-without-evidence]", OPL_UNSATISFIED,
          "without evidence", NEXT_VENDOR);
}

static void what_blocks_comes_before_what_confirms(void **state)
{
    const char *next = "opledger hypothesis show hyp-1";

    (void)state;
    check(PLAY_HYPOTHESIS, "facts: [vendor-confirmed, not-reproduced]", OPL_UNSATISFIED,
          "hyp-1 is contested", next);
    check(PLAY_HYPOTHESIS, "facts: [vendor-confirmed, contradicted]", OPL_UNSATISFIED,
          "hyp-1 is refuted", next);
    check(PLAY_HYPOTHESIS, "facts: [reproduced, vendor-rejected]", OPL_UNSATISFIED,
          "hyp-1 is refuted", next);
    check(PLAY_HYPOTHESIS, "facts: [reproduced, closed-inconclusive]", OPL_UNSATISFIED,
          "hyp-1 is inconclusive", next);
    check(PLAY_HYPOTHESIS, "facts: [reproduced, closed-refuted]", OPL_UNSATISFIED,
          "hyp-1 is refuted", next);
}

static void a_withdrawn_confirmation_leaves_the_reproduction(void **state)
{
    (void)state;
    check(PLAY_HYPOTHESIS, "facts: [vendor-confirmed, vendor-withdrawn]", OPL_UNSATISFIED, "hyp-1",
          NULL);
    check(PLAY_HYPOTHESIS, "facts: [vendor-confirmed, reproduced, vendor-withdrawn]", OPL_SATISFIED,
          "hyp-1 is reproduced", "");
}

static void facts_older_than_the_policy_allows_do_not_count(void **state)
{
    (void)state;
    check(AGED, "facts: [vendor-confirmed, wait 29d]", OPL_SATISFIED, "hyp-1", "");
    check(AGED, "facts: [vendor-confirmed, wait 31d]", OPL_UNSATISFIED, "not so long ago",
          NEXT_VENDOR);
    check(AGED, "facts: [vendor-confirmed, wait 31d, vendor-confirmed]", OPL_SATISFIED, "hyp-1",
          "");
}

static void age_is_judged_of_the_statuses_that_are_listed(void **state)
{
    (void)state;
    check("  - hypothesis: {status: [vendor-confirmed], max-age: 30d}\n",
          "facts: [vendor-confirmed, wait 31d, reproduced]", OPL_UNSATISFIED, "hyp-1", NEXT_VENDOR);
}

static void a_change_on_no_hypothesis_needs_a_policy_that_lists_none(void **state)
{
    (void)state;
    check(PLAY_HYPOTHESIS, "hypothesis: none", OPL_UNSATISFIED, "rests on no hypothesis",
          "opledger change revise chg-1 --hypothesis HYP");
    check(NONE, "hypothesis: none", OPL_SATISFIED, "which this policy allows", "");
}

static void none_does_not_excuse_a_hypothesis_that_is_named(void **state)
{
    (void)state;
    check(NONE, "facts: [vendor-asked]", OPL_UNSATISFIED, "hyp-1 is asked", NEXT_VENDOR);
}

/* A second hypothesis of the incident, told by hand. */
static void tell_other(struct play *play)
{
    assert_ok(scene_tell(&play->situation.scene, "bob", "hypothesis.recorded", "inc-1",
                         "{'claim':{'sealed':'$1'},'model':{'provider':'first','name':'guesser'},"
                         "'prompt_unavailable':{'sealed':'$1'}}",
                         err));
}

static void every_hypothesis_of_the_change_must_hold(void **state)
{
    struct play *play = play_open(PLAY_HYPOTHESIS, "facts: [vendor-confirmed]");
    struct scene *scene = &play->situation.scene;
    char manifest[72];

    (void)state;
    tell_other(play);
    assert_ok(scene_manifest(scene, "engaging/slurm", "/etc/slurm/x", manifest, err));
    assert_ok(scene_add(scene, "alice", "change.revised", "chg-1",
                        json_pack("{s:s, s:i, s:[s, s]}", "manifest", manifest, "files", 1,
                                  "hypotheses", "hyp-1", "hyp-2"),
                        err));
    play_judge(play);
    assert_row(play, "hypothesis", OPL_UNSATISFIED,
               "hyp-1 is vendor-confirmed; hyp-2 is unconfirmed, this policy asks for "
               "vendor-confirmed or reproduced",
               "opledger vendor update hyp-2 --vendor V --state confirmed --evidence F");
    play_close(play);
}

static void refuted_hypotheses_that_the_change_leaves_out_are_shown(void **state)
{
    struct play *play = play_open(PLAY_HYPOTHESIS, "facts: [vendor-confirmed]");

    (void)state;
    tell_other(play);
    assert_ok(scene_tell(&play->situation.scene, "bob", "hypothesis.closed", "hyp-2",
                         "{'how':'refuted','reason':{'sealed':'$1'}}", err));
    play_judge(play);
    assert_row(play, "hypothesis", OPL_SATISFIED, "not named by the change: hyp-2, refuted", "");
    play_close(play);
}

static void a_fact_signed_by_nobody_fails_where_a_key_is_asked(void **state)
{
    (void)state;
    check("  - hypothesis: {status: [vendor-confirmed], signed: key}\n",
          "facts: [vendor-confirmed]", OPL_UNSATISFIED, "hyp-1", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_vendor_confirmation_by_another_person_satisfies),
        cmocka_unit_test(a_reproduction_satisfies),
        cmocka_unit_test(what_nobody_confirmed_names_the_next_command),
        cmocka_unit_test(a_status_that_the_policy_does_not_list_does_not_satisfy),
        cmocka_unit_test(the_proposer_alone_needs_a_second_person),
        cmocka_unit_test(a_confirmation_without_evidence_is_not_there_to_be_confirmed),
        cmocka_unit_test(what_blocks_comes_before_what_confirms),
        cmocka_unit_test(a_withdrawn_confirmation_leaves_the_reproduction),
        cmocka_unit_test(facts_older_than_the_policy_allows_do_not_count),
        cmocka_unit_test(age_is_judged_of_the_statuses_that_are_listed),
        cmocka_unit_test(a_change_on_no_hypothesis_needs_a_policy_that_lists_none),
        cmocka_unit_test(none_does_not_excuse_a_hypothesis_that_is_named),
        cmocka_unit_test(every_hypothesis_of_the_change_must_hold),
        cmocka_unit_test(refuted_hypotheses_that_the_change_leaves_out_are_shown),
        cmocka_unit_test(a_fact_signed_by_nobody_fails_where_a_key_is_asked),
    };

    return cmocka_run_group_tests(tests, unit_start, NULL);
}

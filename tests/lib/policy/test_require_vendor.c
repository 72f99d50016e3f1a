/* SPDX-License-Identifier: Apache-2.0 */
#include "play.h"

#define VENDOR "  - vendor: {}\n"
#define WITHIN "  - vendor: {versions: within}\n"
#define NEXT_UPDATE                                                                                \
    "opledger vendor update hyp-1 --vendor V --state confirmed --versions R --evidence F"

static void check(const char *require, const char *told, enum opl_requirement_status status,
                  const char *detail, const char *next)
{
    check_row(require, told, "vendor", status, detail, next);
}

static void a_confirmation_satisfies(void **state)
{
    (void)state;
    check(VENDOR, "facts: [vendor-confirmed]", OPL_SATISFIED, "hyp-1 is confirmed", "");
}

static void a_reproduction_is_no_word_of_the_vendor(void **state)
{
    (void)state;
    check(VENDOR, "facts: [reproduced]", OPL_UNSATISFIED, "hyp-1 is reproduced", NEXT_UPDATE);
    check(VENDOR, "facts: [vendor-asked]", OPL_UNSATISFIED, "hyp-1 is asked", NEXT_UPDATE);
}

static void the_running_version_must_lie_in_the_confirmed_range(void **state)
{
    (void)state;
    check(WITHIN, "facts: [vendor-confirmed]", OPL_SATISFIED, "hyp-1 is confirmed", "");
    check(WITHIN, "facts: [vendor-confirmed-for-older-versions]", OPL_UNSATISFIED,
          "not for the running version", NEXT_UPDATE);
}

static void one_confirmation_of_several_may_cover_the_version(void **state)
{
    struct play *play =
        play_judged(WITHIN, "facts: [vendor-confirmed-for-older-versions, vendor-confirmed]");

    (void)state;
    assert_row(play, "vendor", OPL_SATISFIED, "hyp-1 is confirmed", "");
    assert_int_equal(play_row(play, "vendor")->for_.count, 1);
    play_close(play);
}

static void a_change_that_names_no_running_version_is_told_to(void **state)
{
    struct play *play = play_open(WITHIN, "facts: [vendor-confirmed]");
    char manifest[72];

    (void)state;
    assert_ok(scene_manifest(&play->situation.scene, "engaging/slurm", "/x", manifest, err));
    assert_ok(scene_add(
        &play->situation.scene, "alice", "change.revised", "chg-1",
        json_pack("{s:s, s:i, s:[s]}", "manifest", manifest, "files", 1, "hypotheses", "hyp-1"),
        err));
    play_judge(play);
    assert_row(play, "vendor", OPL_UNSATISFIED, "names no running version",
               "opledger change revise chg-1 --running-version V");
    play_close(play);
}

static void a_rejection_blocks_what_was_confirmed(void **state)
{
    (void)state;
    check(VENDOR, "facts: [vendor-confirmed, vendor-rejected]", OPL_UNSATISFIED, "refuted", NULL);
    check(VENDOR, "facts: [vendor-confirmed, vendor-withdrawn]", OPL_UNSATISFIED, "hyp-1", NULL);
}

static void the_proposers_word_needs_a_second_person(void **state)
{
    struct play *play = play_judged(VENDOR, "facts: [vendor-confirmed-by-proposer]");

    (void)state;
    assert_row(play, "vendor", OPL_UNSATISFIED, "hyp-1 is unconfirmed", NULL);
    assert_has(play_row(play, "vendor")->next, "opledger confirm hyp-1 ");
    play_close(play);
}

static void no_hypothesis_does_not_count_as_confirmed(void **state)
{
    (void)state;
    check(VENDOR, "hypothesis: none", OPL_UNSATISFIED, "rests on no hypothesis",
          "opledger change revise chg-1 --hypothesis HYP");
    check(VENDOR "  - hypothesis: {status: [none]}\n", "hypothesis: none", OPL_NOT_APPLICABLE,
          "rests on no hypothesis", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_confirmation_satisfies),
        cmocka_unit_test(a_reproduction_is_no_word_of_the_vendor),
        cmocka_unit_test(the_running_version_must_lie_in_the_confirmed_range),
        cmocka_unit_test(one_confirmation_of_several_may_cover_the_version),
        cmocka_unit_test(a_change_that_names_no_running_version_is_told_to),
        cmocka_unit_test(a_rejection_blocks_what_was_confirmed),
        cmocka_unit_test(the_proposers_word_needs_a_second_person),
        cmocka_unit_test(no_hypothesis_does_not_count_as_confirmed),
    };

    return cmocka_run_group_tests(tests, unit_start, NULL);
}

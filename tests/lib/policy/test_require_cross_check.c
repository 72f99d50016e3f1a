/* SPDX-License-Identifier: Apache-2.0 */
#include "play.h"

#define ANY "  - cross-check: {min: 1}\n"
#define TWO "  - cross-check: {min: 2, family: other}\n"
#define NEXT_VERDICT                                                                               \
    "opledger verdict record hyp-1 --model M --mode blind --verdict V --rationale T "              \
    "--prompt-file F --evidence F"

static void check(const char *require, const char *told, enum opl_requirement_status status,
                  const char *detail, const char *next)
{
    check_row(require, told, "cross-check", status, detail, next);
}

/* A verdict by hand: a model as JSON, and its recorder. */
static void tell_verdict(struct play *play, const char *model, const char *verdict)
{
    char body[512];

    (void)snprintf(body, sizeof body,
                   "{'model':%s,'mode':'blind','verdict':'%s','rationale':{'sealed':'$1'},"
                   "'prompt_unavailable':{'sealed':'$1'},'evidence':['$1']}",
                   model, verdict);
    assert_ok(scene_tell(&play->situation.scene, "bob", "verdict.recorded", "hyp-1", body, err));
}

static void check_model(const char *require, const char *model, enum opl_requirement_status status,
                        const char *detail)
{
    struct play *play = play_open(require, "facts: []");

    tell_verdict(play, model, "agrees");
    play_judge(play);
    assert_row(play, "cross-check", status, detail, NULL);
    play_close(play);
}

static void agreeing_and_partly_agreeing_count(void **state)
{
    (void)state;
    check(PLAY_CROSS_CHECK, "facts: [verdict-agrees]", OPL_SATISFIED, "hyp-1 has 1 of 1", "");
    check(PLAY_CROSS_CHECK, "facts: [verdict-partly]", OPL_SATISFIED, "hyp-1 has 1 of 1", "");
}

static void what_the_proposer_recorded_counts_and_is_said(void **state)
{
    (void)state;
    check(PLAY_CROSS_CHECK, "facts: [verdict-by-proposer]", OPL_SATISFIED,
          "recorded by the proposer", "");
}

static void what_another_person_recorded_is_not_said_of_the_proposer(void **state)
{
    struct play *play = play_open(PLAY_CROSS_CHECK, "facts: []");

    (void)state;
    tell_verdict(play, "{'provider':'second','name':'checker'}", "agrees");
    play_judge(play);
    for (size_t i = 0; i < play->result->require_count; i++)
        assert_null(strstr(play->result->require[i].detail, "the proposer"));
    play_close(play);
}

static void nothing_and_inconclusive_do_not(void **state)
{
    (void)state;
    check(PLAY_CROSS_CHECK, "facts: [vendor-asked]", OPL_UNSATISFIED, "hyp-1 has 0 of 1",
          NEXT_VERDICT);
    check(PLAY_CROSS_CHECK, "facts: [verdict-inconclusive]", OPL_UNSATISFIED, "hyp-1 has 0 of 1",
          NEXT_VERDICT);
}

static void each_option_is_a_condition_of_its_own(void **state)
{
    (void)state;
    check(PLAY_CROSS_CHECK, "facts: [verdict-in-review]", OPL_UNSATISFIED, "is not blind",
          NEXT_VERDICT);
    check(PLAY_CROSS_CHECK, "facts: [verdict-by-same-family]", OPL_UNSATISFIED, "same family",
          NEXT_VERDICT);
    check(PLAY_CROSS_CHECK, "facts: [verdict-by-unknown-family]", OPL_UNSATISFIED, "unknown family",
          NEXT_VERDICT);
    check(PLAY_CROSS_CHECK, "facts: [verdict-on-other-evidence]", OPL_UNSATISFIED,
          "saw other evidence", NEXT_VERDICT);
    check(PLAY_CROSS_CHECK, "facts: [verdict-without-evidence]", OPL_UNSATISFIED,
          "saw other evidence", NEXT_VERDICT);
}

static void what_the_policy_does_not_ask_is_not_asked(void **state)
{
    (void)state;
    check(ANY, "facts: [verdict-in-review]", OPL_SATISFIED, "1 of 1", "");
    check(ANY, "facts: [verdict-by-same-family]", OPL_SATISFIED, "1 of 1", "");
    check(ANY, "facts: [verdict-by-unknown-family]", OPL_SATISFIED, "1 of 1", "");
    check(ANY, "facts: [verdict-without-evidence]", OPL_SATISFIED, "1 of 1", "");
}

static void a_model_never_checks_itself(void **state)
{
    (void)state;
    check(ANY, "facts: [verdict-by-same-model]", OPL_UNSATISFIED, "by the model that guessed",
          NEXT_VERDICT);
    check_model(ANY, "{'provider':'first','name':'Guesser','version':'2'}", OPL_UNSATISFIED,
                "by the model that guessed");
    check_model(ANY, "{'provider':'reseller','name':'first/guesser'}", OPL_UNSATISFIED,
                "by the model that guessed");
    check_model(ANY, "{'provider':'second','name':'checker','served':'guesser'}", OPL_UNSATISFIED,
                "by the model that guessed");
}

static void one_family_is_one_voice(void **state)
{
    struct play *play = play_open(TWO, "facts: [verdict-agrees]");

    (void)state;
    tell_verdict(play, "{'provider':'second','name':'checker-large'}", "agrees");
    play_judge(play);
    assert_row(play, "cross-check", OPL_UNSATISFIED, "hyp-1 has 1 of 2", NEXT_VERDICT);
    play_close(play);
}

static void one_standing_disagreement_outweighs_all(void **state)
{
    const char *next = "opledger hypothesis show hyp-1";

    (void)state;
    check(PLAY_CROSS_CHECK, "facts: [verdict-agrees, verdict-disagrees]", OPL_UNSATISFIED,
          "disagrees", next);
    check(PLAY_CROSS_CHECK, "facts: [verdict-agrees, verdict-disagrees-by-agent]", OPL_UNSATISFIED,
          "disagrees", next);
    check(PLAY_CROSS_CHECK, "facts: [verdict-disagrees, verdict-agrees]", OPL_UNSATISFIED,
          "disagrees", next);
}

static void a_withdrawn_verdict_does_not_count(void **state)
{
    struct play *play = play_open(PLAY_CROSS_CHECK, "facts: [verdict-agrees]");
    char body[80];

    (void)state;
    (void)snprintf(body, sizeof body, "{'fact':%llu,'reason':{'sealed':'$1'}}",
                   (unsigned long long)play->situation.scene.size - 1);
    assert_ok(scene_tell(&play->situation.scene, "alice", "fact.withdrawn", "hyp-1", body, err));
    play_judge(play);
    assert_row(play, "cross-check", OPL_UNSATISFIED, "was withdrawn", NEXT_VERDICT);
    play_close(play);
}

static void a_models_policy_that_cannot_be_read_is_an_error(void **state)
{
    static const char broken[] = "families: perhaps\n";
    struct play *play = play_open(PLAY_CROSS_CHECK, "facts: [verdict-agrees]");

    (void)state;
    assert_ok(
        scene_adopt(&play->situation.scene, "models", "models", broken, sizeof broken - 1, err));
    play_judge(play);
    assert_row(play, "cross-check", OPL_ERROR, "cannot be read", "opledger policy adopt FILE");
    assert_int_equal(play->result->outcome, OPL_GATE_DENIED);
    play_close(play);
}

static void no_hypothesis_is_not_cross_checked(void **state)
{
    (void)state;
    check(ANY, "hypothesis: none", OPL_UNSATISFIED, "rests on no hypothesis",
          "opledger change revise chg-1 --hypothesis HYP");
    check(ANY "  - hypothesis: {status: [none]}\n", "hypothesis: none", OPL_NOT_APPLICABLE,
          "rests on no hypothesis", "");
}

/* Told by hand: hyp-2 without evidence, and a change that rests on it. */
static void a_hypothesis_without_evidence_is_to_be_recorded_anew(void **state)
{
    struct play *play = play_open(PLAY_CROSS_CHECK, "facts: [verdict-agrees]");
    struct scene *scene = &play->situation.scene;
    char manifest[72];

    (void)state;
    assert_ok(scene_tell(scene, "bob", "hypothesis.recorded", "inc-1",
                         "{'claim':{'sealed':'$1'},'model':{'provider':'first','name':'guesser'},"
                         "'prompt_unavailable':{'sealed':'$1'}}",
                         err));
    assert_ok(scene_manifest(scene, "engaging/slurm", "/x", manifest, err));
    assert_ok(scene_add(
        scene, "alice", "change.revised", "chg-1",
        json_pack("{s:s, s:i, s:[s]}", "manifest", manifest, "files", 1, "hypotheses", "hyp-2"),
        err));
    play_judge(play);
    assert_row(play, "cross-check", OPL_UNSATISFIED, "hyp-2 has 0 of 1",
               "opledger hypothesis record inc-1 --refines hyp-2 --claim T --model M "
               "--prompt-file F --evidence F");
    play_close(play);
}

static void a_signature_is_asked_where_the_policy_does(void **state)
{
    (void)state;
    check("  - cross-check: {min: 1, signed: key}\n", "facts: [verdict-agrees]", OPL_UNSATISFIED,
          "not signed as this policy asks", NEXT_VERDICT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agreeing_and_partly_agreeing_count),
        cmocka_unit_test(what_the_proposer_recorded_counts_and_is_said),
        cmocka_unit_test(what_another_person_recorded_is_not_said_of_the_proposer),
        cmocka_unit_test(nothing_and_inconclusive_do_not),
        cmocka_unit_test(each_option_is_a_condition_of_its_own),
        cmocka_unit_test(what_the_policy_does_not_ask_is_not_asked),
        cmocka_unit_test(a_model_never_checks_itself),
        cmocka_unit_test(one_family_is_one_voice),
        cmocka_unit_test(one_standing_disagreement_outweighs_all),
        cmocka_unit_test(a_withdrawn_verdict_does_not_count),
        cmocka_unit_test(a_models_policy_that_cannot_be_read_is_an_error),
        cmocka_unit_test(no_hypothesis_is_not_cross_checked),
        cmocka_unit_test(a_hypothesis_without_evidence_is_to_be_recorded_anew),
        cmocka_unit_test(a_signature_is_asked_where_the_policy_does),
    };

    return cmocka_run_group_tests(tests, unit_start, NULL);
}

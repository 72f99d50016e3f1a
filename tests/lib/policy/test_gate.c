/* SPDX-License-Identifier: Apache-2.0 */
#include "play.h"

#include <opledger/encode.h>
#include <opledger/json.h>

#define POLICY PLAY_HYPOTHESIS PLAY_CROSS_CHECK PLAY_APPROVALS
#define ALLOWED "facts: [verdict-partly, vendor-confirmed, approved]"

static void a_change_with_all_it_needs_is_allowed(void **state)
{
    struct play *play = play_judged(POLICY, ALLOWED);

    (void)state;
    assert_int_equal(play->result->outcome, OPL_GATE_ALLOWED);
    assert_int_equal(play->result->require_count, 3);
    assert_string_equal(play->result->change, "chg-1");
    assert_false(play->result->bootstrap_closed);
    play_close(play);
}

static void judge_files(struct play *play, const struct opl_hash *manifest,
                        const struct opl_hash *base)
{
    struct opl_gate_input input = play_input(play);

    input.manifest = manifest;
    input.base = base;
    assert_ok(opl_gate_evaluate(play->situation.scene.world, &input, play->result, err));
}

static void other_files_than_those_of_the_change_are_denied(void **state)
{
    struct play *play = play_judged(POLICY, ALLOWED);
    const struct opl_hash own = play->result->manifest, other = {{9}};

    (void)state;
    judge_files(play, &other, NULL);
    assert_int_equal(play->result->outcome, OPL_GATE_DENIED);
    assert_row(play, "change", OPL_UNSATISFIED, "not those of chg-1: their manifest differs",
               "opledger change revise chg-1 --file TARGET");
    assert_true(opl_hash_equal(&play->result->manifest, &other));
    judge_files(play, &own, NULL);
    assert_int_equal(play->result->outcome, OPL_GATE_ALLOWED);
    play_close(play);
}

static void a_base_that_moved_is_denied(void **state)
{
    struct play *play = play_judged(POLICY, ALLOWED);
    const struct opl_hash own = play->result->base, other = {{9}};

    (void)state;
    judge_files(play, NULL, &other);
    assert_int_equal(play->result->outcome, OPL_GATE_DENIED);
    assert_row(play, "change", OPL_UNSATISFIED, "not the base that chg-1 was made over", NULL);
    judge_files(play, NULL, &own);
    assert_int_equal(play->result->outcome, OPL_GATE_ALLOWED);
    play_close(play);
}

static void a_change_that_no_policy_is_for_is_denied(void **state)
{
    struct play *play = play_judged(POLICY, "class: upgrade, " ALLOWED);

    (void)state;
    assert_int_equal(play->result->outcome, OPL_GATE_DENIED);
    assert_int_equal(play->result->require_count, 1);
    assert_row(play, "change", OPL_UNSATISFIED, "no adopted gate policy applies",
               "opledger policy adopt FILE");
    play_close(play);
}

static void only_a_proposed_change_is_allowed(void **state)
{
    struct play *play = play_open(POLICY, ALLOWED);
    struct scene *scene = &play->situation.scene;

    (void)state;
    assert_ok(
        scene_tell(scene, "bob", "change.started", "chg-1", "{'decision':1,'host':'h'}", err));
    assert_ok(scene_tell(scene, "bob", "change.finished", "chg-1",
                         "{'outcome':'reverted','evidence':[]}", err));
    play_act(play, "approved");
    play_judge(play);
    assert_int_equal(play->result->outcome, OPL_GATE_DENIED);
    assert_row(play, "change", OPL_UNSATISFIED, "chg-1 is reverted: only a proposed change", NULL);
    assert_row(play, "approvals", OPL_SATISFIED, "", NULL);
    play_close(play);
}

static void no_next_step_is_named_for_a_change_that_is_past_them(void **state)
{
    struct play *play = play_open(POLICY, "facts: [approved]");
    struct scene *scene = &play->situation.scene;

    (void)state;
    assert_ok(
        scene_tell(scene, "bob", "change.started", "chg-1", "{'decision':1,'host':'h'}", err));
    assert_ok(scene_tell(scene, "bob", "change.finished", "chg-1",
                         "{'outcome':'applied','evidence':[]}", err));
    play_judge(play);
    assert_row(play, "change", OPL_UNSATISFIED, "chg-1 is applied: only a proposed change",
               "opledger change show chg-1");
    for (size_t i = 1; i < play->result->require_count; i++)
        assert_string_equal(play->result->require[i].next, "");
    play_close(play);
}

static void every_policy_that_applies_must_hold(void **state)
{
    static const char second[] =
        "v: 1\nname: a-second\napplies: {class: [config], path: [\"/nowhere\"]}\n"
        "require: [{vendor: {}}, {window: {}}]\nhold: 1h\n";
    struct play *play = play_open(POLICY, "facts: [verdict-partly, vendor-confirmed]");

    (void)state;
    assert_ok(
        scene_adopt(&play->situation.scene, "gate", "a-second", second, sizeof second - 1, err));
    play_act(play, "approved");
    play_judge(play);
    assert_int_equal(play->result->outcome, OPL_GATE_DENIED);
    assert_int_equal(play->result->require_count, 5);
    assert_string_equal(play->result->require[0].policy, "a-second");
    assert_row(play, "vendor", OPL_SATISFIED, "", "");
    assert_row(play, "window", OPL_ERROR, "", NULL);
    assert_row(play, "approvals", OPL_UNSATISFIED, "signed while window was not met", NULL);
    assert_int_equal(play->result->hold_s, 0);
    play_close(play);
}

static void check_undecided(struct play *play, enum opl_code code)
{
    const struct opl_gate_input input = play_input(play);

    play->result->outcome = OPL_GATE_ALLOWED;
    assert_fails(opl_gate_evaluate(play->situation.scene.world, &input, play->result, err), code);
    assert_int_equal(play->result->outcome, OPL_GATE_DENIED);
}

static void adopt(struct play *play, const char *name, const char *text)
{
    assert_ok(scene_adopt(&play->situation.scene, "gate", name, text, strlen(text), err));
}

static void a_policy_that_cannot_be_read_leaves_it_undecided(void **state)
{
    struct play *play = play_open(POLICY, ALLOWED);

    (void)state;
    adopt(play, "broken", "v: 2\n");
    check_undecided(play, OPL_E_UNAVAILABLE);
    play_close(play);
}

static void a_policy_adopted_under_another_name_leaves_it_undecided(void **state)
{
    struct play *play = play_open(POLICY, ALLOWED);

    (void)state;
    adopt(play, "other-name", play->yaml);
    check_undecided(play, OPL_E_UNAVAILABLE);
    play_close(play);
}

static void a_document_that_is_not_there_leaves_it_undecided(void **state)
{
    struct play *play = play_open(POLICY, ALLOWED);

    (void)state;
    opl_world_forget_documents(play->situation.scene.world);
    check_undecided(play, OPL_E_UNAVAILABLE);
    play_close(play);
}

static void a_change_that_is_not_there_leaves_it_undecided(void **state)
{
    static const char *const ids[] = {"chg-2", "hyp-1", "inc-1", "", "chg-01"};
    struct play *play = play_open(POLICY, ALLOWED);
    struct opl_gate_input input = play_input(play);

    (void)state;
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++) {
        input.change = ids[i];
        assert_fails(opl_gate_evaluate(play->situation.scene.world, &input, play->result, err),
                     OPL_E_NOT_FOUND);
        assert_int_equal(play->result->outcome, OPL_GATE_DENIED);
    }
    play_close(play);
}

static void a_hypothesis_that_is_not_in_the_log_leaves_it_undecided(void **state)
{
    struct play *play = play_open(POLICY, ALLOWED);

    (void)state;
    opl_world_forget(play->situation.scene.world, "hyp-1");
    check_undecided(play, OPL_E_LOG);
    play_close(play);
}

static void the_digest_names_the_policies_that_apply(void **state)
{
    struct play *play = play_judged(POLICY, ALLOWED);
    struct opl_hash digest, other;

    (void)state;
    assert_ok(opl_gate_digest(play->situation.scene.world, "chg-1", &digest, err));
    assert_true(opl_hash_equal(&digest, &play->result->policy));
    adopt(play, "elsewhere",
          "v: 1\nname: elsewhere\napplies: {class: [script], target: [\"**\"]}\n"
          "require: [{window: {}}]\n");
    assert_ok(opl_gate_digest(play->situation.scene.world, "chg-1", &other, err));
    assert_true(opl_hash_equal(&digest, &other));
    adopt(play, "here",
          "v: 1\nname: here\napplies: {class: [config], target: [\"**\"]}\n"
          "require: [{window: {}}]\n");
    assert_ok(opl_gate_digest(play->situation.scene.world, "chg-1", &other, err));
    assert_false(opl_hash_equal(&digest, &other));
    play_close(play);
}

static void the_reply_has_the_form_of_the_contract(void **state)
{
    struct play *play = play_judged(POLICY, "facts: [vendor-asked, approved]");
    json_t *reply = opl_gate_result_json(play->result);
    const char *outcome, *manifest, *base, *policy, *bootstrap, *name, *status, *detail, *next;
    json_t *rows, *approvals, *others, *for_, *against;

    (void)state;
    assert_int_equal(json_unpack_ex(reply, NULL, JSON_STRICT,
                                    "{s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:s}", "outcome", &outcome,
                                    "manifest", &manifest, "base", &base, "policy", &policy,
                                    "requirements", &rows, "approvals", &approvals, "not_counted",
                                    &others, "bootstrap", &bootstrap),
                     0);
    assert_string_equal(outcome, "denied");
    assert_string_equal(bootstrap, "open");
    assert_int_equal(strlen(policy), 71);
    assert_int_equal(json_array_size(approvals), 0);
    assert_has(opl_json_str(json_array_get(others, 0), "why"), "signed while");
    assert_int_equal(json_array_size(rows), 3);
    assert_int_equal(json_unpack(json_array_get(rows, 2), "{s:s, s:s, s:o, s:o, s:s, s:s}", "name",
                                 &name, "status", &status, "for", &for_, "against", &against,
                                 "detail", &detail, "next", &next),
                     0);
    assert_string_equal(name, "approvals");
    assert_string_equal(status, "UNSATISFIED");
    assert_string_equal(next, "opledger approval sign chg-1 --role slurm");
    json_decref(reply);
    play_close(play);
}

static void the_reply_carries_the_approvals_that_count(void **state)
{
    struct play *play = play_judged(POLICY, ALLOWED);
    json_t *reply = opl_gate_result_json(play->result);
    json_t *statuses = opl_gate_result_statuses(play->result);
    const json_t *one = json_array_get(json_object_get(reply, "approvals"), 0);

    (void)state;
    assert_non_null(opl_json_str(one, "statement"));
    assert_non_null(opl_json_str(one, "sshsig"));
    assert_int_equal(json_array_size(json_object_get(reply, "not_counted")), 0);
    assert_int_equal(json_array_size(statuses), 3);
    assert_string_equal(opl_json_str(json_array_get(statuses, 1), "name"), "cross-check");
    assert_string_equal(opl_json_str(json_array_get(statuses, 1), "status"), "SATISFIED");
    json_decref(statuses);
    json_decref(reply);
    play_close(play);
}

static void recorded_text_never_reaches_detail_or_next(void **state)
{
    struct play *play = play_open(POLICY, "facts: [vendor-confirmed, approved]");

    (void)state;
    assert_ok(scene_tell(&play->situation.scene, "bob", "vendor.updated", "hyp-1",
                         "{'vendor':'; rm -rf /','state':'rejected','ticket':'`id`',"
                         "'evidence':[]}",
                         err));
    play_judge(play);
    for (size_t i = 0; i < play->result->require_count; i++) {
        assert_null(strpbrk(play->result->require[i].next, "`$|&<>\n\"'\\"));
        assert_null(strstr(play->result->require[i].detail, "rm -rf"));
        assert_null(strstr(play->result->require[i].next, "rm -rf"));
    }
    play_close(play);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_change_with_all_it_needs_is_allowed),
        cmocka_unit_test(other_files_than_those_of_the_change_are_denied),
        cmocka_unit_test(a_base_that_moved_is_denied),
        cmocka_unit_test(a_change_that_no_policy_is_for_is_denied),
        cmocka_unit_test(only_a_proposed_change_is_allowed),
        cmocka_unit_test(no_next_step_is_named_for_a_change_that_is_past_them),
        cmocka_unit_test(every_policy_that_applies_must_hold),
        cmocka_unit_test(a_policy_that_cannot_be_read_leaves_it_undecided),
        cmocka_unit_test(a_policy_adopted_under_another_name_leaves_it_undecided),
        cmocka_unit_test(a_document_that_is_not_there_leaves_it_undecided),
        cmocka_unit_test(a_change_that_is_not_there_leaves_it_undecided),
        cmocka_unit_test(a_hypothesis_that_is_not_in_the_log_leaves_it_undecided),
        cmocka_unit_test(the_digest_names_the_policies_that_apply),
        cmocka_unit_test(the_reply_has_the_form_of_the_contract),
        cmocka_unit_test(the_reply_carries_the_approvals_that_count),
        cmocka_unit_test(recorded_text_never_reaches_detail_or_next),
    };

    return cmocka_run_group_tests(tests, unit_start, NULL);
}

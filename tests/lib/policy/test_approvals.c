/* SPDX-License-Identifier: Apache-2.0 */
#include "play.h"

#define POLICY PLAY_HYPOTHESIS PLAY_CROSS_CHECK PLAY_APPROVALS
#define READY "facts: [verdict-partly, vendor-confirmed]"
#define NEXT "opledger approval sign chg-1 --role slurm"

/* A ready change, one approval, and what the gate says of it. */
static struct play *approve(const struct scene_approval *approval)
{
    struct play *play = play_open(POLICY, READY);

    assert_ok(scene_approve(&play->situation.scene, approval, err));
    play_judge(play);
    return play;
}

static void check_refused(const struct scene_approval *approval, const char *why)
{
    struct play *play = approve(approval);

    assert_row(play, "approvals", OPL_UNSATISFIED, why, NEXT);
    assert_int_equal(play->result->outcome, OPL_GATE_DENIED);
    assert_int_equal(play->result->approval_count, 1);
    assert_false(play->result->approvals[0].counts);
    assert_has(play->result->approvals[0].why_not, why);
    play_close(play);
}

static void check_after(const char *act, const char *why)
{
    struct play *play = play_open(POLICY, READY);

    play_act(play, "approved");
    play_act(play, act);
    play_judge(play);
    assert_row(play, "approvals", OPL_UNSATISFIED, why, NEXT);
    play_close(play);
}

static void one_by_another_person_who_could_see_all_allows(void **state)
{
    const struct scene_approval approval = {.signer = "carol", .role = "slurm"};
    struct play *play = approve(&approval);

    (void)state;
    assert_int_equal(play->result->outcome, OPL_GATE_ALLOWED);
    assert_row(play, "approvals", OPL_SATISFIED,
               "1 of 1 by somebody other than the proposer, as slurm", "");
    assert_row(play, "approvals", OPL_SATISFIED, "software key, which proves a login", "");
    assert_true(play->result->approvals[0].counts);
    assert_string_equal(play->result->approvals[0].signer, "carol");
    play_close(play);
}

static void what_another_signed_or_changed_does_not_count(void **state)
{
    const struct scene_approval spoilt = {.signer = "carol", .role = "slurm", .spoil = true};
    const struct scene_approval borrowed = {.signer = "carol", .role = "slurm", .key_of = "bob"};
    const struct scene_approval stranger = {.signer = "carol", .role = "slurm", .key_of = "eve"};

    (void)state;
    check_refused(&spoilt, "its signature does not verify");
    check_refused(&borrowed, "its key is not enrolled for its signer");
    check_refused(&stranger, "its key is not enrolled for its signer");
}

static void the_role_of_one_that_does_not_count_is_shown_too(void **state)
{
    const struct scene_approval spoilt = {.signer = "carol", .role = "slurm", .spoil = true};
    struct play *play = approve(&spoilt);

    (void)state;
    assert_string_equal(play->result->approvals[0].role, "slurm");
    assert_false(play->result->approvals[0].counts);
    play_close(play);
}

static void a_role_that_its_signer_does_not_hold_does_not_count(void **state)
{
    const struct scene_approval bob = {.signer = "bob", .role = "slurm"};
    const struct scene_approval boss = {.signer = "carol", .role = "boss"};

    (void)state;
    check_refused(&bob, "does not hold the role slurm now");
    check_refused(&boss, "does not hold the role boss now");
}

static void the_proposer_does_not_count(void **state)
{
    const struct scene_approval alice = {.signer = "alice", .role = "slurm"};

    (void)state;
    check_refused(&alice, "signed by the proposer of the change");
}

static void what_it_is_about_must_be_what_is_judged(void **state)
{
    const struct scene_approval change = {.signer = "carol", .role = "slurm", .change = "chg-2"};
    const struct scene_approval manifest = {
        .signer = "carol", .role = "slurm", .manifest = SCENE_EVIDENCE};
    const struct scene_approval base = {.signer = "carol", .role = "slurm", .base = SCENE_EVIDENCE};
    const struct scene_approval policy = {
        .signer = "carol", .role = "slurm", .policy = SCENE_EVIDENCE};
    const struct scene_approval epoch = {
        .signer = "carol", .role = "slurm", .origin = "scene.example/log/2"};

    (void)state;
    check_refused(&change, "about another change");
    check_refused(&manifest, "over another manifest");
    check_refused(&base, "over another base");
    check_refused(&policy, "another policy is in force since");
    check_refused(&epoch, "another epoch");
}

static void a_log_that_was_not_there_yet_does_not_count(void **state)
{
    const uint64_t size = 4000;
    const struct scene_approval early = {.signer = "carol", .role = "slurm", .size = &size};

    (void)state;
    check_refused(&early, "a log longer than the one it stands in");
}

static void it_expires(void **state)
{
    (void)state;
    check_after("wait 15d", "it has expired");
}

static void a_negative_fact_since_voids_it(void **state)
{
    (void)state;
    check_after("testrun-failed", "which speaks against it");
    check_after("verdict-disagrees", "which speaks against it");
    check_after("not-reproduced", "which speaks against it");
    check_after("vendor-withdrawn", "which speaks against it");
    check_after("closed-inconclusive", "which speaks against it");
}

/* Shown and, by cross-check, blocking; but an agent does not void what a person signed. */
static void what_an_agent_says_since_does_not_void_it(void **state)
{
    struct play *play = play_open(PLAY_HYPOTHESIS PLAY_APPROVALS, "facts: [vendor-confirmed]");

    (void)state;
    play_act(play, "approved");
    play_act(play, "verdict-disagrees-by-agent");
    play_judge(play);
    assert_int_equal(play->result->outcome, OPL_GATE_ALLOWED);
    play_close(play);
}

static void one_signed_before_the_facts_it_rests_on_is_told_to_sign_again(void **state)
{
    struct play *play = play_open(POLICY, "facts: [verdict-partly, vendor-asked, approved]");
    uint64_t confirmed = play->situation.scene.size;
    char why[160];

    (void)state;
    play_act(play, "vendor-confirmed");
    play_judge(play);
    (void)snprintf(why, sizeof why,
                   "signed before fact %llu that it rests on: read gate explain, then sign again: "
                   "opledger approval sign chg-1 --role slurm",
                   (unsigned long long)confirmed);
    assert_string_equal(play->result->approvals[0].why_not, why);
    assert_row(play, "hypothesis", OPL_SATISFIED, "", "");
    assert_row(play, "approvals", OPL_UNSATISFIED, "signed before fact", NEXT);
    play_act(play, "approved");
    play_judge(play);
    assert_int_equal(play->result->outcome, OPL_GATE_ALLOWED);
    assert_int_equal(play->result->approval_count, 2);
    play_close(play);
}

static void one_signed_while_a_requirement_is_open_says_which(void **state)
{
    struct play *play = play_judged(POLICY, "facts: [verdict-partly, vendor-asked, approved]");

    (void)state;
    assert_has(play->result->approvals[0].why_not, "signed while hypothesis was not met");
    play_close(play);
}

static void a_revision_since_voids_it_even_with_the_same_files(void **state)
{
    struct play *play = play_open(POLICY, READY);
    struct scene *scene = &play->situation.scene;
    const struct opl_fold *change;

    (void)state;
    play_act(play, "approved");
    assert_ok(opl_world_find(scene->world, "chg-1", &change, err));
    assert_ok(scene_add(scene, "alice", "change.revised", "chg-1",
                        json_pack("{s:s, s:i, s:[s]}", "manifest", opl_change_manifest(change),
                                  "files", 1, "hypotheses", "hyp-1"),
                        err));
    play_judge(play);
    assert_row(play, "approvals", OPL_UNSATISFIED, "overtaken by the revision of entry", NEXT);
    play_close(play);
}

static void revoking_it_voids_it(void **state)
{
    struct play *play = play_open(POLICY, READY);
    char body[80];

    (void)state;
    play_act(play, "approved");
    (void)snprintf(body, sizeof body, "{'approval':%llu,'reason':{'sealed':'$1'}}",
                   (unsigned long long)play->situation.scene.size - 1);
    assert_ok(scene_tell(&play->situation.scene, "carol", "approval.revoked", "chg-1", body, err));
    play_judge(play);
    assert_row(play, "approvals", OPL_UNSATISFIED, "revoked by entry", NEXT);
    play_close(play);
}

static void recording_a_revoked_one_again_does_not_revive_it(void **state)
{
    struct play *play = play_open(POLICY, READY);
    struct scene *scene = &play->situation.scene;
    const struct opl_fold *change;
    char body[80];

    (void)state;
    play_act(play, "approved");
    assert_ok(opl_world_find(scene->world, "chg-1", &change, err));
    json_t *again = json_deep_copy(change->facts[change->fact_count - 1].body);
    (void)snprintf(body, sizeof body, "{'approval':%llu,'reason':{'sealed':'$1'}}",
                   (unsigned long long)scene->size - 1);
    assert_ok(scene_tell(scene, "carol", "approval.revoked", "chg-1", body, err));
    assert_ok(scene_add(scene, "carol", "approval.signed", "chg-1", again, err));
    play_judge(play);
    assert_row(play, "approvals", OPL_UNSATISFIED, "its Statement stands in entry", NEXT);
    play_close(play);
}

static void an_apply_spends_it(void **state)
{
    struct play *play = play_open(POLICY, READY);

    (void)state;
    play_act(play, "approved");
    assert_ok(scene_tell(&play->situation.scene, "bob", "change.started", "chg-1",
                         "{'decision':1,'host':'h'}", err));
    play_judge(play);
    assert_row(play, "approvals", OPL_UNSATISFIED, "spent by the apply of entry", "");
    assert_row(play, "change", OPL_UNSATISFIED, "chg-1 is started", "opledger change show chg-1");
    play_close(play);
}

static void check_admin(const char *kind, const char *body, const char *why)
{
    struct play *play = play_open(POLICY, READY);

    play_act(play, "approved");
    assert_ok(scene_tell(&play->situation.scene, "admin", kind, NULL, body, err));
    play_judge(play);
    assert_row(play, "approvals", OPL_UNSATISFIED, why, NEXT);
    play_close(play);
}

static void a_signer_who_lost_role_or_place_does_not_count(void **state)
{
    (void)state;
    check_admin("principal.changed", "{'name':'carol','roles':['recorder']}",
                "does not hold the role slurm now");
    check_admin("principal.revoked", "{'name':'carol','reason':{'sealed':'$1'}}", "");
}

static void a_revoked_key_does_not_count(void **state)
{
    struct play *play = play_open(POLICY, READY);
    const struct opl_registry *registry = opl_world_registry(play->situation.scene.world);
    char body[200] = "";

    (void)state;
    play_act(play, "approved");
    for (size_t i = 0; opl_registry_key_at(registry, i); i++) {
        const struct opl_person_key *key = opl_registry_key_at(registry, i);

        if (strcmp(key->principal, "carol") == 0)
            (void)snprintf(body, sizeof body,
                           "{'principal':'carol','fingerprint':'%s','reason':{'sealed':'$1'}}",
                           key->fingerprint);
    }
    assert_ok(scene_tell(&play->situation.scene, "admin", "key.revoked", NULL, body, err));
    play_judge(play);
    assert_row(play, "approvals", OPL_UNSATISFIED, "its key is revoked or out of its dates", NEXT);
    play_close(play);
}

static void two_signatures_of_one_person_are_one_vote(void **state)
{
    const char *require = PLAY_HYPOTHESIS "  - approvals: {min: 2, roles: [slurm]}\n";
    struct play *play = play_open(require, "facts: [vendor-confirmed, approved, approved]");

    (void)state;
    play_judge(play);
    assert_row(play, "approvals", OPL_UNSATISFIED, "1 of 2", NEXT);
    assert_has(play->result->approvals[1].why_not, "its signer is counted already");
    play_act(play, "approved-by-another");
    play_judge(play);
    assert_int_equal(play->result->outcome, OPL_GATE_ALLOWED);
    play_close(play);
}

static void a_software_key_is_no_hardware_key(void **state)
{
    check_row(PLAY_HYPOTHESIS "  - approvals: {min: 1, roles: [slurm], hardware-key: required}\n",
              "facts: [vendor-confirmed, approved]", "approvals", OPL_UNSATISFIED,
              "signed with a software key", NEXT);
    (void)state;
}

static void an_approval_counts_only_where_its_role_is_asked_for(void **state)
{
    const char *require = PLAY_HYPOTHESIS "  - approvals: {min: 1, roles: [slurm]}\n"
                                          "  - approvals: {min: 1, roles: [lead]}\n";
    const struct scene_approval lead = {.signer = "carol", .role = "lead"};
    struct play *play = play_open(require, "facts: [vendor-confirmed]");

    (void)state;
    assert_ok(scene_approve(&play->situation.scene, &lead, err));
    play_judge(play);
    assert_row(play, "approvals", OPL_UNSATISFIED,
               "0 of 1 by somebody other than the proposer, as slurm", NEXT);
    assert_true(play->result->approvals[0].counts); /* for the other requirement */
    play_close(play);
}

/* More than a result can show: all are judged, the newest are shown. */
static void a_flood_of_approvals_hides_none_that_counts(void **state)
{
    struct play *play = play_open(POLICY, READY);

    (void)state;
    play_act(play, "approved");
    for (int i = 0; i < OPL_FACTS_MAX + 2; i++)
        play_act(play, "approved-by-proposer");
    play_judge(play);
    assert_int_equal(play->result->approval_count, OPL_FACTS_MAX);
    assert_int_equal(play->result->outcome, OPL_GATE_ALLOWED);
    play_close(play);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_by_another_person_who_could_see_all_allows),
        cmocka_unit_test(the_role_of_one_that_does_not_count_is_shown_too),
        cmocka_unit_test(what_another_signed_or_changed_does_not_count),
        cmocka_unit_test(a_role_that_its_signer_does_not_hold_does_not_count),
        cmocka_unit_test(the_proposer_does_not_count),
        cmocka_unit_test(what_it_is_about_must_be_what_is_judged),
        cmocka_unit_test(a_log_that_was_not_there_yet_does_not_count),
        cmocka_unit_test(it_expires),
        cmocka_unit_test(a_negative_fact_since_voids_it),
        cmocka_unit_test(what_an_agent_says_since_does_not_void_it),
        cmocka_unit_test(one_signed_before_the_facts_it_rests_on_is_told_to_sign_again),
        cmocka_unit_test(one_signed_while_a_requirement_is_open_says_which),
        cmocka_unit_test(a_revision_since_voids_it_even_with_the_same_files),
        cmocka_unit_test(revoking_it_voids_it),
        cmocka_unit_test(recording_a_revoked_one_again_does_not_revive_it),
        cmocka_unit_test(an_apply_spends_it),
        cmocka_unit_test(a_signer_who_lost_role_or_place_does_not_count),
        cmocka_unit_test(a_revoked_key_does_not_count),
        cmocka_unit_test(two_signatures_of_one_person_are_one_vote),
        cmocka_unit_test(a_software_key_is_no_hardware_key),
        cmocka_unit_test(an_approval_counts_only_where_its_role_is_asked_for),
        cmocka_unit_test(a_flood_of_approvals_hides_none_that_counts),
    };

    return cmocka_run_group_tests(tests, unit_start, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Approvals and confirmations: what is refused at the door, and what is recorded all the same. */
#include "refused.h"

static int start(void **state)
{
    struct story *story = story_begin();

    (void)story_incident(story, "alice");
    (void)story_hypothesis(story, "helper", "inc-1");
    (void)story_change(story, "bob", "inc-1", "hyp-1");
    *state = story;
    return 0;
}

static int stop(void **state)
{
    story_free(*state);
    return 0;
}

/* An approval of chg-1 whose about says what is given; the rest are digests of something. */
struct approval {
    const char *signer;
    const char *change;
    const char *role;
    const char *key;
    const char *ssh_namespace;
    const char *origin;
    bool spoiled;
};

static json_t *approval_of(struct story *story, const struct approval *approval)
{
    json_t *body = story_sign(
        story, &(struct story_statement){
                   .type = "opledger/approval",
                   .signer = approval->signer,
                   .key = approval->key,
                   .ssh_namespace = approval->ssh_namespace,
                   .origin = approval->origin,
                   .spoiled = approval->spoiled,
                   .about = story_body("{'change':'%s','manifest':'sha256:%064d',"
                                       "'base':'sha256:%064d','policy':'sha256:%064d',"
                                       "'role':'%s'}",
                                       approval->change == NULL ? "chg-1" : approval->change, 1, 2,
                                       3, approval->role == NULL ? "slurm" : approval->role)});

    json_object_set_new(body, "role", json_string("slurm"));
    return body;
}

#define APPROVAL(...) approval_of(story, &(struct approval){__VA_ARGS__})

static void a_right_approval_is_recorded(void **state)
{
    struct story *story = *state;

    (void)story_approve(story, "carol", "chg-1");
    assert_int_equal(strlen(story->admission.nonce), 32);
}

static void the_proposers_own_approval_is_recorded(void **state)
{
    (void)story_approve(*state, "bob", "chg-1");
}

static void an_approval_over_another_manifest_base_or_policy_is_recorded(void **state)
{
    struct story *story = *state;

    (void)story_write(story, "carol", "approval.signed", "chg-1", APPROVAL(.signer = "carol"));
}

static void one_changed_byte_is_refused(void **state)
{
    struct story *story = *state;

    REFUSED(story, "carol", "approval.signed", "chg-1",
            APPROVAL(.signer = "carol", .spoiled = true), OPL_E_SIGNATURE, "/body/sshsig");
}

static void another_namespace_is_refused(void **state)
{
    struct story *story = *state;

    REFUSED(story, "carol", "approval.signed", "chg-1",
            APPROVAL(.signer = "carol", .ssh_namespace = "file"), OPL_E_SIGNATURE, "/body/sshsig");
}

static void a_key_that_is_not_enrolled_is_refused(void **state)
{
    struct story *story = *state;

    REFUSED(story, "carol", "approval.signed", "chg-1",
            APPROVAL(.signer = "carol", .key = "mallory"), OPL_E_SIGNATURE, "/body/sshsig");
}

static void a_log_that_is_not_ours_is_stale(void **state)
{
    struct story *story = *state;

    REFUSED(story, "carol", "approval.signed", "chg-1",
            APPROVAL(.signer = "carol", .origin = "elsewhere"), OPL_E_STALE, "/body/statement");
}

static void an_agent_and_a_service_never_approve(void **state)
{
    struct story *story = *state;

    REFUSED(story, "helper", "approval.signed", "chg-1", APPROVAL(.signer = "carol"),
            OPL_E_FORBIDDEN, "/kind");
    REFUSED(story, "importer", "approval.signed", "chg-1", APPROVAL(.signer = "carol"),
            OPL_E_FORBIDDEN, "/kind");
}

static void somebody_elses_approval_is_refused(void **state)
{
    struct story *story = *state;

    REFUSED(story, "carol", "approval.signed", "chg-1", APPROVAL(.signer = "bob"), OPL_E_SIGNATURE,
            "/body/statement");
}

static void an_approval_of_another_change_or_role_is_refused(void **state)
{
    struct story *story = *state;

    REFUSED(story, "carol", "approval.signed", "chg-1",
            APPROVAL(.signer = "carol", .change = "chg-2"), OPL_E_INVALID, "/body/statement");
    REFUSED(story, "carol", "approval.signed", "chg-1", APPROVAL(.signer = "carol", .role = "net"),
            OPL_E_INVALID, "/body/statement");
}

static void a_role_that_the_signer_does_not_hold_is_refused(void **state)
{
    struct story *story = *state;
    json_t *body = APPROVAL(.signer = "bob", .role = "net");

    json_object_set_new(body, "role", json_string("net"));
    REFUSED(story, "bob", "approval.signed", "chg-1", body, OPL_E_FORBIDDEN, "/body/role");
}

static void the_same_statement_is_recorded_once(void **state)
{
    struct story *story = *state;
    json_t *body = APPROVAL(.signer = "carol");

    (void)story_write(story, "carol", "approval.signed", "chg-1", json_incref(body));
    REFUSED(story, "carol", "approval.signed", "chg-1", body, OPL_E_INVALID, "/body/statement");
}

static void approvals_are_given_to_what_is_proposed(void **state)
{
    struct story *story = *state;

    (void)story_force(story, "alice", "change.started", "chg-1", story_body("{'decision':1}"));
    REFUSED(story, "carol", "approval.signed", "chg-1", APPROVAL(.signer = "carol"),
            OPL_E_WRONG_STATE, "/on");
}

static void ones_own_approval_is_revoked_and_no_others(void **state)
{
    struct story *story = *state;
    uint64_t seq = story_approve(story, "carol", "chg-1");
    json_t *body = story_body("{'approval':%d,'reason':'x'}", (int)seq);

    REFUSED(story, "bob", "approval.revoked", "chg-1", json_incref(body), OPL_E_FORBIDDEN,
            "/body/approval");
    (void)story_write(story, "carol", "approval.revoked", "chg-1", body);
    REFUSED(story, "carol", "approval.revoked", "chg-1",
            story_body("{'approval':%d,'reason':'x'}", (int)seq - 1), OPL_E_INVALID,
            "/body/approval");
    REFUSED(story, "carol", "approval.revoked", "chg-1",
            story_body("{'approval':9999,'reason':'x'}"), OPL_E_INVALID, "/body/approval");
}

static json_t *confirmation_of(struct story *story, const char *signer, uint64_t about,
                               uint64_t fact)
{
    json_t *body = story_sign(
        story,
        &(struct story_statement){.type = "opledger/confirmation",
                                  .signer = signer,
                                  .about = story_body("{'fact':%llu}", (unsigned long long)about)});

    json_object_set_new(body, "fact", json_integer((json_int_t)fact));
    return body;
}

static uint64_t vendor_fact(struct story *story)
{
    const char *mail = story_evidence(story, "alice", "hyp-1", "we confirm");

    return story_vendor(story, "alice", "hyp-1", "confirmed", mail);
}

static void another_person_confirms_a_fact(void **state)
{
    struct story *story = *state;

    (void)story_confirm(story, "bob", "hyp-1", vendor_fact(story));
}

static void nobody_confirms_their_own_fact_nor_their_agents(void **state)
{
    struct story *story = *state;
    uint64_t own = vendor_fact(story), agents;

    REFUSED(story, "alice", "confirmation.signed", "hyp-1",
            confirmation_of(story, "alice", own, own), OPL_E_FORBIDDEN, "/body/fact");
    (void)story_evidence(story, "helper", "hyp-1", "seen by alice's agent");
    agents = story->seq - 1;
    REFUSED(story, "alice", "confirmation.signed", "hyp-1",
            confirmation_of(story, "alice", agents, agents), OPL_E_FORBIDDEN, "/body/fact");
}

static void only_a_positive_fact_of_the_same_subject_is_confirmed(void **state)
{
    struct story *story = *state;
    uint64_t asked = story_vendor(story, "alice", "hyp-1", "asked", NULL);
    uint64_t fact = vendor_fact(story);

    REFUSED(story, "bob", "confirmation.signed", "hyp-1",
            confirmation_of(story, "bob", asked, asked), OPL_E_INVALID, "/body/fact");
    REFUSED(story, "bob", "confirmation.signed", "chg-1", confirmation_of(story, "bob", fact, fact),
            OPL_E_INVALID, "/body/fact");
}

static void a_withdrawn_fact_is_not_confirmed(void **state)
{
    struct story *story = *state;
    uint64_t evidence;

    (void)story_evidence(story, "alice", "hyp-1", "we confirm");
    evidence = story->seq - 1;
    (void)story_write(story, "alice", "fact.withdrawn", "hyp-1",
                      story_body("{'fact':%d,'reason':'x'}", (int)evidence));
    REFUSED(story, "bob", "confirmation.signed", "hyp-1",
            confirmation_of(story, "bob", evidence, evidence), OPL_E_INVALID, "/body/fact");
}

static void a_confirmation_of_another_fact_is_refused(void **state)
{
    struct story *story = *state;
    uint64_t fact = vendor_fact(story);

    REFUSED(story, "bob", "confirmation.signed", "hyp-1",
            confirmation_of(story, "bob", fact - 1, fact), OPL_E_INVALID, "/body/statement");
}

static void a_reviewer_or_approver_confirms_without_being_a_recorder(void **state)
{
    struct story *story = *state;
    char reviewer[] = "reviewer";
    char *const scope[] = {reviewer, NULL};
    uint64_t fact = vendor_fact(story);

    story->scope = scope;
    (void)story_confirm(story, "carol", "hyp-1", fact);
}

#define T(name) cmocka_unit_test_setup_teardown(name, start, stop)

static const struct CMUnitTest tests[] = {
    T(a_right_approval_is_recorded),
    T(the_proposers_own_approval_is_recorded),
    T(an_approval_over_another_manifest_base_or_policy_is_recorded),
    T(one_changed_byte_is_refused),
    T(another_namespace_is_refused),
    T(a_key_that_is_not_enrolled_is_refused),
    T(a_log_that_is_not_ours_is_stale),
    T(an_agent_and_a_service_never_approve),
    T(somebody_elses_approval_is_refused),
    T(an_approval_of_another_change_or_role_is_refused),
    T(a_role_that_the_signer_does_not_hold_is_refused),
    T(the_same_statement_is_recorded_once),
    T(approvals_are_given_to_what_is_proposed),
    T(ones_own_approval_is_revoked_and_no_others),
    T(another_person_confirms_a_fact),
    T(nobody_confirms_their_own_fact_nor_their_agents),
    T(only_a_positive_fact_of_the_same_subject_is_confirmed),
    T(a_withdrawn_fact_is_not_confirmed),
    T(a_confirmation_of_another_fact_is_refused),
    T(a_reviewer_or_approver_confirms_without_being_a_recorder),
};

UNIT_MAIN(tests)

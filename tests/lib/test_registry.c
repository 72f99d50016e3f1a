/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the fold of administration makes of entries, also of those that no honest server would let
 * through: story_force appends without admission.
 */
#include "unit.h"

#include "story.h"

static int start(void **state)
{
    *state = story_begin();
    return 0;
}

static int start_open(void **state)
{
    struct story *story = story_new();

    (void)story_force(story, OPL_SELF, "principal.enrolled", NULL,
                      story_body("{'name':'admin','class':'person','roles':['admin']}"));
    *state = story;
    return 0;
}

static int stop(void **state)
{
    story_free(*state);
    return 0;
}

static const struct opl_registry *registry(void **state)
{
    const struct story *story = *state;

    return opl_world_registry(story->world);
}

static const struct opl_person_key *key_of(void **state, const char *name)
{
    char fingerprint[OPL_FINGERPRINT_SIZE];

    story_fingerprint(name, fingerprint);
    return opl_registry_key(registry(state), fingerprint);
}

static json_t *person(const char *name)
{
    return story_body("{'name':'%s','class':'person','roles':['recorder','approver.slurm']}", name);
}

static json_t *key_body(const char *owner, const char *key, const char *hardware)
{
    char line[128];

    story_key_line(key, line);
    return story_body("{'principal':'%s','public_key':'%s','hardware':'%s'}", owner, line,
                      hardware);
}

static void principals_are_known_by_name_class_owner_and_model(void **state)
{
    const struct opl_principal *agent = opl_registry_principal(registry(state), "helper");

    assert_int_equal(agent->class, OPL_CLASS_AGENT);
    assert_string_equal(agent->owner, "alice");
    assert_string_equal(agent->model.provider, "openai");
    assert_string_equal(agent->model.name, "gpt-5");
    assert_string_equal(opl_registry_person(registry(state), "helper"), "alice");
    assert_string_equal(opl_registry_person(registry(state), "bob"), "bob");
    assert_true(opl_registry_same_person(registry(state), "helper", "importer"));
    assert_false(opl_registry_same_person(registry(state), "helper", "second"));
    assert_null(opl_registry_principal(registry(state), "mallory"));
}

static void every_role_implies_reader_and_nothing_else(void **state)
{
    const struct opl_principal *alice = opl_registry_principal(registry(state), "alice");

    assert_true(opl_principal_has_role(alice, "reader"));
    assert_true(opl_principal_has_role(alice, "admin"));
    assert_false(opl_principal_has_role(alice, "reviewer"));
    assert_false(opl_principal_has_approver_role(alice));
    assert_true(opl_principal_has_approver_role(opl_registry_principal(registry(state), "bob")));
}

static void keys_are_known_by_fingerprint(void **state)
{
    const struct story *story = *state;
    const struct opl_person_key *key = key_of(state, "bob");

    assert_string_equal(key->principal, "bob");
    assert_false(key->hardware_seen);
    assert_true(opl_registry_key_valid(registry(state), key, story->now));
    assert_null(key_of(state, "mallory"));
}

static void lists_end(void **state)
{
    size_t i = 0;

    while (opl_registry_principal_at(registry(state), i) != NULL)
        i++;
    assert_int_equal(i, 7);
    assert_null(opl_registry_key_at(registry(state), 3));
    assert_non_null(opl_registry_policy_at(registry(state), 2));
    assert_null(opl_registry_policy_at(registry(state), 3));
}

static void the_first_token_dies_with_the_bootstrap(void **state)
{
    const struct opl_token *token = opl_registry_token_by_id(registry(state), "first");

    assert_true(opl_registry_bootstrap_closed(registry(state)));
    assert_true(token->bootstrap);
    assert_true(token->revoked);
}

static void a_token_from_a_login_outlives_the_bootstrap(void **state)
{
    struct story *story = *state;

    story_enroll(story, "alice", "recorder|approver.slurm");
    story_enroll(story, "bob", "recorder|approver.slurm");
    (void)story_write(story, OPL_SELF, "token.created", NULL,
                      story_body("{'principal':'alice','scope':['recorder'],"
                                 "'expires':'2036-10-01T00:00:00Z','token_id':'login',"
                                 "'token_sha256':'%064d'}",
                                 1));
    (void)story_write(story, "admin", "bootstrap.closed", NULL, json_object());
    assert_false(opl_registry_token_by_id(registry(state), "login")->revoked);
}

static void the_bootstrap_stays_open_below_two_approvers(void **state)
{
    struct story *story = *state;

    story_enroll(story, "alice", "recorder|approver.slurm");
    (void)story_force(story, "admin", "bootstrap.closed", NULL, json_object());
    assert_false(opl_registry_bootstrap_closed(registry(state)));
    (void)story_write(story, "admin", "principal.enrolled", NULL, person("bob"));
    (void)story_force(story, "admin", "bootstrap.closed", NULL, json_object());
    assert_false(opl_registry_bootstrap_closed(registry(state)));
    assert_int_equal(opl_registry_approvers(registry(state), story->now), 1);
    (void)story_write(story, "admin", "key.added", NULL, key_body("bob", "bob", "no"));
    (void)story_force(story, "admin", "bootstrap.closed", NULL, json_object());
    assert_true(opl_registry_bootstrap_closed(registry(state)));
}

static void administration_without_a_second_signature_is_passed_over(void **state)
{
    struct story *story = *state;
    struct opl_hash before = opl_registry_policy(registry(state), "gate", "slurm-config")->sha256;

    (void)story_force(story, "alice", "principal.enrolled", NULL, person("mallory"));
    (void)story_force(story, "alice", "principal.changed", NULL,
                      story_body("{'name':'alice','roles':['admin','approver.slurm']}"));
    (void)story_force(story, "alice", "principal.revoked", NULL,
                      story_body("{'name':'bob','reason':'x'}"));
    (void)story_force(story, "alice", "key.added", NULL, key_body("bob", "mallory", "no"));
    (void)story_force(story, "alice", "policy.adopted", NULL,
                      story_body("{'what':'gate','name':'slurm-config','sha256':'%064d'}", 1));
    (void)story_force(story, "alice", "token.created", NULL,
                      story_body("{'principal':'bob','scope':['recorder'],"
                                 "'expires':'2036-10-01T00:00:00Z','token_id':'t',"
                                 "'token_sha256':'%064d'}",
                                 4));
    assert_null(opl_registry_principal(registry(state), "mallory"));
    assert_false(opl_principal_has_approver_role(opl_registry_principal(registry(state), "alice")));
    assert_false(opl_registry_principal(registry(state), "bob")->revoked);
    assert_null(key_of(state, "mallory"));
    assert_true(opl_hash_equal(
        &before, &opl_registry_policy(registry(state), "gate", "slurm-config")->sha256));
    assert_null(opl_registry_token_by_id(registry(state), "t"));
}

static void the_service_itself_cannot_enroll_once_the_bootstrap_is_closed(void **state)
{
    struct story *story = *state;

    (void)story_force(story, OPL_SELF, "principal.enrolled", NULL, person("mallory"));
    assert_null(opl_registry_principal(registry(state), "mallory"));
    (void)story_force(story, OPL_SELF, "principal.enrolled", NULL,
                      story_second(story, "bob", "principal.enrolled", person("mallory")));
    assert_null(opl_registry_principal(registry(state), "mallory"));
}

static void a_second_approvers_signature_makes_it_count(void **state)
{
    struct story *story = *state;

    (void)story_write(story, "alice", "principal.enrolled", NULL,
                      story_second(story, "bob", "principal.enrolled", person("dave")));
    assert_non_null(opl_registry_principal(registry(state), "dave"));
    (void)story_write(story, "alice", "key.added", NULL,
                      story_second(story, "bob", "key.added", key_body("dave", "dave", "seen")));
    assert_true(key_of(state, "dave")->hardware_seen);
}

/* Each second signature that is wrong in one way leaves the registry as it was. */
static void force_enrolment(struct story *story, const char *actor, json_t *body)
{
    (void)story_force(story, actor, "principal.enrolled", NULL, body);
    assert_null(opl_registry_principal(opl_world_registry(story->world), "mallory"));
}

static void a_second_signature_by_the_same_person_does_not_count(void **state)
{
    struct story *story = *state;

    (void)story_write(story, "alice", "principal.changed", NULL,
                      story_second(story, "carol", "principal.changed",
                                   story_body("{'name':'bob','roles':['admin',"
                                              "'approver.slurm']}")));
    force_enrolment(story, "bob",
                    story_second(story, "bob", "principal.enrolled", person("mallory")));
}

static void a_second_signature_by_no_approver_does_not_count(void **state)
{
    struct story *story = *state;

    force_enrolment(story, "alice",
                    story_second(story, "alice", "principal.enrolled", person("mallory")));
    force_enrolment(story, "alice",
                    story_second(story, "admin", "principal.enrolled", person("mallory")));
    force_enrolment(story, "alice",
                    story_second(story, "helper", "principal.enrolled", person("mallory")));
}

static void a_second_signature_under_another_body_does_not_count(void **state)
{
    struct story *story = *state;
    json_t *body = story_second(story, "bob", "principal.enrolled", person("dave"));

    json_object_set_new(body, "name", json_string("mallory"));
    force_enrolment(story, "alice", body);
}

static void a_second_signature_for_another_kind_does_not_count(void **state)
{
    struct story *story = *state;
    json_t *body = person("mallory"), *other = NULL;

    other = story_second(story, "bob", "principal.changed",
                         story_body("{'name':'bob','roles':['admin']}"));
    json_object_set(body, "statement", json_object_get(other, "statement"));
    json_object_set(body, "sshsig", json_object_get(other, "sshsig"));
    json_decref(other);
    force_enrolment(story, "alice", body);
}

static void a_second_signature_that_had_expired_does_not_count(void **state)
{
    struct story *story = *state;
    json_t *body = story_second(story, "bob", "principal.enrolled", person("mallory"));

    story->now += 2 * 3600 * OPL_SECOND;
    force_enrolment(story, "alice", body);
}

static void a_second_signature_by_a_revoked_key_does_not_count(void **state)
{
    struct story *story = *state;
    json_t *body = story_second(story, "bob", "principal.enrolled", person("mallory"));
    char fingerprint[OPL_FINGERPRINT_SIZE];

    story_fingerprint("bob", fingerprint);
    (void)story_force(
        story, "bob", "key.revoked", NULL,
        story_body("{'principal':'bob','fingerprint':'%s','reason':'lost'}", fingerprint));
    force_enrolment(story, "alice", body);
}

static void one_bit_of_the_signature_makes_it_not_count(void **state)
{
    struct story *story = *state;
    json_t *body = story_second(story, "bob", "principal.enrolled", person("mallory"));
    char sshsig[1024];

    (void)snprintf(sshsig, sizeof sshsig, "%s", opl_json_str(body, "sshsig"));
    sshsig[200] = sshsig[200] == 'A' ? 'B' : 'A';
    json_object_set_new(body, "sshsig", json_string(sshsig));
    force_enrolment(story, "alice", body);
}

static void administration_by_others_than_admins_is_passed_over(void **state)
{
    struct story *story = *state;

    (void)story_force(story, "bob", "principal.enrolled", NULL,
                      story_second(story, "carol", "principal.enrolled", person("mallory")));
    (void)story_force(story, "nobody", "principal.enrolled", NULL,
                      story_second(story, "carol", "principal.enrolled", person("mallory")));
    assert_null(opl_registry_principal(registry(state), "mallory"));
    (void)story_force(story, "bob", "token.revoked", NULL,
                      story_body("{'token_id':'first','reason':'x'}"));
}

static void ones_own_key_may_be_taken_back_alone(void **state)
{
    struct story *story = *state;
    char fingerprint[OPL_FINGERPRINT_SIZE];

    story_fingerprint("bob", fingerprint);
    (void)story_force(
        story, "carol", "key.revoked", NULL,
        story_body("{'principal':'bob','fingerprint':'%s','reason':'x'}", fingerprint));
    assert_false(key_of(state, "bob")->revoked);
    (void)story_force(
        story, "bob", "key.revoked", NULL,
        story_body("{'principal':'bob','fingerprint':'%s','reason':'x'}", fingerprint));
    assert_true(key_of(state, "bob")->revoked);
    assert_false(opl_registry_key_valid(registry(state), key_of(state, "bob"), story->now));
}

static void a_key_belongs_to_one_person_and_never_comes_back(void **state)
{
    struct story *story = *state;

    story_enroll(story, "alice", "recorder");
    (void)story_force(story, "admin", "principal.enrolled", NULL, person("bob"));
    (void)story_force(story, "admin", "key.added", NULL, key_body("bob", "alice", "no"));
    assert_string_equal(key_of(state, "alice")->principal, "alice");
    assert_null(opl_registry_key_at(registry(state), 1));
}

static void a_key_counts_between_its_dates_alone(void **state)
{
    struct story *story = *state;
    json_t *body = key_body("admin", "admin", "no");
    const struct opl_person_key *key;

    json_object_set_new(body, "not_before", json_string("2026-10-02T00:00:00Z"));
    json_object_set_new(body, "not_after", json_string("2026-10-03T00:00:00Z"));
    (void)story_write(story, "admin", "key.added", NULL, body);
    key = key_of(state, "admin");
    assert_false(opl_registry_key_valid(registry(state), key, key->not_before - 1));
    assert_true(opl_registry_key_valid(registry(state), key, key->not_before));
    assert_true(opl_registry_key_valid(registry(state), key, key->not_after - 1));
    assert_false(opl_registry_key_valid(registry(state), key, key->not_after));
}

static void hardware_counts_as_seen_only_by_a_second_person(void **state)
{
    struct story *story = *state;

    (void)story_write(story, "admin", "key.added", NULL, key_body("admin", "admin", "seen"));
    assert_false(key_of(state, "admin")->hardware_seen);
}

static void agents_and_services_need_what_the_contract_says(void **state)
{
    static const char *const bodies[] = {
        "{'name':'x','class':'agent','roles':['recorder'],'owner':'admin'}",
        "{'name':'x','class':'service','roles':['recorder']}",
        "{'name':'x','class':'service','roles':['recorder'],'owner':'nobody'}",
        "{'name':'x','class':'person','roles':['recorder'],'owner':'admin'}",
        "{'name':'opledger','class':'person','roles':['recorder']}",
    };
    struct story *story = *state;

    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++)
        (void)story_force(story, "admin", "principal.enrolled", NULL, story_body("%s", bodies[i]));
    assert_null(opl_registry_principal_at(registry(state), 1));
}

static void a_name_is_given_once(void **state)
{
    struct story *story = *state;

    (void)story_force(story, "admin", "principal.enrolled", NULL,
                      story_body("{'name':'admin','class':'person','roles':[]}"));
    assert_true(opl_principal_has_role(opl_registry_principal(registry(state), "admin"), "admin"));
}

static void a_policy_adopted_again_replaces_the_one_of_its_name(void **state)
{
    struct story *story = *state;

    for (int i = 1; i <= 2; i++)
        (void)story_force(story, "admin", "policy.adopted", NULL,
                          story_body("{'what':'gate','name':'a','sha256':'%064d'}", i));
    (void)story_force(story, "admin", "policy.adopted", NULL,
                      story_body("{'what':'redact','name':'a','sha256':'%064d'}", 3));
    assert_int_equal(opl_registry_policy(registry(state), "gate", "a")->seq, 2);
    assert_int_equal(opl_registry_policy(registry(state), "redact", "a")->seq, 3);
    assert_null(opl_registry_policy_at(registry(state), 2));
}

static void a_clone_is_equal_and_lives_on_its_own(void **state)
{
    struct opl_registry *copy = opl_registry_clone(registry(state));
    char fingerprint[OPL_FINGERPRINT_SIZE];

    stop(state);
    *state = story_begin();
    story_fingerprint("carol", fingerprint);
    assert_true(opl_registry_bootstrap_closed(copy));
    assert_string_equal(opl_registry_principal(copy, "second")->owner, "bob");
    assert_true(opl_principal_has_role(opl_registry_principal(copy, "carol"), "approver.net"));
    assert_string_equal(opl_registry_key(copy, fingerprint)->principal, "carol");
    assert_true(opl_registry_token_by_id(copy, "first")->revoked);
    assert_non_null(opl_registry_policy(copy, "redact", "secrets"));
    assert_int_equal(opl_registry_approvers(copy, STORY_START), 2);
    opl_registry_free(copy);
}

#define T(name) cmocka_unit_test_setup_teardown(name, start, stop)
#define OPEN(name) cmocka_unit_test_setup_teardown(name, start_open, stop)

static const struct CMUnitTest tests[] = {
    T(principals_are_known_by_name_class_owner_and_model),
    T(every_role_implies_reader_and_nothing_else),
    T(keys_are_known_by_fingerprint),
    T(lists_end),
    T(the_first_token_dies_with_the_bootstrap),
    OPEN(a_token_from_a_login_outlives_the_bootstrap),
    OPEN(the_bootstrap_stays_open_below_two_approvers),
    T(administration_without_a_second_signature_is_passed_over),
    T(the_service_itself_cannot_enroll_once_the_bootstrap_is_closed),
    T(a_second_approvers_signature_makes_it_count),
    T(a_second_signature_by_the_same_person_does_not_count),
    T(a_second_signature_by_no_approver_does_not_count),
    T(a_second_signature_under_another_body_does_not_count),
    T(a_second_signature_for_another_kind_does_not_count),
    T(a_second_signature_that_had_expired_does_not_count),
    T(a_second_signature_by_a_revoked_key_does_not_count),
    T(one_bit_of_the_signature_makes_it_not_count),
    T(administration_by_others_than_admins_is_passed_over),
    T(ones_own_key_may_be_taken_back_alone),
    OPEN(a_key_belongs_to_one_person_and_never_comes_back),
    OPEN(a_key_counts_between_its_dates_alone),
    OPEN(hardware_counts_as_seen_only_by_a_second_person),
    OPEN(agents_and_services_need_what_the_contract_says),
    OPEN(a_name_is_given_once),
    OPEN(a_policy_adopted_again_replaces_the_one_of_its_name),
    T(a_clone_is_equal_and_lives_on_its_own),
};

UNIT_MAIN(tests)

/* SPDX-License-Identifier: Apache-2.0 */
/* Administration at the door: the second signature, policies, and the end of the bootstrap. */
#include "refused.h"

static int start(void **state)
{
    *state = story_begin();
    return 0;
}

static int start_open(void **state)
{
    struct story *story = story_new();

    (void)story_write(story, OPL_SELF, "principal.enrolled", NULL,
                      story_body("{'name':'admin','class':'person','roles':['admin',"
                                 "'recorder']}"));
    *state = story;
    return 0;
}

static int stop(void **state)
{
    story_free(*state);
    return 0;
}

static json_t *dave(void)
{
    return story_body("{'name':'dave','class':'person','roles':['recorder','approver.slurm']}");
}

static void without_a_second_signature_it_is_refused_with_a_hint(void **state)
{
    struct story *story = *state;
    struct opl_err err = {0};

    assert_false(story_try(story, "alice", "principal.enrolled", NULL, dave(), &err));
    assert_int_equal(err.code, OPL_E_FORBIDDEN);
    assert_string_equal(err.field, "/body/statement");
    assert_non_null(strstr(err.hint, "opledger/admin"));
}

static void with_a_second_approvers_signature_it_is_admitted(void **state)
{
    struct story *story = *state;

    (void)story_write(story, "alice", "principal.enrolled", NULL,
                      story_second(story, "bob", "principal.enrolled", dave()));
    assert_int_equal(strlen(story->admission.nonce), 32);
    assert_non_null(opl_registry_principal(opl_world_registry(story->world), "dave"));
}

static void a_second_signature_is_used_once(void **state)
{
    struct story *story = *state;
    json_t *body = story_second(story, "bob", "policy.adopted",
                                story_body("{'what':'redact','name':'more','sha256':'%s'}",
                                           story_blob(story, "x") + strlen("sha256:")));

    (void)story_write(story, "alice", "policy.adopted", NULL, json_incref(body));
    REFUSED(story, "alice", "policy.adopted", NULL, body, OPL_E_INVALID, "/body/statement");
}

static void a_second_signature_that_does_not_fit_is_refused(void **state)
{
    struct story *story = *state;
    json_t *body;

    REFUSED(story, "alice", "principal.enrolled", NULL,
            story_second(story, "alice", "principal.enrolled", dave()), OPL_E_FORBIDDEN,
            "/body/statement");
    body = story_second(story, "bob", "principal.enrolled", dave());
    json_object_set_new(body, "roles", json_pack("[s]", "admin"));
    REFUSED(story, "alice", "principal.enrolled", NULL, body, OPL_E_INVALID, "/body/statement");
    body = story_second(story, "bob", "principal.enrolled", dave());
    json_object_set_new(body, "sshsig", json_string("U1NIU0lH"));
    REFUSED(story, "alice", "principal.enrolled", NULL, body, OPL_E_SIGNATURE, "/body/sshsig");
}

static void an_admin_who_approves_does_not_sign_for_themselves(void **state)
{
    struct story *story = *state;

    (void)story_write(story, "alice", "principal.changed", NULL,
                      story_second(story, "carol", "principal.changed",
                                   story_body("{'name':'bob','roles':['admin','recorder',"
                                              "'approver.slurm']}")));
    REFUSED(story, "bob", "principal.enrolled", NULL,
            story_second(story, "bob", "principal.enrolled", dave()), OPL_E_FORBIDDEN,
            "/body/statement");
}

static void the_service_itself_enrolls_nobody_once_the_bootstrap_is_closed(void **state)
{
    struct story *story = *state;

    REFUSED(story, OPL_SELF, "principal.enrolled", NULL,
            story_second(story, "bob", "principal.enrolled", dave()), OPL_E_FORBIDDEN, "/kind");
}

static void a_policy_must_be_stored_and_readable(void **state)
{
    struct story *story = *state;

    REFUSED(story, "admin", "policy.adopted", NULL,
            story_body("{'what':'gate','name':'x','sha256':'%064d'}", 1), OPL_E_INVALID,
            "/body/sha256");
    REFUSED(story, "admin", "policy.adopted", NULL,
            story_body("{'what':'gate','name':'x','sha256':'%s'}",
                       story_blob(story, "v: 1\nname: x\nallow: everything\n") + strlen("sha256:")),
            OPL_E_INVALID, "/body/sha256");
}

static void a_policy_replaces_the_one_it_names(void **state)
{
    struct story *story = *state;
    char first[OPL_DIGEST_SIZE];

    (void)snprintf(first, sizeof first, "%s", story_blob(story, "one"));
    (void)story_write(
        story, "admin", "policy.adopted", NULL,
        story_body("{'what':'redact','name':'x','sha256':'%s'}", first + strlen("sha256:")));
    assert_int_equal(story->admission.blob_count, 1);
    REFUSED(story, "admin", "policy.adopted", NULL,
            story_body("{'what':'redact','name':'x','sha256':'%s','replaces':'sha256:%064d'}",
                       first + strlen("sha256:"), 1),
            OPL_E_WRONG_STATE, "/body/replaces");
    (void)story_write(story, "admin", "policy.adopted", NULL,
                      story_body("{'what':'redact','name':'x','sha256':'%s','replaces':'%s'}",
                                 story_blob(story, "two") + strlen("sha256:"), first));
}

static void the_bootstrap_is_closed_by_two_approvers_with_keys(void **state)
{
    struct story *story = *state;

    REFUSED(story, "admin", "bootstrap.closed", NULL, json_object(), OPL_E_WRONG_STATE, "/kind");
    story_enroll(story, "alice", "recorder|approver.slurm");
    REFUSED(story, "admin", "bootstrap.closed", NULL, json_object(), OPL_E_WRONG_STATE, "/kind");
    story_enroll(story, "bob", "recorder|approver.slurm");
    (void)story_write(story, "admin", "bootstrap.closed", NULL, json_object());
    REFUSED(story, "admin", "bootstrap.closed", NULL, json_object(), OPL_E_WRONG_STATE, "/kind");
}

#define T(name) cmocka_unit_test_setup_teardown(name, start, stop)
#define OPEN(name) cmocka_unit_test_setup_teardown(name, start_open, stop)

static const struct CMUnitTest tests[] = {
    T(without_a_second_signature_it_is_refused_with_a_hint),
    T(with_a_second_approvers_signature_it_is_admitted),
    T(a_second_signature_is_used_once),
    T(a_second_signature_that_does_not_fit_is_refused),
    T(an_admin_who_approves_does_not_sign_for_themselves),
    T(the_service_itself_enrolls_nobody_once_the_bootstrap_is_closed),
    OPEN(a_policy_must_be_stored_and_readable),
    OPEN(a_policy_replaces_the_one_it_names),
    OPEN(the_bootstrap_is_closed_by_two_approvers_with_keys),
};

UNIT_MAIN(tests)

/* SPDX-License-Identifier: Apache-2.0 */
/* Principals and keys at the door. */
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
                      story_body("{'name':'admin','class':'person','roles':['admin']}"));
    *state = story;
    return 0;
}

static int stop(void **state)
{
    story_free(*state);
    return 0;
}

static void each_class_needs_what_the_contract_says(void **state)
{
    static const struct {
        const char *body;
        enum opl_code code;
        const char *field;
    } rows[] = {
        {"{'name':'opledger','class':'person','roles':[]}",            OPL_E_INVALID,     "/body/name" },
        {"{'name':'admin','class':'person','roles':[]}",               OPL_E_WRONG_STATE, "/body/name" },
        {"{'name':'x','class':'person','roles':[],'owner':'admin'}",   OPL_E_INVALID,     "/body/owner"},
        {"{'name':'x','class':'service','roles':[]}",                  OPL_E_INVALID,     "/body/owner"},
        {"{'name':'x','class':'service','roles':[],'owner':'nobody'}", OPL_E_INVALID,
         "/body/owner"                                                                                 },
        {"{'name':'x','class':'agent','roles':[],'owner':'admin'}",    OPL_E_INVALID,     "/body/model"},
        {"{'name':'x','class':'agent','roles':[],"
         "'model':{'provider':'openai','name':'gpt-5'}}",     OPL_E_INVALID,     "/body/owner"},
    };
    struct story *story = *state;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        REFUSED(story, "admin", "principal.enrolled", NULL, story_body("%s", rows[i].body),
                rows[i].code, rows[i].field);
}

static void a_service_is_no_owner(void **state)
{
    struct story *story = *state;

    (void)story_write(story, "admin", "principal.enrolled", NULL,
                      story_body("{'name':'s','class':'service','roles':[],'owner':'admin'}"));
    REFUSED(story, "admin", "principal.enrolled", NULL,
            story_body("{'name':'t','class':'service','roles':[],'owner':'s'}"), OPL_E_INVALID,
            "/body/owner");
}

static void unknown_and_revoked_principals_do_not_change(void **state)
{
    struct story *story = *state;

    REFUSED(story, "admin", "principal.changed", NULL, story_body("{'name':'x','roles':[]}"),
            OPL_E_INVALID, "/body/name");
    REFUSED(story, "admin", "principal.revoked", NULL, story_body("{'name':'x','reason':'y'}"),
            OPL_E_INVALID, "/body/name");
    story_enroll(story, "dave", "recorder");
    (void)story_write(story, "admin", "principal.revoked", NULL,
                      story_body("{'name':'dave','reason':'left'}"));
    REFUSED(story, "admin", "principal.changed", NULL, story_body("{'name':'dave','roles':[]}"),
            OPL_E_INVALID, "/body/name");
}

static json_t *key_body(const char *owner, const char *line)
{
    return story_body("{'principal':'%s','public_key':'%s','hardware':'no'}", owner, line);
}

static void a_key_line_is_one_that_can_verify_and_has_no_comment(void **state)
{
    static const char *const lines[] = {
        "",
        "ssh-ed25519",
        "ssh-ed25519 AAAA",
        "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAgQ==",
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIDtqJ7zOtqQtYqOo0CpvDXNlMhV3HeJDpjrASKGLWdop me@host",
    };
    struct story *story = *state;

    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        REFUSED(story, "admin", "key.added", NULL, key_body("admin", lines[i]), OPL_E_INVALID,
                "/body/public_key");
}

static void people_alone_have_keys_and_each_key_one_person(void **state)
{
    struct story *story = *state;
    char line[128];

    story_key_line("dave", line);
    (void)story_write(story, "admin", "principal.enrolled", NULL,
                      story_body("{'name':'s','class':'service','roles':[],'owner':'admin'}"));
    REFUSED(story, "admin", "key.added", NULL, key_body("s", line), OPL_E_INVALID,
            "/body/principal");
    REFUSED(story, "admin", "key.added", NULL, key_body("nobody", line), OPL_E_INVALID,
            "/body/principal");
    story_enroll(story, "dave", "recorder");
    REFUSED(story, "admin", "key.added", NULL, key_body("admin", line), OPL_E_WRONG_STATE,
            "/body/public_key");
}

static void the_dates_of_a_key_are_in_order(void **state)
{
    struct story *story = *state;
    char line[128];
    json_t *body;

    story_key_line("dave", line);
    body = key_body("admin", line);
    json_object_set_new(body, "not_before", json_string("2026-10-03T00:00:00Z"));
    json_object_set_new(body, "not_after", json_string("2026-10-02T00:00:00+02:00"));
    REFUSED(story, "admin", "key.added", NULL, body, OPL_E_INVALID, "/body/not_after");
}

static json_t *key_revoked(const char *principal, const char *key)
{
    char fingerprint[OPL_FINGERPRINT_SIZE];

    story_fingerprint(key, fingerprint);
    return story_body("{'principal':'%s','fingerprint':'%s','reason':'lost'}", principal,
                      fingerprint);
}

static void a_key_is_revoked_by_its_owner_or_an_admin_and_once(void **state)
{
    struct story *story = *state;

    story_enroll(story, "dave", "recorder");
    story_enroll(story, "erin", "recorder");
    REFUSED(story, "dave", "key.revoked", NULL, key_revoked("erin", "erin"), OPL_E_FORBIDDEN,
            "/kind");
    REFUSED(story, "dave", "key.revoked", NULL, key_revoked("dave", "erin"), OPL_E_INVALID,
            "/body/fingerprint");
    (void)story_write(story, "dave", "key.revoked", NULL, key_revoked("dave", "dave"));
    REFUSED(story, "dave", "key.revoked", NULL, key_revoked("dave", "dave"), OPL_E_WRONG_STATE,
            "/body/fingerprint");
    (void)story_write(story, "admin", "key.revoked", NULL, key_revoked("erin", "erin"));
}

static void two_approvers_always_remain(void **state)
{
    struct story *story = *state;

    REFUSED(story, "bob", "key.revoked", NULL, key_revoked("bob", "bob"), OPL_E_WRONG_STATE,
            "/body");
    REFUSED(story, "alice", "principal.revoked", NULL,
            story_second(story, "carol", "principal.revoked",
                         story_body("{'name':'bob','reason':'x'}")),
            OPL_E_WRONG_STATE, "/body");
    REFUSED(story, "alice", "principal.changed", NULL,
            story_second(story, "carol", "principal.changed",
                         story_body("{'name':'bob','roles':['recorder']}")),
            OPL_E_WRONG_STATE, "/body");
    (void)story_write(story, "alice", "key.revoked", NULL,
                      story_second(story, "carol", "key.revoked", key_revoked("alice", "alice")));
}

static void with_a_third_approver_one_may_leave(void **state)
{
    struct story *story = *state;
    char line[128];

    (void)story_write(story, "alice", "principal.enrolled", NULL,
                      story_second(story, "bob", "principal.enrolled",
                                   story_body("{'name':'dave','class':'person',"
                                              "'roles':['approver.slurm']}")));
    story_key_line("dave", line);
    (void)story_write(story, "alice", "key.added", NULL,
                      story_second(story, "bob", "key.added", key_body("dave", line)));
    (void)story_write(story, "bob", "key.revoked", NULL, key_revoked("bob", "bob"));
    assert_int_equal(opl_registry_approvers(opl_world_registry(story->world), story->now), 2);
}

#define T(name) cmocka_unit_test_setup_teardown(name, start, stop)
#define OPEN(name) cmocka_unit_test_setup_teardown(name, start_open, stop)

static const struct CMUnitTest tests[] = {
    OPEN(each_class_needs_what_the_contract_says),
    OPEN(a_service_is_no_owner),
    OPEN(unknown_and_revoked_principals_do_not_change),
    OPEN(a_key_line_is_one_that_can_verify_and_has_no_comment),
    OPEN(people_alone_have_keys_and_each_key_one_person),
    OPEN(the_dates_of_a_key_are_in_order),
    OPEN(a_key_is_revoked_by_its_owner_or_an_admin_and_once),
    T(two_approvers_always_remain),
    T(with_a_third_approver_one_may_leave),
};

UNIT_MAIN(tests)

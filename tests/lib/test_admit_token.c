/* SPDX-License-Identifier: Apache-2.0 */
#include "refused.h"

static int start(void **state)
{
    *state = story_begin();
    return 0;
}

static int stop(void **state)
{
    story_free(*state);
    return 0;
}

static json_t *token(const char *principal, const char *scope, const char *id)
{
    struct opl_hash secret;
    char hex[OPL_HEX_SIZE];

    opl_sha256(id, strlen(id), &secret);
    opl_hash_hex(&secret, hex);
    return story_body("{'principal':'%s','scope':['%s'],'expires':'2027-01-01T00:00:00Z',"
                      "'token_id':'%s','token_sha256':'%s'}",
                      principal, scope, id, hex);
}

static void the_service_gives_a_token_at_login(void **state)
{
    struct story *story = *state;

    (void)story_write(story, OPL_SELF, "token.created", NULL, token("bob", "recorder", "t1"));
    assert_string_equal(opl_registry_token_by_id(opl_world_registry(story->world), "t1")->principal,
                        "bob");
}

static void a_scope_is_never_more_than_the_principals_roles(void **state)
{
    struct story *story = *state;

    REFUSED(story, OPL_SELF, "token.created", NULL, token("bob", "admin", "t1"), OPL_E_INVALID,
            "/body/scope/0");
    REFUSED(story, OPL_SELF, "token.created", NULL, token("bob", "approver.net", "t1"),
            OPL_E_INVALID, "/body/scope/0");
    (void)story_write(story, OPL_SELF, "token.created", NULL, token("bob", "reader", "t1"));
}

static void a_token_for_another_needs_a_second_signature_and_ones_own_does_not(void **state)
{
    struct story *story = *state;

    REFUSED(story, "alice", "token.created", NULL, token("importer", "recorder", "t1"),
            OPL_E_FORBIDDEN, "/body/statement");
    (void)story_write(
        story, "alice", "token.created", NULL,
        story_second(story, "bob", "token.created", token("importer", "recorder", "t1")));
    (void)story_write(story, "alice", "token.created", NULL, token("alice", "recorder", "t2"));
}

static void a_token_makes_none_that_may_more_than_itself(void **state)
{
    struct story *story = *state;
    char admin[] = "admin";
    char *const scope[] = {admin, NULL};

    story->scope = scope;
    REFUSED(story, "alice", "token.created", NULL, token("alice", "recorder", "t1"),
            OPL_E_FORBIDDEN, "/body/scope/0");
    (void)story_write(story, "alice", "token.created", NULL, token("alice", "admin", "t1"));
}

static void a_name_or_secret_is_used_once(void **state)
{
    struct story *story = *state;
    json_t *body = token("bob", "recorder", "t1");

    (void)story_write(story, OPL_SELF, "token.created", NULL, json_incref(body));
    REFUSED(story, OPL_SELF, "token.created", NULL, json_deep_copy(body), OPL_E_WRONG_STATE,
            "/body/token_id");
    json_object_set_new(body, "token_id", json_string("t2"));
    REFUSED(story, OPL_SELF, "token.created", NULL, body, OPL_E_WRONG_STATE, "/body/token_sha256");
}

static void a_token_ends_in_the_future_and_is_somebodys(void **state)
{
    struct story *story = *state;
    json_t *body = token("bob", "recorder", "t1");

    json_object_set_new(body, "expires", json_string("2026-10-01T00:00:00Z"));
    REFUSED(story, OPL_SELF, "token.created", NULL, body, OPL_E_INVALID, "/body/expires");
    REFUSED(story, OPL_SELF, "token.created", NULL, token("nobody", "reader", "t1"), OPL_E_INVALID,
            "/body/principal");
}

static void a_token_is_revoked_once(void **state)
{
    struct story *story = *state;

    (void)story_write(story, OPL_SELF, "token.created", NULL, token("bob", "recorder", "t1"));
    (void)story_write(story, "alice", "token.revoked", NULL,
                      story_body("{'token_id':'t1','reason':'x'}"));
    assert_true(opl_registry_token_by_id(opl_world_registry(story->world), "t1")->revoked);
    REFUSED(story, "alice", "token.revoked", NULL, story_body("{'token_id':'t1','reason':'x'}"),
            OPL_E_WRONG_STATE, "/body/token_id");
    REFUSED(story, "alice", "token.revoked", NULL, story_body("{'token_id':'t9','reason':'x'}"),
            OPL_E_INVALID, "/body/token_id");
}

#define T(name) cmocka_unit_test_setup_teardown(name, start, stop)

static const struct CMUnitTest tests[] = {
    T(the_service_gives_a_token_at_login),
    T(a_scope_is_never_more_than_the_principals_roles),
    T(a_token_for_another_needs_a_second_signature_and_ones_own_does_not),
    T(a_token_makes_none_that_may_more_than_itself),
    T(a_name_or_secret_is_used_once),
    T(a_token_ends_in_the_future_and_is_somebodys),
    T(a_token_is_revoked_once),
};

UNIT_MAIN(tests)

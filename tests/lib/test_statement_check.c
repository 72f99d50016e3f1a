/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "story.h"

#define CHALLENGE "00112233445566778899aabbccddeeff"

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

static struct story_statement confirmation(void)
{
    return (struct story_statement){
        .type = "opledger/confirmation", .signer = "bob", .about = story_body("{'fact':1}")};
}

static bool check_body(struct story *story, const json_t *body, const char *type,
                       struct opl_err *err)
{
    OPL_CLEANUP(opl_statement_close) struct opl_statement statement = {0};
    const struct opl_person_key *key;
    bool ok = opl_statement_check(opl_world_registry(story->world), &story->env,
                                  opl_json_str(body, "statement"), opl_json_str(body, "sshsig"),
                                  type, story->now, &statement, &key, err);

    assert_true(ok == (statement.root != NULL));
    assert_true(ok == (key != NULL));
    return ok;
}

static bool check(struct story *story, const struct story_statement *statement, const char *type,
                  struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *body = story_sign(story, statement);

    return check_body(story, body, type, err);
}

static void assert_bad(struct story *story, const struct story_statement *statement,
                       enum opl_code code, const char *field)
{
    struct opl_err why = {0};

    assert_false(check(story, statement, "opledger/confirmation", &why));
    if (why.code != code || strcmp(why.field, field) != 0)
        fail_msg("%s at \"%s\": %s", opl_code_slug(why.code), why.field, why.text);
}

static void a_statement_that_is_right_in_everything_is_accepted(void **state)
{
    struct story_statement statement = confirmation();

    assert_ok(check(*state, &statement, "opledger/confirmation", err));
}

static void one_changed_byte_is_a_bad_signature(void **state)
{
    struct story_statement statement = confirmation();

    statement.spoiled = true;
    assert_bad(*state, &statement, OPL_E_SIGNATURE, "/sshsig");
}

static void another_namespace_is_a_bad_signature(void **state)
{
    struct story_statement statement = confirmation();

    statement.ssh_namespace = "approve@opledger";
    assert_bad(*state, &statement, OPL_E_SIGNATURE, "/sshsig");
}

static void a_key_that_is_not_enrolled_is_a_bad_signature(void **state)
{
    struct story_statement statement = confirmation();

    statement.key = "mallory";
    assert_bad(*state, &statement, OPL_E_SIGNATURE, "/sshsig");
}

static void somebody_elses_key_is_a_bad_signature(void **state)
{
    struct story_statement statement = confirmation();

    statement.key = "carol";
    assert_bad(*state, &statement, OPL_E_SIGNATURE, "/sshsig");
}

static void a_revoked_key_is_a_bad_signature(void **state)
{
    struct story *story = *state;
    struct story_statement statement = confirmation();
    char fingerprint[OPL_FINGERPRINT_SIZE];

    story_fingerprint("bob", fingerprint);
    (void)story_force(
        story, "bob", "key.revoked", NULL,
        story_body("{'principal':'bob','fingerprint':'%s','reason':'lost'}", fingerprint));
    assert_bad(story, &statement, OPL_E_SIGNATURE, "/sshsig");
}

static void the_key_of_a_revoked_person_is_a_bad_signature(void **state)
{
    struct story *story = *state;
    struct story_statement statement = confirmation();

    (void)story_force(story, "alice", "principal.revoked", NULL,
                      story_second(story, "carol", "principal.revoked",
                                   story_body("{'name':'bob','reason':'left'}")));
    assert_bad(story, &statement, OPL_E_SIGNATURE, "/sshsig");
}

static void the_type_is_the_one_that_is_asked_for(void **state)
{
    struct story_statement statement = {.type = "opledger/login",
                                        .signer = "bob",
                                        .about = story_body("{'challenge':'%s','ttl':'1h',"
                                                            "'url':'http://[::1]:8585'}",
                                                            CHALLENGE)};

    statement.expires = ((struct story *)*state)->now + 60 * OPL_SECOND;
    assert_bad(*state, &statement, OPL_E_INVALID, "/statement");
}

static void an_expired_statement_is_stale(void **state)
{
    struct story *story = *state;
    struct story_statement statement = confirmation();

    statement.issued = story->now - 600 * OPL_SECOND;
    statement.expires = story->now;
    assert_bad(story, &statement, OPL_E_STALE, "/statement");
}

static void five_minutes_ahead_are_allowed_and_no_more(void **state)
{
    struct story *story = *state;
    struct story_statement statement = confirmation();

    statement.issued = story->now + 300 * OPL_SECOND;
    assert_ok(check(story, &statement, "opledger/confirmation", err));
    statement = confirmation();
    statement.issued = story->now + 301 * OPL_SECOND;
    assert_bad(story, &statement, OPL_E_INVALID, "/statement");
}

static void a_log_of_another_origin_is_stale(void **state)
{
    struct story_statement statement = confirmation();

    statement.origin = "other.example/2026";
    assert_bad(*state, &statement, OPL_E_STALE, "/statement");
}

static void a_log_larger_than_ours_is_stale(void **state)
{
    struct story *story = *state;
    struct story_statement statement = confirmation();

    statement.size = story->seq + 1;
    assert_bad(story, &statement, OPL_E_STALE, "/statement");
}

static void a_nonce_is_used_once(void **state)
{
    struct story *story = *state;
    struct story_statement statement = confirmation();

    statement.nonce = CHALLENGE;
    json_object_set_new(story->nonces, CHALLENGE, json_true());
    assert_bad(story, &statement, OPL_E_INVALID, "/statement");
}

static void text_that_is_no_statement_is_invalid(void **state)
{
    static const char *const texts[] = {"", "{}", "[]", "null", "{\"about\":{}}", "\xff"};
    struct story *story = *state;

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct opl_err why = {0};
        OPL_CLEANUP(opl_statement_close) struct opl_statement statement = {0};
        const struct opl_person_key *key;

        assert_false(opl_statement_check(opl_world_registry(story->world), &story->env, texts[i],
                                         "AAAA", "opledger/confirmation", story->now, &statement,
                                         &key, &why));
        assert_int_equal(why.code, OPL_E_INVALID);
        assert_int_equal(strncmp(why.field, "/statement", strlen("/statement")), 0);
    }
}

static void a_signature_that_is_no_signature_is_bad(void **state)
{
    static const char *const texts[] = {"", "AAAA", "!", "U1NIU0lH"};
    struct story_statement statement = confirmation();
    OPL_CLEANUP(opl_json_freep) json_t *body = story_sign(*state, &statement);

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct opl_err why = {0};

        json_object_set_new(body, "sshsig", json_string(texts[i]));
        assert_false(check_body(*state, body, "opledger/confirmation", &why));
        if (why.code != OPL_E_SIGNATURE)
            fail_msg("\"%s\": %s", texts[i], opl_code_slug(why.code));
    }
}

static bool unreachable(void *ctx, const struct opl_head *head, bool *yes, struct opl_err *err)
{
    (void)ctx;
    (void)head;
    *yes = true;
    return opl_fail(err, OPL_E_UNAVAILABLE, "the database is gone");
}

static void a_log_that_cannot_be_asked_is_no_yes(void **state)
{
    struct story *story = *state;
    struct story_statement statement = confirmation();

    story->env.on_history = unreachable;
    assert_bad(story, &statement, OPL_E_UNAVAILABLE, "");
}

#define T(name) cmocka_unit_test_setup_teardown(name, start, stop)

static const struct CMUnitTest tests[] = {
    T(a_statement_that_is_right_in_everything_is_accepted),
    T(one_changed_byte_is_a_bad_signature),
    T(another_namespace_is_a_bad_signature),
    T(a_key_that_is_not_enrolled_is_a_bad_signature),
    T(somebody_elses_key_is_a_bad_signature),
    T(a_revoked_key_is_a_bad_signature),
    T(the_key_of_a_revoked_person_is_a_bad_signature),
    T(the_type_is_the_one_that_is_asked_for),
    T(an_expired_statement_is_stale),
    T(five_minutes_ahead_are_allowed_and_no_more),
    T(a_log_of_another_origin_is_stale),
    T(a_log_larger_than_ours_is_stale),
    T(a_nonce_is_used_once),
    T(text_that_is_no_statement_is_invalid),
    T(a_signature_that_is_no_signature_is_bad),
    T(a_log_that_cannot_be_asked_is_no_yes),
};

UNIT_MAIN(tests)

/* SPDX-License-Identifier: Apache-2.0 */
#include "refused.h"

static int start(void **state)
{
    struct story *story = story_begin();

    (void)story_incident(story, "alice");
    *state = story;
    return 0;
}

static int stop(void **state)
{
    story_free(*state);
    return 0;
}

static json_t *egress(struct story *story, const char *outcome)
{
    char rules[OPL_DIGEST_SIZE];
    struct opl_hash adopted;

    assert_ok(opl_adopted_rules(opl_world_registry(story->world), &adopted, err));
    opl_hash_digest(&adopted, rules);
    return story_body("{'destination':'hosted','model':{'provider':'openai','name':'gpt-5'},"
                      "'rules':'%s','sent_sha256':'%s','manifest_sha256':'%s','bytes':5,"
                      "'hits':{'secret':1},'unscannable':0,'outcome':'%s'}",
                      rules, story_blob(story, "clean") + strlen("sha256:"),
                      story_blob(story, "manifest") + strlen("sha256:"), outcome);
}

static void what_left_is_recorded_with_its_output_and_manifest(void **state)
{
    struct story *story = *state;

    (void)story_write(story, "alice", "egress.recorded", "inc-1", egress(story, "sent"));
    assert_string_equal(story->last_id, "egr-1");
    assert_int_equal(story->admission.blob_count, 2);
}

static void rules_that_are_not_adopted_are_refused(void **state)
{
    struct story *story = *state;
    json_t *body = egress(story, "sent");

    json_object_set_new(body, "rules", json_sprintf("sha256:%064d", 1));
    REFUSED(story, "alice", "egress.recorded", "inc-1", body, OPL_E_INVALID, "/body/rules");
}

static void rules_of_yesterday_are_refused(void **state)
{
    struct story *story = *state;
    json_t *body = egress(story, "sent");

    (void)story_force(
        story, "alice", "policy.adopted", NULL,
        story_second(story, "bob", "policy.adopted",
                     story_body("{'what':'redact','name':'more','sha256':'%064d'}", 1)));
    REFUSED(story, "alice", "egress.recorded", "inc-1", body, OPL_E_INVALID, "/body/rules");
}

static void output_and_manifest_must_be_stored(void **state)
{
    static const char *const fields[] = {"sent_sha256", "manifest_sha256"};
    struct story *story = *state;
    char pointer[64];

    for (size_t i = 0; i < 2; i++) {
        json_t *body = egress(story, "sent");

        (void)snprintf(pointer, sizeof pointer, "/body/%s", fields[i]);
        json_object_set_new(body, fields[i], json_sprintf("%064d", 1));
        REFUSED(story, "alice", "egress.recorded", "inc-1", body, OPL_E_INVALID, pointer);
    }
}

static void what_the_services_own_pass_finds_is_refused(void **state)
{
    struct story *story = *state;

    story->unclean = true;
    REFUSED(story, "alice", "egress.recorded", "inc-1", egress(story, "sent"), OPL_E_INVALID,
            "/body/sent_sha256");
    (void)story_write(story, "alice", "egress.recorded", "inc-1", egress(story, "refused"));
}

static void a_source_is_attached_evidence_of_the_same_incident(void **state)
{
    struct story *story = *state;
    const char *digest = story_evidence(story, "alice", "inc-1", "raw trace");
    json_t *body = egress(story, "sent");

    json_object_set_new(body, "source_sha256", json_string(digest + strlen("sha256:")));
    (void)story_write(story, "alice", "egress.recorded", "inc-1", json_deep_copy(body));
    json_object_set_new(body, "source_sha256", json_sprintf("%064d", 1));
    REFUSED(story, "alice", "egress.recorded", "inc-1", body, OPL_E_INVALID, "/body/source_sha256");
}

static json_t *prompted(const char *kind, const char *egress)
{
    bool is_verdict = strcmp(kind, "verdict.recorded") == 0;

    return story_body("{%s,'model':{'provider':'openai','name':'gpt-5'},'prompt_sha256':'%064d',"
                      "'egress':[%s]}",
                      is_verdict ? "'mode':'blind','verdict':'agrees','rationale':'r','evidence':[]"
                                 : "'claim':'x'",
                      8, egress);
}

static void a_prompt_names_egresses_of_its_own_incident_only(void **state)
{
    static const struct {
        const char *kind, *on;
    } rows[] = {
        {"hypothesis.recorded", "inc-1"},
        {"verdict.recorded",    "hyp-1"},
    };
    struct story *story = *state;

    (void)story_hypothesis(story, "helper", "inc-1");
    (void)story_incident(story, "alice");
    (void)story_write(story, "alice", "egress.recorded", "inc-1", egress(story, "sent"));
    (void)story_write(story, "alice", "egress.recorded", "hyp-1", egress(story, "sent"));
    (void)story_write(story, "alice", "egress.recorded", "inc-2", egress(story, "sent"));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        REFUSED(story, "helper", rows[i].kind, rows[i].on,
                prompted(rows[i].kind, "'egr-1','egr-3'"), OPL_E_INVALID, "/body/egress/1");
        (void)story_write(story, "helper", rows[i].kind, rows[i].on,
                          prompted(rows[i].kind, "'egr-1','egr-2'"));
    }
}

#define T(name) cmocka_unit_test_setup_teardown(name, start, stop)

static const struct CMUnitTest tests[] = {
    T(what_left_is_recorded_with_its_output_and_manifest),
    T(rules_that_are_not_adopted_are_refused),
    T(rules_of_yesterday_are_refused),
    T(output_and_manifest_must_be_stored),
    T(what_the_services_own_pass_finds_is_refused),
    T(a_prompt_names_egresses_of_its_own_incident_only),
    T(a_source_is_attached_evidence_of_the_same_incident),
};

UNIT_MAIN(tests)

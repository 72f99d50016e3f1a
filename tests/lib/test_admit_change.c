/* SPDX-License-Identifier: Apache-2.0 */
/* Proposing and revising a change. */
#include "refused.h"

static int start(void **state)
{
    struct story *story = story_begin();

    (void)story_incident(story, "alice");
    (void)story_hypothesis(story, "helper", "inc-1");
    *state = story;
    return 0;
}

static int stop(void **state)
{
    story_free(*state);
    return 0;
}

static json_t *with(json_t *body, const char *key, json_t *value)
{
    json_object_set_new(body, key, value);
    return body;
}

static json_t *revision(struct story *story)
{
    json_t *body = story_proposal(story, "hyp-1");

    json_object_del(body, "title");
    json_object_del(body, "class");
    json_object_del(body, "target");
    return body;
}

static void a_proposal_keeps_its_manifest_and_both_sides_of_each_file(void **state)
{
    struct story *story = *state;

    (void)story_change(story, "alice", "inc-1", "hyp-1");
    assert_int_equal(story->admission.blob_count, 3);
    (void)story_change(story, "importer", NULL, NULL);
}

static void a_plan_to_call_off_must_be_stored(void **state)
{
    struct story *story = *state;
    const char *plan = story_blob(story, "put it back");

    (void)story_write(story, "alice", "change.proposed", "inc-1",
                      with(story_proposal(story, "hyp-1"), "call_off_plan_sha256",
                           json_string(plan + strlen("sha256:"))));
    assert_int_equal(story->admission.blob_count, 4);
    REFUSED(story, "alice", "change.proposed", "inc-1",
            with(story_proposal(story, "hyp-1"), "call_off_plan_sha256", json_sprintf("%064d", 1)),
            OPL_E_INVALID, "/body/call_off_plan_sha256");
}

static void a_manifest_that_is_not_stored_is_refused(void **state)
{
    struct story *story = *state;

    REFUSED(story, "alice", "change.proposed", "inc-1",
            with(story_proposal(story, "hyp-1"), "manifest", json_sprintf("sha256:%064d", 1)),
            OPL_E_INVALID, "/body/manifest");
}

static void a_file_that_is_not_stored_is_refused(void **state)
{
    struct story *story = *state;
    json_t *body = story_proposal(story, "hyp-1");
    const char *next = story_blob(story, "SlurmctldDebug=info\n");

    json_object_del(story->blobs, next + strlen("sha256:"));
    REFUSED(story, "alice", "change.proposed", "inc-1", body, OPL_E_INVALID, "/body/manifest");
}

static void a_manifest_that_is_none_is_refused(void **state)
{
    struct story *story = *state;

    REFUSED(story, "alice", "change.proposed", "inc-1",
            with(story_proposal(story, "hyp-1"), "manifest", json_string(story_blob(story, "{}"))),
            OPL_E_INVALID, "/body/manifest");
}

static void the_target_and_the_number_of_files_are_those_of_the_manifest(void **state)
{
    struct story *story = *state;

    REFUSED(story, "alice", "change.proposed", "inc-1",
            with(story_proposal(story, "hyp-1"), "target", json_string("other/slurm")),
            OPL_E_INVALID, "/body/manifest");
    REFUSED(story, "alice", "change.proposed", "inc-1",
            with(story_proposal(story, "hyp-1"), "files", json_integer(2)), OPL_E_INVALID,
            "/body/files");
}

static void each_hypothesis_must_exist(void **state)
{
    struct story *story = *state;

    REFUSED(story, "alice", "change.proposed", "inc-1", story_proposal(story, "hyp-2"),
            OPL_E_INVALID, "/body/hypotheses/0");
}

static void the_proposer_alone_revises(void **state)
{
    struct story *story = *state;

    (void)story_change(story, "alice", "inc-1", "hyp-1");
    REFUSED(story, "bob", "change.revised", "chg-1", revision(story), OPL_E_FORBIDDEN, "/on");
    (void)story_write(story, "alice", "change.revised", "chg-1", revision(story));
    assert_int_equal(story->admission.blob_count, 3);
    (void)story_write(story, "importer", "change.revised", "chg-1", revision(story));
}

static void a_revision_keeps_the_target(void **state)
{
    struct story *story = *state;
    json_t *proposal = story_proposal(story, "hyp-1");

    (void)story_force(story, "alice", "change.proposed", "inc-1",
                      with(proposal, "target", json_string("other/slurm")));
    REFUSED(story, "alice", "change.revised", "chg-1", revision(story), OPL_E_INVALID,
            "/body/manifest");
}

static void what_is_started_is_not_revised(void **state)
{
    struct story *story = *state;

    (void)story_change(story, "alice", "inc-1", "hyp-1");
    (void)story_force(story, "alice", "change.started", "chg-1", story_body("{'decision':1}"));
    REFUSED(story, "alice", "change.revised", "chg-1", revision(story), OPL_E_WRONG_STATE, "/on");
}

#define T(name) cmocka_unit_test_setup_teardown(name, start, stop)

static const struct CMUnitTest tests[] = {
    T(a_proposal_keeps_its_manifest_and_both_sides_of_each_file),
    T(a_plan_to_call_off_must_be_stored),
    T(a_manifest_that_is_not_stored_is_refused),
    T(a_file_that_is_not_stored_is_refused),
    T(a_manifest_that_is_none_is_refused),
    T(the_target_and_the_number_of_files_are_those_of_the_manifest),
    T(each_hypothesis_must_exist),
    T(the_proposer_alone_revises),
    T(a_revision_keeps_the_target),
    T(what_is_started_is_not_revised),
};

UNIT_MAIN(tests)

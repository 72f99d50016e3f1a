/* SPDX-License-Identifier: Apache-2.0 */
/* Notes, closings, attachments and withdrawals; and what a note costs. */
#include "refused.h"

#define EIGHT "0123abcd"

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

static json_t *withdrawal(uint64_t fact)
{
    return story_body("{'fact':%d,'reason':'x'}", (int)fact);
}

static void a_note_corrects_a_note_of_the_same_incident(void **state)
{
    struct story *story = *state;
    uint64_t first =
        story_write(story, "alice", "incident.noted", "inc-1", story_body("{'text':'x'}"));

    (void)story_write(story, "bob", "incident.noted", "inc-1",
                      story_body("{'text':'y','corrects':%d}", (int)first));
    REFUSED(story, "bob", "incident.noted", "inc-1",
            story_body("{'text':'y','corrects':%d}", (int)first - 1), OPL_E_INVALID,
            "/body/corrects");
    REFUSED(story, "bob", "incident.noted", "inc-1",
            story_body("{'text':'y','corrects':%d}", (int)story->seq), OPL_E_INVALID,
            "/body/corrects");
    (void)story_incident(story, "alice");
    REFUSED(story, "bob", "incident.noted", "inc-2",
            story_body("{'text':'y','corrects':%d}", (int)first), OPL_E_INVALID, "/body/corrects");
}

static void a_successor_is_another_hypothesis_of_the_incident(void **state)
{
    struct story *story = *state;

    REFUSED(story, "alice", "hypothesis.closed", "hyp-1",
            story_body("{'how':'superseded','by':'hyp-1','reason':'x'}"), OPL_E_INVALID,
            "/body/by");
    REFUSED(story, "alice", "hypothesis.closed", "hyp-1",
            story_body("{'how':'superseded','by':'hyp-2','reason':'x'}"), OPL_E_INVALID,
            "/body/by");
    (void)story_incident(story, "alice");
    (void)story_hypothesis(story, "helper", "inc-2");
    REFUSED(story, "alice", "hypothesis.closed", "hyp-1",
            story_body("{'how':'superseded','by':'hyp-2','reason':'x'}"), OPL_E_INVALID,
            "/body/by");
    (void)story_hypothesis(story, "helper", "inc-1");
    (void)story_close(story, "hyp-1", "superseded", "hyp-3");
}

static void attached_bytes_must_be_stored_and_are_kept(void **state)
{
    struct story *story = *state;

    (void)story_evidence(story, "alice", "inc-1", "trace");
    assert_int_equal(story->admission.blob_count, 1);
    REFUSED(story, "alice", "evidence.attached", "inc-1",
            story_body("{'sha256':'%064d','size':3,'media_type':'text/plain','name':'x',"
                       "'source':'strace'}",
                       1),
            OPL_E_INVALID, "/body/sha256");
}

static void only_positive_facts_are_withdrawn(void **state)
{
    struct story *story = *state;
    const char *log = story_evidence(story, "bob", "hyp-1", "a");
    uint64_t evidence = story->seq - 1;
    uint64_t good = story_reproduction(story, "bob", "hyp-1", "reproduced", log);
    uint64_t bad = story_reproduction(story, "bob", "hyp-1", "not-reproduced", log);
    uint64_t vendor = story_vendor(story, "bob", "hyp-1", "confirmed", log);

    REFUSED(story, "bob", "fact.withdrawn", "hyp-1", withdrawal(bad), OPL_E_INVALID, "/body/fact");
    REFUSED(story, "bob", "fact.withdrawn", "hyp-1", withdrawal(vendor), OPL_E_INVALID,
            "/body/fact");
    REFUSED(story, "bob", "fact.withdrawn", "hyp-1", withdrawal(0), OPL_E_INVALID, "/body/fact");
    REFUSED(story, "bob", "fact.withdrawn", "inc-1", withdrawal(good), OPL_E_INVALID, "/body/fact");
    (void)story_write(story, "bob", "fact.withdrawn", "hyp-1", withdrawal(good));
    (void)story_write(story, "bob", "fact.withdrawn", "hyp-1", withdrawal(evidence));
}

static void a_fact_is_withdrawn_once(void **state)
{
    struct story *story = *state;

    (void)story_evidence(story, "bob", "hyp-1", "a");
    (void)story_write(story, "bob", "fact.withdrawn", "hyp-1", withdrawal(story->seq - 1));
    REFUSED(story, "bob", "fact.withdrawn", "hyp-1", withdrawal(story->seq - 2), OPL_E_WRONG_STATE,
            "/body/fact");
}

static void its_author_or_a_reviewer_withdraws_a_fact(void **state)
{
    struct story *story = *state;

    (void)story_evidence(story, "helper", "hyp-1", "a");
    REFUSED(story, "bob", "fact.withdrawn", "hyp-1", withdrawal(story->seq - 1), OPL_E_FORBIDDEN,
            "/body/fact");
    (void)story_write(story, "carol", "fact.withdrawn", "hyp-1", withdrawal(story->seq - 1));
    (void)story_evidence(story, "helper", "hyp-1", "b");
    (void)story_write(story, "alice", "fact.withdrawn", "hyp-1", withdrawal(story->seq - 1));
    REFUSED(story, "helper", "fact.withdrawn", "hyp-1", withdrawal(story->seq - 2), OPL_E_FORBIDDEN,
            "/kind");
}

static int loads;

static bool count_loads(void *ctx, const char *id, struct opl_world *world, struct opl_err *err)
{
    (void)ctx;
    (void)id;
    (void)world;
    (void)err;
    loads++;
    return true;
}

/* The children of an incident are not looked at: the source would be asked for each of them. */
static void a_note_or_hypothesis_on_a_held_incident_asks_nothing_of_the_source(void **state)
{
    struct story *story = *state;
    const struct opl_source source = {.subject = count_loads};
    struct opl_world *whole = story->world;

    story->world = opl_world_new(&source);
    opl_world_set_registry_take(
        story->world, opl_registry_share((struct opl_registry *)opl_world_registry(whole)));
    opl_world_free(whole);
    (void)story_incident(story, "alice");
    for (int i = 0; i < 100; i++)
        (void)story_hypothesis(story, "importer", "inc-2");
    opl_world_forget(story->world, "hyp-50");
    loads = 0;
    (void)story_write(story, "alice", "incident.noted", "inc-2", story_body("{'text':'x'}"));
    (void)story_hypothesis(story, "importer", "inc-2");
    assert_int_equal(loads, 0);
}

static void evidence_says_truly_how_many_bytes_it_has(void **state)
{
    static const char body[] = "{'sha256':'" EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT
                               "','size':%d,'media_type':'text/plain','name':'f','source':'s'}";
    struct story *story = *state;

    json_object_set_new(story->blobs, EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT,
                        json_integer(0));
    REFUSED(story, "alice", "evidence.attached", "inc-1", story_body(body, 5000), OPL_E_INVALID,
            "/body/size");
    (void)story_write(story, "alice", "evidence.attached", "inc-1", story_body(body, 0));
}

#define T(name) cmocka_unit_test_setup_teardown(name, start, stop)

static const struct CMUnitTest tests[] = {
    T(a_note_corrects_a_note_of_the_same_incident),
    T(a_successor_is_another_hypothesis_of_the_incident),
    T(attached_bytes_must_be_stored_and_are_kept),
    T(evidence_says_truly_how_many_bytes_it_has),
    T(only_positive_facts_are_withdrawn),
    T(a_fact_is_withdrawn_once),
    T(its_author_or_a_reviewer_withdraws_a_fact),
    T(a_note_or_hypothesis_on_a_held_incident_asks_nothing_of_the_source),
};

UNIT_MAIN(tests)

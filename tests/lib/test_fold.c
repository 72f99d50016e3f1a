/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "story.h"

static int start(void **state)
{
    struct story *story = story_begin();

    (void)story_incident(story, "alice");
    (void)story_hypothesis(story, "helper", "inc-1");
    (void)story_change(story, "alice", "inc-1", "hyp-1");
    *state = story;
    return 0;
}

static int stop(void **state)
{
    story_free(*state);
    return 0;
}

static const struct opl_fold *fold_of(struct story *story, const char *id)
{
    const struct opl_fold *fold;

    assert_ok(opl_world_find(story->world, id, &fold, err));
    assert_non_null(fold);
    return fold;
}

static uint64_t note(struct story *story)
{
    return story_write(story, "helper", "incident.noted", "inc-1", story_body("{'text':'x'}"));
}

static void notes_are_counted_and_not_kept(void **state)
{
    struct story *story = *state;
    const struct opl_fold *inc = fold_of(story, "inc-1");
    size_t facts = inc->fact_count;
    uint64_t first = note(story), second = note(story);

    assert_int_equal(inc->fact_count, facts);
    assert_int_equal(inc->note_count, 2);
    assert_true(opl_fold_has_note(inc, first));
    assert_true(opl_fold_has_note(inc, second));
    assert_false(opl_fold_has_note(inc, inc->created));
    assert_false(opl_fold_has_note(inc, second + 1));
    assert_int_equal(inc->last_seq, second);
}

static void a_model_call_leaves_only_its_place_on_the_incident(void **state)
{
    struct story *story = *state;
    const struct opl_fold *inc = fold_of(story, "inc-1");
    size_t facts = inc->fact_count;
    uint64_t seq =
        story_write(story, "helper", "modelcall.recorded", "inc-1",
                    story_body("{'model':{'provider':'openai','name':'gpt-5'},'operation':'chat',"
                               "'request_sha256':'%064d','attempt':1,'status':'ok'}",
                               1));

    assert_int_equal(inc->fact_count, facts);
    assert_int_equal(inc->last_seq, seq);
    assert_int_equal(fold_of(story, "call-1")->fact_count, 1);
}

static void a_hypothesis_is_a_fact_of_itself_and_of_its_incident(void **state)
{
    struct story *story = *state;
    const struct opl_fold *inc = fold_of(story, "inc-1"), *hyp = fold_of(story, "hyp-1");
    const struct opl_fact *fact = opl_fold_fact(inc, hyp->created);

    assert_non_null(fact);
    assert_string_equal(fact->id, "hyp-1");
    assert_string_equal(fact->actor, "helper");
    assert_ptr_equal(opl_fold_creation(hyp), &hyp->facts[0]);
    assert_null(opl_fold_fact(inc, 0));
}

static void states_follow_the_entries(void **state)
{
    static const struct {
        const char *outcome;
        enum opl_state state;
    } rows[] = {
        {"applied",    OPL_S_APPLIED   },
        {"failed",     OPL_S_FAILED    },
        {"called-off", OPL_S_CALLED_OFF},
        {"reverted",   OPL_S_REVERTED  },
        {"unknown",    OPL_S_UNKNOWN   },
    };
    struct story *story = *state;
    const struct opl_fold *inc = fold_of(story, "inc-1"), *chg = fold_of(story, "chg-1");

    assert_int_equal(inc->state, OPL_S_OPEN);
    (void)story_write(story, "alice", "incident.closed", "inc-1",
                      story_body("{'outcome':'resolved'}"));
    assert_int_equal(inc->state, OPL_S_CLOSED);
    (void)story_write(story, "alice", "incident.reopened", "inc-1", story_body("{'text':'x'}"));
    assert_int_equal(inc->state, OPL_S_OPEN);
    (void)story_close(story, "hyp-1", "refuted", NULL);
    assert_int_equal(fold_of(story, "hyp-1")->state, OPL_S_CLOSED);
    assert_int_equal(chg->state, OPL_S_PROPOSED);
    (void)story_force(story, "alice", "change.started", "chg-1", story_body("{'decision':1}"));
    assert_int_equal(chg->state, OPL_S_STARTED);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        (void)story_force(story, "alice", "change.finished", "chg-1",
                          story_body("{'outcome':'%s','evidence':[]}", rows[i].outcome));
        assert_int_equal(chg->state, rows[i].state);
    }
}

static void evidence_counts_from_its_own_place_on(void **state)
{
    struct story *story = *state;
    const char *digest = story_evidence(story, "alice", "inc-1", "futex");
    const struct opl_fold *inc = fold_of(story, "inc-1");
    uint64_t seq = story->seq - 1;

    assert_true(opl_fold_has_evidence(inc, digest, seq + 1));
    assert_true(opl_fold_has_evidence(inc, digest + strlen("sha256:"), seq + 1));
    assert_false(opl_fold_has_evidence(inc, digest, seq));
    assert_false(opl_fold_has_evidence(fold_of(story, "hyp-1"), digest, seq + 1));
}

static void empty_evidence_is_none(void **state)
{
    struct story *story = *state;
    const char *digest = story_evidence(story, "alice", "inc-1", "");

    assert_false(opl_fold_has_evidence(fold_of(story, "inc-1"), digest, story->seq));
    (void)story_write(story, "alice", "evidence.attached", "inc-1",
                      story_body("{'sha256':'%s','size':12,'media_type':'text/plain','name':'x',"
                                 "'source':'y'}",
                                 digest + strlen("sha256:")));
    assert_false(opl_fold_has_evidence(fold_of(story, "inc-1"), digest, story->seq));
}

static void withdrawn_evidence_is_none_until_it_is_attached_again(void **state)
{
    struct story *story = *state;
    const char *digest = story_evidence(story, "alice", "inc-1", "futex");
    uint64_t seq = story->seq - 1;
    const struct opl_fold *inc = fold_of(story, "inc-1");

    (void)story_write(story, "alice", "fact.withdrawn", "inc-1",
                      story_body("{'fact':%d,'reason':'wrong host'}", (int)seq));
    assert_int_equal(opl_fold_fact(inc, seq)->withdrawn_by, seq + 1);
    assert_false(opl_fold_has_evidence(inc, digest, story->seq));
    digest = story_evidence(story, "alice", "inc-1", "futex");
    assert_true(opl_fold_has_evidence(inc, digest, story->seq));
}

static void a_revision_is_in_force_from_then_on(void **state)
{
    struct story *story = *state;
    const struct opl_fold *chg = fold_of(story, "chg-1");
    const char *manifest = opl_change_manifest(chg);

    assert_int_equal(json_array_size(opl_change_hypotheses(chg)), 1);
    (void)story_force(story, "alice", "change.revised", "chg-1",
                      story_body("{'manifest':'sha256:%064d','files':1,'hypotheses':[]}", 5));
    assert_string_not_equal(opl_change_manifest(chg), manifest);
    assert_int_equal(json_array_size(opl_change_hypotheses(chg)), 0);
    assert_string_equal(opl_change_proposer(chg), "alice");
    assert_int_equal(opl_change_version(chg)->seq, story->seq - 1);
}

#define T(name) cmocka_unit_test_setup_teardown(name, start, stop)

static const struct CMUnitTest tests[] = {
    T(notes_are_counted_and_not_kept),
    T(a_model_call_leaves_only_its_place_on_the_incident),
    T(a_hypothesis_is_a_fact_of_itself_and_of_its_incident),
    T(states_follow_the_entries),
    T(evidence_counts_from_its_own_place_on),
    T(empty_evidence_is_none),
    T(withdrawn_evidence_is_none_until_it_is_attached_again),
    T(a_revision_is_in_force_from_then_on),
};

UNIT_MAIN(tests)

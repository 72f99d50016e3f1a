/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "story.h"

/* Entries by subject, as a database would give them. */
struct shelf {
    struct story *story;
    int loads;
    bool failing;
    bool lying; /* documents come with a byte changed */
    const char *started[2];
};

static bool names(const struct opl_entry *entry, const char *id)
{
    return (entry->id != NULL && strcmp(entry->id, id) == 0) ||
           (entry->on != NULL && strcmp(entry->on, id) == 0);
}

static bool parse_at(struct story *story, size_t seq, struct opl_entry *entry, struct opl_err *err)
{
    const json_t *bytes = json_array_get(story->entries, seq);

    return opl_entry_parse(json_string_value(bytes), json_string_length(bytes), seq, entry, err);
}

static bool load_subject(void *ctx, const char *id, struct opl_world *world, struct opl_err *err)
{
    struct shelf *shelf = ctx;

    shelf->loads++;
    for (size_t i = 0; i < json_array_size(shelf->story->entries); i++) {
        OPL_CLEANUP(opl_entry_close) struct opl_entry entry = {0};

        if (!parse_at(shelf->story, i, &entry, err) ||
            (names(&entry, id) && !opl_world_apply(world, &entry, err)))
            return false;
        if (shelf->failing && names(&entry, id))
            return opl_fail(err, OPL_E_UNAVAILABLE, "the database is gone");
    }
    return true;
}

static bool load_document(void *ctx, const struct opl_hash *sha256, struct opl_buf *out,
                          bool *found, struct opl_err *err)
{
    struct shelf *shelf = ctx;
    const char *text;
    size_t len;

    shelf->loads++;
    if (!opl_world_document(shelf->story->world, sha256, &text, &len, err))
        return false;
    *found = text != NULL;
    if (text != NULL)
        opl_buf_add(out, text, len);
    if (shelf->lying)
        opl_buf_chr(out, '!');
    return true;
}

static bool started_on(void *ctx, const char *target, struct opl_world *world, struct opl_err *err)
{
    const struct shelf *shelf = ctx;
    const struct opl_fold *fold;

    (void)target;
    for (int i = 0; i < 2 && shelf->started[i] != NULL; i++) {
        if (!opl_world_find(world, shelf->started[i], &fold, err))
            return false;
    }
    return true;
}

static struct opl_world *world_over(struct shelf *shelf)
{
    const struct opl_source source = {
        .ctx = shelf, .subject = load_subject, .document = load_document, .started_on = started_on};

    return opl_world_new(&source);
}

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

static const struct opl_fold *find(struct opl_world *world, const char *id)
{
    const struct opl_fold *fold;

    assert_ok(opl_world_find(world, id, &fold, err));
    return fold;
}

static bool apply_at(struct story *story, struct opl_world *world, size_t seq, struct opl_err *err)
{
    OPL_CLEANUP(opl_entry_close) struct opl_entry entry = {0};

    return parse_at(story, seq, &entry, err) && opl_world_apply(world, &entry, err);
}

static void an_unknown_subject_is_not_found_and_no_error(void **state)
{
    struct story *story = *state;

    assert_null(find(story->world, "inc-2"));
    assert_null(find(story->world, "INC-1"));
    assert_null(find(story->world, "inc-01"));
    assert_null(find(story->world, ""));
}

static void a_fold_knows_its_beginning_parent_and_last_entry(void **state)
{
    struct story *story = *state;
    const struct opl_fold *hyp = find(story->world, "hyp-1");
    const struct opl_fold *inc = find(story->world, "inc-1");

    assert_string_equal(hyp->on, "inc-1");
    assert_int_equal(hyp->created, inc->created + 1);
    assert_int_equal(inc->last_seq, inc->created + 2);
    assert_int_equal(hyp->last_seq, hyp->created);
}

static void a_subject_is_loaded_once_and_is_as_if_all_had_been_applied(void **state)
{
    struct shelf shelf = {.story = *state};
    OPL_CLEANUP(opl_world_freep) struct opl_world *world = world_over(&shelf);
    const struct opl_fold *loaded = find(world, "inc-1");
    const struct opl_fold *whole = find(shelf.story->world, "inc-1");

    assert_int_equal(loaded->last_seq, whole->last_seq);
    assert_int_equal(loaded->fact_count, whole->fact_count);
    assert_int_equal(opl_world_subjects(world), 1);
    (void)find(world, "inc-1");
    assert_int_equal(shelf.loads, 1);
}

static void loading_a_parent_leaves_no_half_of_its_children(void **state)
{
    struct shelf shelf = {.story = *state};
    OPL_CLEANUP(opl_world_freep) struct opl_world *world = world_over(&shelf);

    (void)find(world, "inc-1");
    assert_int_equal(find(world, "hyp-1")->fact_count, 1);
    assert_int_equal(find(world, "inc-1")->fact_count, 3);
}

static void a_load_that_fails_leaves_nothing_behind(void **state)
{
    struct shelf shelf = {.story = *state, .failing = true};
    OPL_CLEANUP(opl_world_freep) struct opl_world *world = world_over(&shelf);
    const struct opl_fold *fold;

    assert_fails(opl_world_find(world, "inc-1", &fold, err), OPL_E_UNAVAILABLE);
    assert_int_equal(opl_world_subjects(world), 0);
    shelf.failing = false;
    assert_non_null(find(world, "inc-1"));
}

static void entries_about_what_is_not_held_wait_for_its_load(void **state)
{
    struct shelf shelf = {.story = *state};
    OPL_CLEANUP(opl_world_freep) struct opl_world *world = world_over(&shelf);

    assert_ok(apply_at(shelf.story, world, shelf.story->seq - 1, err));
    assert_int_equal(opl_world_subjects(world), 1);
    assert_non_null(find(world, "chg-1"));
}

static void a_missing_entry_is_noticed_by_the_next_one(void **state)
{
    struct story *story = *state;
    OPL_CLEANUP(opl_world_freep) struct opl_world *world = opl_world_new(NULL);

    for (size_t i = 0; i + 2 < story->seq; i++)
        assert_ok(apply_at(story, world, i, err));
    assert_fails(apply_at(story, world, story->seq - 1, err), OPL_E_LOG);
}

static void an_entry_that_comes_twice_is_noticed(void **state)
{
    struct story *story = *state;

    assert_fails(apply_at(story, story->world, story->seq - 1, err), OPL_E_LOG);
}

static void an_entry_about_nothing_known_is_noticed(void **state)
{
    struct story *story = *state;
    OPL_CLEANUP(opl_world_freep) struct opl_world *world = opl_world_new(NULL);

    assert_fails(apply_at(story, world, story->seq - 1, err), OPL_E_LOG);
}

static void a_kind_of_a_later_version_moves_only_the_place(void **state)
{
    struct story *story = *state;
    const struct opl_fold *inc = find(story->world, "inc-1");
    size_t facts = inc->fact_count;
    char text[256];
    OPL_CLEANUP(opl_entry_close) struct opl_entry entry = {0};

    (void)snprintf(text, sizeof text,
                   "{\"actor\":\"alice\",\"at\":\"2026-10-02T00:00:00.000000Z\",\"body\":{},"
                   "\"kind\":\"incident.sung\",\"on\":\"inc-1\",\"prev\":%d,\"v\":1}",
                   (int)inc->last_seq);
    assert_ok(opl_entry_parse(text, strlen(text), story->seq, &entry, err));
    assert_ok(opl_world_apply(story->world, &entry, err));
    assert_int_equal(inc->fact_count, facts);
    assert_int_equal(inc->last_seq, story->seq);
}

static void what_is_forgotten_is_loaded_again(void **state)
{
    struct shelf shelf = {.story = *state};
    OPL_CLEANUP(opl_world_freep) struct opl_world *world = world_over(&shelf);

    (void)find(world, "inc-1");
    (void)find(world, "hyp-1");
    opl_world_forget(world, "inc-1");
    opl_world_forget(world, "inc-77");
    assert_int_equal(opl_world_subjects(world), 1);
    assert_non_null(find(world, "inc-1"));
    opl_world_forget_all(world);
    assert_int_equal(opl_world_subjects(world), 0);
    assert_non_null(find(world, "hyp-1"));
}

static void many_subjects_are_each_found(void **state)
{
    struct story *story = *state;
    char id[OPL_ID_SIZE];

    for (int i = 0; i < 500; i++)
        (void)story_incident(story, "importer");
    for (uint64_t i = 1; i <= 501; i++) {
        opl_id_format(OPL_ID_INC, i, id);
        assert_string_equal(find(story->world, id)->id, id);
    }
    assert_int_equal(opl_world_subjects(story->world), 503);
}

static void a_document_is_given_back_and_an_unknown_one_is_null(void **state)
{
    struct shelf shelf = {.story = *state};
    OPL_CLEANUP(opl_world_freep) struct opl_world *world = world_over(&shelf);
    struct opl_hash sha256;
    const char *text;
    size_t len;

    assert_ok(opl_hash_from_digest(story_blob(shelf.story, "hello"), &sha256, err));
    assert_ok(opl_world_document(world, &sha256, &text, &len, err));
    assert_string_equal(text, "hello");
    assert_ok(opl_world_document(world, &sha256, &text, &len, err));
    assert_int_equal(shelf.loads, 1);
    sha256.b[31] ^= 1;
    assert_ok(opl_world_document(world, &sha256, &text, &len, err));
    assert_null(text);
}

static void a_document_whose_bytes_are_others_is_noticed(void **state)
{
    struct shelf shelf = {.story = *state, .lying = true};
    OPL_CLEANUP(opl_world_freep) struct opl_world *world = world_over(&shelf);
    struct opl_hash sha256;
    const char *text;
    size_t len;

    assert_ok(opl_hash_from_digest(story_blob(shelf.story, "hello"), &sha256, err));
    assert_fails(opl_world_document(world, &sha256, &text, &len, err), OPL_E_LOG);
    assert_null(text);
}

static void forgotten_documents_are_gone_without_a_source(void **state)
{
    struct story *story = *state;
    struct opl_hash sha256;
    const char *text;
    size_t len;

    assert_ok(opl_hash_from_digest(story_blob(story, "hello"), &sha256, err));
    opl_world_forget_documents(story->world);
    assert_ok(opl_world_document(story->world, &sha256, &text, &len, err));
    assert_null(text);
}

static void administration_leaves_a_shared_registry_as_it_was(void **state)
{
    struct story *story = *state;
    struct opl_registry *shared =
        opl_registry_share((struct opl_registry *)opl_world_registry(story->world));

    (void)story_force(story, OPL_SELF, "token.created", NULL,
                      story_body("{'principal':'bob','scope':['reader'],'expires':"
                                 "'2027-10-01T00:00:00Z','token_id':'t2','token_sha256':'%064d'}",
                                 9));
    assert_null(opl_registry_token_by_id(shared, "t2"));
    assert_non_null(opl_registry_token_by_id(opl_world_registry(story->world), "t2"));
    opl_registry_free(shared);
}

static void started(struct story *story, const char *chg, const char *deadline)
{
    json_t *body = story_body("{'decision':%d}", (int)story_decide(story, chg, "allowed"));

    if (deadline != NULL)
        json_object_set_new(body, "deadline", json_string(deadline));
    (void)story_force(story, "alice", "change.started", chg, body);
}

static void a_started_change_of_the_target_is_found_until_it_ends(void **state)
{
    struct story *story = *state;
    char id[OPL_ID_SIZE];

    started(story, "chg-1", NULL);
    assert_ok(opl_world_started_on(story->world, STORY_TARGET, "chg-2", story->now, id, err));
    assert_string_equal(id, "chg-1");
    assert_ok(opl_world_started_on(story->world, STORY_TARGET, "chg-1", story->now, id, err));
    assert_string_equal(id, "");
    assert_ok(opl_world_started_on(story->world, "other/slurm", "", story->now, id, err));
    assert_string_equal(id, "");
    (void)story_force(story, "alice", "change.finished", "chg-1",
                      story_body("{'outcome':'applied','evidence':[]}"));
    assert_ok(opl_world_started_on(story->world, STORY_TARGET, "", story->now, id, err));
    assert_string_equal(id, "");
}

static void the_source_is_asked_for_started_changes_and_not_believed(void **state)
{
    struct shelf shelf = {.story = *state, .started = {"chg-1"}};
    OPL_CLEANUP(opl_world_freep) struct opl_world *world = world_over(&shelf);
    char id[OPL_ID_SIZE];

    assert_ok(opl_world_started_on(world, STORY_TARGET, "", shelf.story->now, id, err));
    assert_string_equal(id, "");
    started(shelf.story, "chg-1", NULL);
    opl_world_forget_all(world);
    assert_ok(opl_world_started_on(world, STORY_TARGET, "", shelf.story->now, id, err));
    assert_string_equal(id, "chg-1");
}

static void a_change_past_its_deadline_does_not_hide_one_that_is_started(void **state)
{
    struct shelf shelf = {
        .story = *state, .started = {"chg-1", "chg-2"}
    };
    OPL_CLEANUP(opl_world_freep) struct opl_world *world = world_over(&shelf);
    char id[OPL_ID_SIZE];

    (void)story_change(shelf.story, "alice", "inc-1", "hyp-1");
    started(shelf.story, "chg-1", "2026-10-01T15:00:00Z");
    shelf.story->now += 3600 * OPL_SECOND;
    started(shelf.story, "chg-2", NULL);
    assert_ok(opl_world_started_on(world, STORY_TARGET, "", shelf.story->now, id, err));
    assert_string_equal(id, "chg-2");
}

static void a_change_past_its_deadline_is_unknown_and_no_longer_in_the_way(void **state)
{
    struct story *story = *state;
    char id[OPL_ID_SIZE];

    started(story, "chg-1", "2026-10-01T15:00:00Z");
    assert_int_equal(opl_fold_state(find(story->world, "chg-1"), story->now), OPL_S_STARTED);
    story->now += 3600 * OPL_SECOND;
    assert_int_equal(opl_fold_state(find(story->world, "chg-1"), story->now), OPL_S_UNKNOWN);
    assert_ok(opl_world_started_on(story->world, STORY_TARGET, "", story->now, id, err));
    assert_string_equal(id, "");
}

#define T(name) cmocka_unit_test_setup_teardown(name, start, stop)

static const struct CMUnitTest tests[] = {
    T(an_unknown_subject_is_not_found_and_no_error),
    T(a_fold_knows_its_beginning_parent_and_last_entry),
    T(a_subject_is_loaded_once_and_is_as_if_all_had_been_applied),
    T(loading_a_parent_leaves_no_half_of_its_children),
    T(a_load_that_fails_leaves_nothing_behind),
    T(entries_about_what_is_not_held_wait_for_its_load),
    T(a_missing_entry_is_noticed_by_the_next_one),
    T(an_entry_that_comes_twice_is_noticed),
    T(an_entry_about_nothing_known_is_noticed),
    T(a_kind_of_a_later_version_moves_only_the_place),
    T(what_is_forgotten_is_loaded_again),
    T(many_subjects_are_each_found),
    T(a_document_is_given_back_and_an_unknown_one_is_null),
    T(a_document_whose_bytes_are_others_is_noticed),
    T(forgotten_documents_are_gone_without_a_source),
    T(administration_leaves_a_shared_registry_as_it_was),
    T(a_started_change_of_the_target_is_found_until_it_ends),
    T(the_source_is_asked_for_started_changes_and_not_believed),
    T(a_change_past_its_deadline_does_not_hide_one_that_is_started),
    T(a_change_past_its_deadline_is_unknown_and_no_longer_in_the_way),
};

UNIT_MAIN(tests)

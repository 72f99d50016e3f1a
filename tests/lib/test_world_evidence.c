/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "story.h"

/* A source that knows where a digest was attached, and counts what it loads. */
struct shelf {
    struct story *story;
    const char *attached; /* hypothesis, or NULL */
    int loads;
};

static bool load_subject(void *ctx, const char *id, struct opl_world *world, struct opl_err *err)
{
    struct shelf *shelf = ctx;

    shelf->loads++;
    for (size_t i = 0; i < json_array_size(shelf->story->entries); i++) {
        const json_t *bytes = json_array_get(shelf->story->entries, i);
        OPL_CLEANUP(opl_entry_close) struct opl_entry entry = {0};

        if (!opl_entry_parse(json_string_value(bytes), json_string_length(bytes), i, &entry, err))
            return false;
        if (((entry.id != NULL && strcmp(entry.id, id) == 0) ||
             (entry.on != NULL && strcmp(entry.on, id) == 0)) &&
            !opl_world_apply(world, &entry, err))
            return false;
    }
    return true;
}

static bool find_evidence(void *ctx, const struct opl_hash *sha256, const char *incident,
                          struct opl_world *world, struct opl_err *err)
{
    const struct shelf *shelf = ctx;
    const struct opl_fold *fold;

    (void)sha256;
    (void)incident;
    return shelf->attached == NULL || opl_world_find(world, shelf->attached, &fold, err);
}

static int start(void **state)
{
    struct story *story = story_begin();

    (void)story_incident(story, "alice");
    for (int i = 0; i < 20; i++)
        (void)story_hypothesis(story, "importer", "inc-1");
    *state = story;
    return 0;
}

static int stop(void **state)
{
    story_free(*state);
    return 0;
}

static bool reaches(struct opl_world *world, const char *id, const char *digest)
{
    const struct opl_fold *fold;
    bool yes = false;

    assert_ok(opl_world_find(world, id, &fold, err));
    assert_ok(opl_world_has_evidence(world, fold, digest, OPL_NO_SEQ, &yes, err));
    return yes;
}

static void without_a_hint_each_hypothesis_is_looked_through(void **state)
{
    struct shelf shelf = {.story = *state};
    const struct opl_source source = {.ctx = &shelf, .subject = load_subject};
    OPL_CLEANUP(opl_world_freep) struct opl_world *world = opl_world_new(&source);
    const char *digest = story_evidence(shelf.story, "bob", "hyp-20", "x");

    assert_true(reaches(world, "hyp-1", digest));
    assert_int_equal(shelf.loads, 21);
}

static void with_a_hint_only_that_hypothesis_is_loaded(void **state)
{
    struct shelf shelf = {.story = *state, .attached = "hyp-20"};
    const struct opl_source source = {
        .ctx = &shelf, .subject = load_subject, .evidence = find_evidence};
    OPL_CLEANUP(opl_world_freep) struct opl_world *world = opl_world_new(&source);
    const char *digest = story_evidence(shelf.story, "bob", "hyp-20", "x");

    assert_true(reaches(world, "hyp-1", digest));
    assert_int_equal(shelf.loads, 3);
}

static void a_hint_that_is_wrong_is_not_believed(void **state)
{
    struct shelf shelf = {.story = *state, .attached = "hyp-19"};
    const struct opl_source source = {
        .ctx = &shelf, .subject = load_subject, .evidence = find_evidence};
    OPL_CLEANUP(opl_world_freep) struct opl_world *world = opl_world_new(&source);

    assert_false(reaches(world, "hyp-1", story_blob(shelf.story, "never attached")));
}

static void what_is_held_already_needs_no_hint(void **state)
{
    struct shelf shelf = {.story = *state};
    const struct opl_source source = {
        .ctx = &shelf, .subject = load_subject, .evidence = find_evidence};
    OPL_CLEANUP(opl_world_freep) struct opl_world *world = opl_world_new(&source);
    const char *digest = story_evidence(shelf.story, "bob", "hyp-20", "x");
    const struct opl_fold *fold;

    assert_ok(opl_world_find(world, "hyp-20", &fold, err));
    assert_true(reaches(world, "inc-1", digest));
}

#define T(name) cmocka_unit_test_setup_teardown(name, start, stop)

static const struct CMUnitTest tests[] = {
    T(without_a_hint_each_hypothesis_is_looked_through),
    T(with_a_hint_only_that_hypothesis_is_loaded),
    T(a_hint_that_is_wrong_is_not_believed),
    T(what_is_held_already_needs_no_hint),
};

UNIT_MAIN(tests)

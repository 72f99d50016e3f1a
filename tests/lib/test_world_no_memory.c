/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every allocation of our own code fails once while a world takes a whole log and answers from it:
 * each time it must say so, and neither leak nor take the failure for an answer.
 */
#include "unit.h"

#include <opledger/hypothesis.h>

#include "story.h"

#define ENTRIES_MAX 64

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *bytes, size_t size);
char *__real_strdup(const char *text);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *bytes, size_t size);
char *__wrap_strdup(const char *text);

static size_t allowed = SIZE_MAX;
static struct story *story;
static struct opl_entry entries[ENTRIES_MAX];

static bool may(void)
{
    if (allowed == 0)
        return false;
    allowed--;
    return true;
}

void *__wrap_malloc(size_t size)
{
    return may() ? __real_malloc(size) : NULL;
}

void *__wrap_calloc(size_t count, size_t size)
{
    return may() ? __real_calloc(count, size) : NULL;
}

void *__wrap_realloc(void *bytes, size_t size)
{
    return may() ? __real_realloc(bytes, size) : NULL;
}

char *__wrap_strdup(const char *text)
{
    return may() ? __real_strdup(text) : NULL;
}

static int start(void **state)
{
    const char *mail;
    uint64_t fact;

    (void)state;
    story = story_begin();
    (void)story_write(story, "alice", "principal.changed", NULL,
                      story_second(story, "bob", "principal.changed",
                                   story_body("{'name':'carol','roles':['recorder',"
                                              "'approver.slurm']}")));
    (void)story_incident(story, "alice");
    (void)story_hypothesis(story, "helper", "inc-1");
    mail = story_evidence(story, "alice", "hyp-1", "we confirm");
    fact = story_vendor(story, "alice", "hyp-1", "confirmed", mail);
    (void)story_confirm(story, "bob", "hyp-1", fact);
    (void)story_hypothesis(story, "helper", "inc-1");
    (void)story_close(story, "hyp-2", "superseded", "hyp-1");
    (void)story_change(story, "alice", "inc-1", "hyp-1");
    assert_true(story->seq < ENTRIES_MAX);
    for (size_t i = 0; i < story->seq; i++) {
        const json_t *bytes = json_array_get(story->entries, i);

        assert_ok(opl_entry_parse(json_string_value(bytes), json_string_length(bytes), i,
                                  &entries[i], err));
    }
    return opl_crypto_init(NULL) ? 0 : -1;
}

static int stop(void **state)
{
    (void)state;
    for (size_t i = 0; i < story->seq; i++)
        opl_entry_close(&entries[i]);
    story_free(story);
    return 0;
}

static bool take_whole_log(struct opl_err *err)
{
    OPL_CLEANUP(opl_world_freep) struct opl_world *world = opl_world_new(NULL);

    if (world == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for a world");
    for (size_t i = 0; i < story->seq; i++) {
        if (!opl_world_apply(world, &entries[i], err))
            return false;
    }
    assert_false(opl_principal_has_role(opl_registry_principal(opl_world_registry(world), "carol"),
                                        "reviewer"));
    return true;
}

static bool clone_registry(struct opl_err *err)
{
    struct opl_registry *copy = opl_registry_clone(opl_world_registry(story->world));
    bool ok = copy != NULL;

    opl_registry_free(copy);
    return ok || opl_fail(err, OPL_E_NOMEM, "no memory for a registry");
}

/* Without memory a confirmation may fail to count; it never counts for lack of memory. */
static bool weigh(struct opl_err *err)
{
    const struct opl_hyp_view view = {.positive_below = UINT64_MAX};
    struct opl_hyp_result result;
    const struct opl_fold *hyp;

    return opl_world_find(story->world, "hyp-1", &hyp, err) &&
           opl_hypothesis_status(story->world, hyp, &view, &result, err);
}

static void assert_says_so(bool (*call)(struct opl_err *err))
{
    bool ok = false;

    for (size_t n = 0; !ok; n++) {
        struct opl_err err = {0};

        assert_true(n < 5000);
        allowed = n;
        ok = call(&err);
        allowed = SIZE_MAX;
        assert_int_equal(err.code, ok ? OPL_OK : OPL_E_NOMEM);
    }
}

static void a_world_that_lacks_memory_says_so_wherever_it_happens(void **state)
{
    (void)state;
    assert_says_so(take_whole_log);
}

static void a_registry_is_cloned_whole_or_not_at_all(void **state)
{
    (void)state;
    assert_says_so(clone_registry);
}

static void a_hypothesis_is_weighed_or_it_is_said_that_memory_lacks(void **state)
{
    (void)state;
    assert_says_so(weigh);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_world_that_lacks_memory_says_so_wherever_it_happens),
    cmocka_unit_test(a_registry_is_cloned_whole_or_not_at_all),
    cmocka_unit_test(a_hypothesis_is_weighed_or_it_is_said_that_memory_lacks),
};

int main(void)
{
    return cmocka_run_group_tests(tests, start, stop);
}

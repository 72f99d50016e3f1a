/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every allocation of an evaluation fails once: what is denied stays denied, what could not be
 * judged says so, a reply is whole or none, and nothing leaks (which the asan preset sees).
 */
#include "play.h"

#include <opledger/json.h>

#define POLICY PLAY_HYPOTHESIS PLAY_CROSS_CHECK PLAY_APPROVALS

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);

static size_t allowed = SIZE_MAX;

static bool may_allocate(void)
{
    if (allowed == 0)
        return false;
    allowed--;
    return true;
}

void *__wrap_malloc(size_t size)
{
    return may_allocate() ? __real_malloc(size) : NULL;
}

void *__wrap_calloc(size_t count, size_t size)
{
    return may_allocate() ? __real_calloc(count, size) : NULL;
}

/* Evaluates with n allocations; the documents it fetched before are not fetched again. */
static bool evaluate(struct play *play, size_t n, struct opl_err *err)
{
    const struct opl_gate_input input = play_input(play);
    bool ok;

    allowed = n;
    ok = opl_gate_evaluate(play->situation.scene.world, &input, play->result, err);
    allowed = SIZE_MAX;
    return ok;
}

static size_t fail_each(const char *facts, enum opl_gate_outcome wanted)
{
    struct play *play = play_open(POLICY, facts);
    size_t failed = 0;
    size_t stop;

    allowed = SIZE_MAX / 2;
    play_judge(play);
    stop = SIZE_MAX / 2 - allowed;
    allowed = SIZE_MAX;
    for (size_t n = 0; n <= stop; n++) {
        struct opl_err err = {0};
        bool ok = evaluate(play, n, &err);

        failed += ok ? 0 : 1;
        assert_int_equal(err.code == OPL_OK, ok);
        if (play->result->outcome == OPL_GATE_ALLOWED)
            assert_true(ok && wanted == OPL_GATE_ALLOWED);
    }
    assert_int_equal(play->result->outcome, wanted);
    play_close(play);
    return failed;
}

static void what_is_denied_is_never_allowed_for_want_of_memory(void **state)
{
    (void)state;
    assert_true(fail_each("facts: [verdict-partly, vendor-asked, approved]", OPL_GATE_DENIED) > 20);
    assert_true(fail_each("facts: [verdict-partly, vendor-confirmed, approved, not-reproduced]",
                          OPL_GATE_DENIED) > 20);
    assert_true(fail_each("facts: [verdict-agrees, verdict-disagrees, vendor-confirmed, approved]",
                          OPL_GATE_DENIED) > 20);
}

static void what_is_allowed_is_allowed_or_undecided(void **state)
{
    (void)state;
    assert_true(fail_each("facts: [verdict-partly, vendor-confirmed, approved]", OPL_GATE_ALLOWED) >
                20);
}

static void a_reply_is_whole_or_none(void **state)
{
    struct play *play = play_judged(POLICY, "facts: [verdict-partly, vendor-confirmed, approved]");
    json_t *whole = opl_gate_result_json(play->result);
    json_t *statuses = opl_gate_result_statuses(play->result);
    json_t *reply = NULL, *list = NULL;

    (void)state;
    for (size_t n = 0; !reply; n++) {
        allowed = n;
        reply = opl_gate_result_json(play->result);
        allowed = SIZE_MAX;
    }
    for (size_t n = 0; !list; n++) {
        allowed = n;
        list = opl_gate_result_statuses(play->result);
        allowed = SIZE_MAX;
    }
    assert_true(json_equal(reply, whole));
    assert_true(json_equal(list, statuses));
    json_decref(reply);
    json_decref(list);
    json_decref(whole);
    json_decref(statuses);
    play_close(play);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_denied_is_never_allowed_for_want_of_memory),
        cmocka_unit_test(what_is_allowed_is_allowed_or_undecided),
        cmocka_unit_test(a_reply_is_whole_or_none),
    };

    if (!opl_crypto_init(NULL))
        return 1;
    json_set_alloc_funcs(__wrap_malloc, free);
    return cmocka_run_group_tests(tests, NULL, NULL);
}

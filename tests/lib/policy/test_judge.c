/* SPDX-License-Identifier: Apache-2.0 */
#include "play.h"

static void a_detail_that_is_too_long_ends_in_dots(void **state)
{
    struct opl_requirement row = {0};

    (void)state;
    for (int i = 0; i < 100; i++)
        row_say(&row, "; %d does not count", i);
    assert_int_equal(strlen(row.detail), sizeof row.detail - 1);
    assert_string_equal(row.detail + sizeof row.detail - 4, "...");
}

static void the_first_next_command_stays(void **state)
{
    struct opl_requirement row = {.status = OPL_SATISFIED};

    (void)state;
    row_lacks(&row, "first %s", "chg-1");
    row_lacks(&row, "second");
    assert_string_equal(row.next, "first chg-1");
    assert_int_equal(row.status, OPL_UNSATISFIED);
}

static void what_is_an_error_stays_one(void **state)
{
    struct opl_requirement row = {.status = OPL_ERROR};

    (void)state;
    row_lacks(&row, "next");
    assert_int_equal(row.status, OPL_ERROR);
    assert_false(row_holds(&row));
}

static void only_satisfied_and_not_applicable_hold(void **state)
{
    (void)state;
    for (int status = OPL_SATISFIED; status <= OPL_ERROR; status++) {
        const struct opl_requirement row = {.status = (enum opl_requirement_status)status};

        assert_int_equal(row_holds(&row), status == OPL_SATISFIED || status == OPL_NOT_APPLICABLE);
    }
}

static void an_agent_and_its_owner_are_one_person(void **state)
{
    struct play *play = play_open(PLAY_HYPOTHESIS, "facts: [noted]");
    const struct judge judge = {.world = play->situation.scene.world};

    (void)state;
    assert_true(judge_same_person(&judge, "alice", "copilot"));
    assert_false(judge_same_person(&judge, "alice", "bob"));
    assert_true(judge_same_person(&judge, "alice", "alice"));
    play_close(play);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_detail_that_is_too_long_ends_in_dots),
        cmocka_unit_test(the_first_next_command_stays),
        cmocka_unit_test(what_is_an_error_stays_one),
        cmocka_unit_test(only_satisfied_and_not_applicable_hold),
        cmocka_unit_test(an_agent_and_its_owner_are_one_person),
    };

    return cmocka_run_group_tests(tests, unit_start, NULL);
}

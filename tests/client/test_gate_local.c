/* SPDX-License-Identifier: Apache-2.0 */
#include "client/gate_local.h"

#include "unit.h"

#include "client/world_view.h"
#include "desk.h"

static void the_gate_is_judged_by_this_clients_own_fold(void **state)
{
    struct desk *desk = *state;
    struct opl_head head = {.origin = STORY_ORIGIN, .size = desk->ledger->story->seq};
    OPL_CLEANUP(opl_world_freep) struct opl_world *world = NULL;
    struct opl_gate_result *result;
    struct client client;

    desk_client(desk, &client);
    assert_ok(world_view_new(&client, &world, err));
    result = gate_local(world, "chg-1", &head, NULL);
    assert_non_null(result);
    assert_int_equal(result->outcome, OPL_GATE_DENIED);
    free(result);
    assert_null(gate_local(world, "chg-9", &head, NULL));
    desk_client_close(&client);
}

static void approvals_are_listed(void **state)
{
    struct desk *desk = *state;

    assert_int_equal(RUN(desk, "approval", "list", "chg-1"), 0);
    assert_true(desk_said(desk, "approvals: none"));
    assert_int_equal(RUN(desk, "approval", "list", "chg-1", "--json"), 0);
    assert_true(desk_said(desk, "{\"approvals\":[]}"));
}

#define WITH_CHANGE(test) cmocka_unit_test_setup_teardown(test, desk_set_up_change, desk_tear_down)

static const struct CMUnitTest tests[] = {
    WITH_CHANGE(the_gate_is_judged_by_this_clients_own_fold),
    WITH_CHANGE(approvals_are_listed),
};

UNIT_MAIN(tests)

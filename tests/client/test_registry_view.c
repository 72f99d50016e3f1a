/* SPDX-License-Identifier: Apache-2.0 */
#include "client/registry_view.h"

#include "unit.h"

#include "desk.h"

/* What a run of its own finds: the number of people who may approve, -1 on failure. */
static int approvers(struct desk *desk, struct opl_err *err)
{
    OPL_CLEANUP(opl_registry_freep) struct opl_registry *registry = NULL;
    struct client client;
    int count = -1;

    desk_client(desk, &client);
    if (registry_view_load(&client, &registry, err))
        count = (int)opl_registry_approvers(registry, desk->ledger->story->now);
    desk_client_close(&client);
    return count;
}

static void people_are_folded_from_the_whole_log(void **state)
{
    struct opl_err err = {0};

    assert_int_equal(approvers(*state, &err), 2);
}

static void the_next_run_reads_on_from_where_it_was(void **state)
{
    struct desk *desk = *state;
    uint64_t before = desk->ledger->story->seq;
    struct opl_err err = {0};
    char path[64];

    assert_int_equal(approvers(desk, &err), 2);
    (void)story_incident(desk->ledger->story, "alice");
    assert_int_equal(approvers(desk, &err), 2);
    (void)snprintf(path, sizeof(path), "/v1/entries?from=%llu&limit=1000",
                   (unsigned long long)before);
    assert_string_equal(desk->ledger->last_path, path);
}

static void entries_that_are_not_under_the_root_are_found(void **state)
{
    struct desk *desk = *state;
    struct opl_err err = {0};

    desk->ledger->fault = FAULT_REWRITTEN; /* the tree, but not what is shown of it */
    assert_int_equal(approvers(desk, &err), -1);
    assert_int_equal(err.code, OPL_E_LOG);
}

static void an_entry_that_does_not_hash_is_found(void **state)
{
    struct desk *desk = *state;
    struct opl_err err = {0};

    desk->ledger->fault = FAULT_LEAF;
    assert_int_equal(approvers(desk, &err), -1);
    assert_int_equal(err.code, OPL_E_VERIFY);
}

static void a_memory_that_cannot_be_read_is_begun_anew(void **state)
{
    struct desk *desk = *state;
    struct opl_err why = {0};
    struct client client;

    assert_int_equal(approvers(desk, &why), 2);
    desk_client(desk, &client);
    assert_ok(state_set(&client.state, "registry", STORY_ORIGIN, "{\"size\":3,\"edge\":[]}", err));
    desk_client_close(&client);
    assert_int_equal(approvers(desk, &why), 2);
}

/* It does not lead to the signed root, so that the log is read from its first entry. */
static void a_memory_with_another_edge_is_begun_anew(void **state)
{
    struct desk *desk = *state;
    struct opl_err why = {0};
    struct client client;

    desk_client(desk, &client);
    assert_ok(state_set(&client.state, "registry", STORY_ORIGIN,
                        "{\"edge\":[\"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f2001"
                        "5ad\"],\"entries\":[],\"size\":1}",
                        err));
    desk_client_close(&client);
    assert_int_equal(approvers(desk, &why), 2);
}

#define AT_DESK(test) cmocka_unit_test_setup_teardown(test, desk_set_up, desk_tear_down)

static const struct CMUnitTest tests[] = {
    AT_DESK(people_are_folded_from_the_whole_log),
    AT_DESK(the_next_run_reads_on_from_where_it_was),
    AT_DESK(entries_that_are_not_under_the_root_are_found),
    AT_DESK(an_entry_that_does_not_hash_is_found),
    AT_DESK(a_memory_that_cannot_be_read_is_begun_anew),
    AT_DESK(a_memory_with_another_edge_is_begun_anew),
};

UNIT_MAIN(tests)

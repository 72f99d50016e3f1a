/* SPDX-License-Identifier: Apache-2.0 */
#include "client/world_view.h"

#include "unit.h"

#include "desk.h"

struct bench {
    struct desk *desk;
    struct client client;
    struct opl_world *world;
};

static int set_up(void **state)
{
    struct bench *bench = calloc(1, sizeof(*bench));

    bench->desk = desk_new(story_begin());
    desk_add_change(bench->desk);
    desk_client(bench->desk, &bench->client);
    *state = bench;
    return 0;
}

static int tear_down(void **state)
{
    struct bench *bench = *state;

    opl_world_free(bench->world);
    desk_client_close(&bench->client);
    desk_free(bench->desk);
    free(bench);
    return 0;
}

static void assert_status(struct bench *bench, const char *id, const char *expected)
{
    const char *status = NULL;

    opl_world_freep(&bench->world);
    assert_ok(world_view_new(&bench->client, &bench->world, err));
    assert_ok(world_view_status(bench->world, id, &status, err));
    assert_string_equal(status, expected);
}

static void a_status_follows_from_the_entries(void **state)
{
    struct bench *bench = *state;
    struct story *story = bench->desk->ledger->story;
    const char *digest;

    assert_status(bench, "hyp-1", "unconfirmed");
    assert_status(bench, "chg-1", "proposed");
    digest = story_evidence(story, "bob", "hyp-1", "mail");
    (void)story_vendor(story, "bob", "hyp-1", "confirmed", digest);
    assert_status(bench, "hyp-1", "vendor-confirmed");
    (void)story_close(story, "hyp-1", "refuted", NULL);
    assert_status(bench, "hyp-1", "refuted");
}

static void people_are_known_from_the_log(void **state)
{
    struct bench *bench = *state;
    const struct opl_registry *registry;

    assert_ok(world_view_new(&bench->client, &bench->world, err));
    registry = opl_world_registry(bench->world);
    assert_true(opl_registry_bootstrap_closed(registry));
    assert_non_null(opl_registry_principal(registry, "carol"));
}

static void an_entry_that_does_not_hash_is_found(void **state)
{
    struct bench *bench = *state;

    bench->desk->ledger->fault = FAULT_LEAF;
    assert_fails(world_view_new(&bench->client, &bench->world, err), OPL_E_VERIFY);
}

#define WITH_LEDGER(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

static const struct CMUnitTest tests[] = {
    WITH_LEDGER(a_status_follows_from_the_entries),
    WITH_LEDGER(people_are_known_from_the_log),
    WITH_LEDGER(an_entry_that_does_not_hash_is_found),
};

UNIT_MAIN(tests)

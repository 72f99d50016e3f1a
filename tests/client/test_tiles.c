/* SPDX-License-Identifier: Apache-2.0 */
#include "client/tiles.h"

#include "unit.h"

#include <unistd.h>

#include "client/api.h"
#include "desk.h"

struct bench {
    struct desk *desk;
    struct client client;
    struct tiles tiles;
};

static int set_up(void **state)
{
    struct bench *bench = calloc(1, sizeof(*bench));

    bench->desk = desk_new(story_begin());
    for (int i = 0; i < 270; i++)
        (void)story_incident(bench->desk->ledger->story, "alice");
    desk_client(bench->desk, &bench->client);
    bench->tiles.api = bench->client.api;
    bench->tiles.size = bench->desk->ledger->story->seq;
    *state = bench;
    return 0;
}

static int tear_down(void **state)
{
    struct bench *bench = *state;

    desk_client_close(&bench->client);
    desk_free(bench->desk);
    free(bench);
    return 0;
}

static void leaf(const struct bench *bench, uint64_t seq, struct opl_hash *out)
{
    const char *bytes = json_string_value(json_array_get(bench->desk->ledger->story->entries, seq));

    opl_leaf_hash(bytes, strlen(bytes), out);
}

static void the_root_of_every_size_is_that_of_the_leaves(void **state)
{
    struct bench *bench = *state;
    struct opl_tree tree = tiles_tree(&bench->tiles);
    struct opl_edge edge = {0};
    struct opl_hash hash, expected, got;

    for (uint64_t size = 1; size <= bench->tiles.size; size++) {
        leaf(bench, size - 1, &hash);
        opl_edge_append(&edge, &hash);
        opl_edge_root(&edge, &expected);
        assert_ok(opl_tree_root(&tree, size, &got, err));
        assert_true(opl_hash_equal(&expected, &got));
    }
}

static void a_proof_out_of_tiles_leads_to_the_root(void **state)
{
    struct bench *bench = *state;
    struct opl_tree tree = tiles_tree(&bench->tiles);
    struct opl_proof proof;
    struct opl_hash root, hash;

    leaf(bench, 5, &hash);
    assert_ok(opl_tree_root(&tree, bench->tiles.size, &root, err));
    assert_ok(opl_tree_inclusion(&tree, 5, bench->tiles.size, &proof, err));
    assert_ok(opl_inclusion_verify(&hash, 5, bench->tiles.size, &proof, &root, err));
}

static void a_tile_that_does_not_come_is_an_error(void **state)
{
    struct bench *bench = *state;
    struct opl_tree tree = tiles_tree(&bench->tiles);
    struct opl_hash hash;

    bench->desk->ledger->fault = FAULT_HANG_UP;
    assert_fails(tree.node(tree.ctx, 0, 0, &hash, err), OPL_E_UNAVAILABLE);
    assert_fails(tree.node(tree.ctx, 64, 0, &hash, err), OPL_E_VERIFY);
}

#define WITH_LEDGER(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

static const struct CMUnitTest tests[] = {
    WITH_LEDGER(the_root_of_every_size_is_that_of_the_leaves),
    WITH_LEDGER(a_proof_out_of_tiles_leads_to_the_root),
    WITH_LEDGER(a_tile_that_does_not_come_is_an_error),
};

UNIT_MAIN(tests)

/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include <opledger/merkle_tree.h>

#include "queries.h"
#include "server/frontier.h"
#include "server/history.h"
#include "testlog.h"

#define COUNT 1200 /* notes: four full tiles and a partial one */

static struct testlog *log_;
static struct opl_edge edges[COUNT + 3]; /* by size */

static int start(void **state)
{
    OPL_CLEANUP(db_rows_close) struct db_rows rows = {0};

    (void)state;
    assert_ok(opl_crypto_init(err));
    log_ = testlog_start();
    testlog_add(log_,
                "{\"kind\":\"incident.opened\",\"body\":{\"title\":\"t\",\"severity\":\"low\"}}");
    testlog_notes(log_, COUNT);
    assert_ok(
        db_fetch(log_->db, &sql_leaf_range, DB_ARGS(db_u64(0), db_u64(COUNT + 2)), &rows, err));
    for (size_t size = 1; db_rows_next(&rows); size++) {
        struct opl_hash leaf;

        assert_ok(db_get_hash(&rows, 1, &leaf, err));
        edges[size] = edges[size - 1];
        opl_edge_append(&edges[size], &leaf);
    }
    return 0;
}

static int stop(void **state)
{
    (void)state;
    testlog_stop(log_);
    return 0;
}

static void roots_of_past_sizes(void **state)
{
    static const uint64_t sizes[] = {1, 2, 255, 256, 257, 511, 512, 768, 1023, 1024, COUNT + 2};
    struct history *history = history_new(log_->db, COUNT + 2);

    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct opl_hash root;
        bool same;

        opl_edge_root(&edges[sizes[i]], &root);
        assert_ok(history_has_root(history, sizes[i], &root, &same, err));
        assert_true(same);
        root.b[31] ^= 1;
        assert_ok(history_has_root(history, sizes[i], &root, &same, err));
        assert_false(same);
    }
    history_free(history);
}

static void a_size_beyond_the_view_is_not_on_it(void **state)
{
    struct history *history = history_new(log_->db, 300);
    struct opl_hash root;
    bool same;

    (void)state;
    opl_edge_root(&edges[301], &root);
    assert_ok(history_has_root(history, 301, &root, &same, err));
    assert_false(same);
    history_free(history);
}

static void proofs_verify_at_every_view(void **state)
{
    (void)state;
    for (uint64_t size = 1; size <= COUNT + 2; size += 97) {
        struct history *history = history_new(log_->db, size);
        struct opl_tree tree = history_tree(history);
        struct opl_hash root, before;
        struct opl_proof proof;

        opl_edge_root(&edges[size], &root);
        opl_edge_root(&edges[(size + 1) / 2], &before);
        assert_ok(opl_tree_consistency(&tree, (size + 1) / 2, size, &proof, err));
        assert_ok(opl_consistency_verify((size + 1) / 2, &before, size, &root, &proof, err));
        history_free(history);
    }
}

static void the_frontier_read_is_the_frontier_grown(void **state)
{
    struct history *history = history_new(log_->db, COUNT + 2);
    struct frontier *frontier = calloc(1, sizeof *frontier);
    struct opl_hash root;

    (void)state;
    assert_ok(frontier_load(frontier, history, err));
    assert_int_equal(frontier->size, COUNT + 2);
    /* the largest subtree of the edge is the root of the first four tiles */
    opl_node_hash(&frontier->hash[1][0], &frontier->hash[1][1], &root);
    assert_true(opl_hash_equal(&root, &edges[512].hash[0]));
    assert_true(opl_hash_equal(&frontier->hash[0][0], &edges[1025].hash[1]));
    free(frontier);
    history_free(history);
}

static void a_missing_tile_is_noticed(void **state)
{
    struct history *history = history_new(log_->db, COUNT + 2);
    struct opl_hash root;
    bool same;

    (void)state;
    pg_sql(log_->pg, "CREATE TABLE kept AS SELECT * FROM tile WHERE n = 1; "
                     "DELETE FROM tile WHERE n = 1");
    opl_edge_root(&edges[512], &root);
    assert_fails(history_has_root(history, 512, &root, &same, err), OPL_E_LOG);
    pg_sql(log_->pg, "INSERT INTO tile SELECT * FROM kept");
    assert_ok(history_has_root(history, 512, &root, &same, err));
    assert_true(same);
    history_free(history);
}

static void an_altered_tile_gives_another_root(void **state)
{
    struct history *history = history_new(log_->db, COUNT + 2);
    struct opl_hash root;
    bool same;

    (void)state;
    pg_sql(log_->pg, "UPDATE tile SET bytes = overlay(bytes placing '\\x00' from 100) WHERE n = 2");
    opl_edge_root(&edges[768], &root);
    assert_ok(history_has_root(history, 768, &root, &same, err));
    assert_false(same);
    history_free(history);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(roots_of_past_sizes),
    cmocka_unit_test(a_size_beyond_the_view_is_not_on_it),
    cmocka_unit_test(proofs_verify_at_every_view),
    cmocka_unit_test(the_frontier_read_is_the_frontier_grown),
    cmocka_unit_test(a_missing_tile_is_noticed),
    cmocka_unit_test(an_altered_tile_gives_another_root),
};

int main(void)
{
    return cmocka_run_group_tests(tests, start, stop);
}

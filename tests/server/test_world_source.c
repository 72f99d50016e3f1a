/* SPDX-License-Identifier: Apache-2.0 */
/* A world loaded from the database notices what was edited or hidden. */
#include "unit.h"

#include "server/world_source.h"
#include "testlog.h"

static struct testlog *log_;

static int start(void **state)
{
    (void)state;
    assert_ok(opl_crypto_init(err));
    log_ = testlog_start();
    testlog_add(log_,
                "{\"kind\":\"incident.opened\",\"body\":{\"title\":\"t\",\"severity\":\"low\"}}");
    testlog_notes(log_, 5);
    return 0;
}

static int stop(void **state)
{
    (void)state;
    testlog_stop(log_);
    return 0;
}

static struct opl_world *world_of(struct world_reader *reader)
{
    struct opl_source source = world_source(reader);
    struct opl_world *world = opl_world_new(&source);

    assert_non_null(world);
    return world;
}

static void a_subject_is_loaded_below_a_size(void **state)
{
    uint64_t size = 4;
    struct world_reader reader = {log_->db, &size};
    struct opl_world *world = world_of(&reader);
    const struct opl_fold *fold;

    (void)state;
    assert_ok(opl_world_find(world, "inc-1", &fold, err));
    assert_non_null(fold);
    assert_int_equal(fold->note_count, 2);
    assert_ok(opl_world_find(world, "inc-2", &fold, err));
    assert_null(fold);
    opl_world_free(world);
}

static void edited_bytes_are_noticed(void **state)
{
    uint64_t size = 100;
    struct world_reader reader = {log_->db, &size};
    struct opl_world *world = world_of(&reader);
    const struct opl_fold *fold;

    (void)state;
    pg_sql(log_->pg, "UPDATE entry SET bytes = overlay(bytes placing 'x' from 12) WHERE seq = 3");
    assert_fails(opl_world_find(world, "inc-1", &fold, err), OPL_E_LOG);
    opl_world_free(world);
}

static void a_hidden_entry_is_noticed(void **state)
{
    uint64_t size = 100;
    struct world_reader reader = {log_->db, &size};
    struct opl_world *world = world_of(&reader);
    const struct opl_fold *fold;

    (void)state;
    pg_sql(log_->pg, "DELETE FROM entry WHERE seq = 3");
    assert_fails(opl_world_find(world, "inc-1", &fold, err), OPL_E_LOG);
    opl_world_free(world);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_subject_is_loaded_below_a_size),
    cmocka_unit_test(edited_bytes_are_noticed),
    cmocka_unit_test(a_hidden_entry_is_noticed),
};

int main(void)
{
    return cmocka_run_group_tests(tests, start, stop);
}

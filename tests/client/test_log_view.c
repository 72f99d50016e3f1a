/* SPDX-License-Identifier: Apache-2.0 */
#include "client/log_view.h"

#include "unit.h"

#include "desk.h"

/* A client and its ledger, for one test. */
struct bench {
    struct desk *desk;
    struct client client;
};

static int set_up(void **state)
{
    struct bench *bench = calloc(1, sizeof(*bench));

    bench->desk = desk_new(story_begin());
    desk_client(bench->desk, &bench->client);
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

/* A later run of the program: nothing is known but what was remembered. */
static void run_again(struct bench *bench)
{
    desk_client_close(&bench->client);
    desk_client(bench->desk, &bench->client);
}

static void grow(struct bench *bench, int entries)
{
    while (entries-- > 0)
        (void)story_incident(bench->desk->ledger->story, "alice");
}

static void first_contact_pins_the_key(void **state)
{
    struct bench *bench = *state;
    struct opl_head head;
    struct opl_vkey key;

    assert_ok(log_view_head(&bench->client, &head, err));
    assert_string_equal(head.origin, STORY_ORIGIN);
    assert_int_equal(head.size, bench->desk->ledger->story->seq);
    assert_ok(log_view_key(&bench->client, &key, err));
    assert_string_equal(key.name, STORY_ORIGIN);
}

static void another_key_later_does_not_verify(void **state)
{
    struct bench *bench = *state;
    struct opl_head head;
    struct opl_vkey key;

    assert_ok(log_view_head(&bench->client, &head, err));
    run_again(bench);
    bench->desk->ledger->fault = FAULT_KEY;
    assert_fails(log_view_head(&bench->client, &head, err), OPL_E_VERIFY);
    assert_fails(log_view_meet(&bench->client, &key, err), OPL_E_VERIFY);
}

static void a_pinned_key_that_cannot_be_read_does_not_verify(void **state)
{
    struct bench *bench = *state;
    struct opl_head head;

    assert_ok(log_view_head(&bench->client, &head, err));
    assert_ok(state_set(&bench->client.state, "keys", STORY_ORIGIN, "nonsense", err));
    run_again(bench);
    assert_fails(log_view_head(&bench->client, &head, err), OPL_E_VERIFY);
}

static void a_note_with_one_byte_changed_is_refused(void **state)
{
    struct bench *bench = *state;
    struct opl_head head;
    struct opl_err err = {0};

    bench->desk->ledger->fault = FAULT_NOTE;
    assert_false(log_view_head(&bench->client, &head, &err));
    assert_int_equal(opl_code_exit(err.code), 4);
}

static void a_log_that_grew_is_consistent_by_its_tiles(void **state)
{
    struct bench *bench = *state;
    struct opl_head head;

    for (int round = 0; round < 6; round++) {
        assert_ok(log_view_head(&bench->client, &head, err));
        assert_int_equal(head.size, bench->desk->ledger->story->seq);
        grow(bench, 1 + 3 * round);
        run_again(bench);
    }
}

static void a_log_over_one_tile_is_consistent_too(void **state)
{
    struct bench *bench = *state;
    struct opl_head head;

    assert_ok(log_view_head(&bench->client, &head, err));
    grow(bench, 300);
    assert_ok(log_view_head(&bench->client, &head, err));
    grow(bench, 300);
    assert_ok(log_view_head(&bench->client, &head, err));
    assert_int_equal(head.size, bench->desk->ledger->story->seq);
}

static void a_rewritten_log_is_found(void **state)
{
    struct bench *bench = *state;
    struct opl_head head;

    assert_ok(log_view_head(&bench->client, &head, err));
    grow(bench, 3);
    bench->desk->ledger->fault = FAULT_REWRITTEN;
    assert_fails(log_view_head(&bench->client, &head, err), OPL_E_LOG);
    assert_int_equal(opl_code_exit(OPL_E_LOG), 4);
}

static void a_rewritten_log_of_the_same_size_is_found(void **state)
{
    struct bench *bench = *state;
    struct opl_head head;

    assert_ok(log_view_head(&bench->client, &head, err));
    bench->desk->ledger->fault = FAULT_REWRITTEN;
    assert_fails(log_view_head(&bench->client, &head, err), OPL_E_LOG);
}

static void a_log_put_back_to_an_earlier_state_is_found(void **state)
{
    struct bench *bench = *state;
    struct opl_head head;

    assert_ok(log_view_head(&bench->client, &head, err));
    bench->desk->ledger->fault = FAULT_SHRUNK;
    assert_fails(log_view_head(&bench->client, &head, err), OPL_E_LOG);
}

static void what_was_found_wrong_is_not_remembered(void **state)
{
    struct bench *bench = *state;
    struct opl_head head;

    assert_ok(log_view_head(&bench->client, &head, err));
    grow(bench, 3);
    bench->desk->ledger->fault = FAULT_REWRITTEN;
    assert_fails(log_view_head(&bench->client, &head, err), OPL_E_LOG);
    bench->desk->ledger->fault = FAULT_NONE;
    assert_ok(log_view_head(&bench->client, &head, err));
}

#define WITH_LEDGER(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

static const struct CMUnitTest tests[] = {
    WITH_LEDGER(first_contact_pins_the_key),
    WITH_LEDGER(another_key_later_does_not_verify),
    WITH_LEDGER(a_pinned_key_that_cannot_be_read_does_not_verify),
    WITH_LEDGER(a_note_with_one_byte_changed_is_refused),
    WITH_LEDGER(a_log_that_grew_is_consistent_by_its_tiles),
    WITH_LEDGER(a_log_over_one_tile_is_consistent_too),
    WITH_LEDGER(a_rewritten_log_is_found),
    WITH_LEDGER(a_rewritten_log_of_the_same_size_is_found),
    WITH_LEDGER(a_log_put_back_to_an_earlier_state_is_found),
    WITH_LEDGER(what_was_found_wrong_is_not_remembered),
};

UNIT_MAIN(tests)

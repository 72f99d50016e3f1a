/* SPDX-License-Identifier: Apache-2.0 */
#include "client/record.h"

#include "unit.h"

#include "desk.h"

static void what_is_recorded_is_said_after_it_verifies(void **state)
{
    struct desk *desk = *state;
    uint64_t before = desk->ledger->story->seq;

    assert_int_equal(RUN(desk, "incident", "open", "--title", "a `title` $(with) \"signs\""), 0);
    assert_int_equal(desk->ledger->story->seq, before + 1);
    assert_true(desk_said(desk, "recorded inc-1 as entry "));
    assert_true(desk_complained(desk, "first contact with " STORY_ORIGIN));
}

static void with_json_the_receipt_is_printed(void **state)
{
    struct desk *desk = *state;
    json_t *receipt;

    assert_int_equal(RUN(desk, "--json", "incident", "open", "--title", "t"), 0);
    receipt = json_loads(opl_buf_text(&desk->out), 0, NULL);
    assert_string_equal(opl_json_str(receipt, "id"), "inc-1");
    json_decref(receipt);
}

static void the_receipt_is_kept_for_ever(void **state)
{
    struct desk *desk = *state;
    struct client client;
    OPL_CLEANUP(opl_buf_close) struct opl_buf kept = {0};
    bool found = false;

    assert_int_equal(RUN(desk, "incident", "open", "--title", "t"), 0);
    assert_int_equal(RUN(desk, "incident", "note", "inc-1", "more"), 0);
    desk_client(desk, &client);
    assert_ok(state_get(&client.state, "receipts", STORY_ORIGIN, &kept, &found, err));
    assert_true(found);
    assert_non_null(strstr(strchr(kept.data, '\n') + 1, "incident.noted"));
    desk_client_close(&client);
}

static void a_receipt_for_another_entry_is_not_believed(void **state)
{
    struct desk *desk = *state;

    assert_int_equal(RUN(desk, "incident", "open", "--title", "one"), 0);
    desk->ledger->fault = FAULT_RECEIPT;
    assert_int_equal(RUN(desk, "incident", "open", "--title", "two"), 4);
    assert_false(desk_said(desk, "recorded"));
}

static void a_receipt_signed_by_another_key_is_not_believed(void **state)
{
    struct desk *desk = *state;

    assert_int_equal(RUN(desk, "incident", "open", "--title", "one"), 0);
    desk->ledger->fault = FAULT_KEY;
    assert_int_equal(RUN(desk, "incident", "open", "--title", "two"), 4);
    assert_false(desk_said(desk, "recorded"));
}

static void what_the_kinds_table_refuses_is_never_sent(void **state)
{
    struct desk *desk = *state;
    uint64_t before = desk->ledger->story->seq;

    assert_int_equal(RUN(desk, "incident", "open", "--title", "t", "--severity", "terrible"), 2);
    assert_int_equal(desk->ledger->story->seq, before);
    assert_true(desk_complained(desk, "--severity terrible is none"));
}

static void a_refusal_of_the_ledger_has_its_exit_status(void **state)
{
    struct desk *desk = *state;

    assert_int_equal(RUN(desk, "incident", "open", "--title", "t"), 0);
    assert_int_equal(RUN(desk, "incident", "reopen", "inc-1", "--text", "t"), 1);
    assert_int_equal(RUN(desk, "incident", "note", "inc-9", "t"), 2);
}

static void a_ledger_that_breaks_off_is_exit_3_and_says_so(void **state)
{
    struct desk *desk = *state;

    desk->ledger->fault = FAULT_HANG_UP;
    assert_int_equal(RUN(desk, "incident", "open", "--title", "t"), 3);
    assert_true(desk_complained(desk, "broke off"));
    assert_false(desk_said(desk, "recorded"));
}

/* This ledger knows no observed_at: it drops it, and the leaf comes out another. */
static void a_ledger_that_leaves_something_out_is_not_believed(void **state)
{
    struct desk *desk = *state;

    assert_int_equal(
        RUN(desk, "incident", "open", "--title", "t", "--observed-at", "2026-10-01T16:00:00+02:00"),
        4);
    assert_false(desk_said(desk, "recorded"));
}

#define AT_DESK(test) cmocka_unit_test_setup_teardown(test, desk_set_up, desk_tear_down)

static const struct CMUnitTest tests[] = {
    AT_DESK(what_is_recorded_is_said_after_it_verifies),
    AT_DESK(with_json_the_receipt_is_printed),
    AT_DESK(the_receipt_is_kept_for_ever),
    AT_DESK(a_receipt_for_another_entry_is_not_believed),
    AT_DESK(a_receipt_signed_by_another_key_is_not_believed),
    AT_DESK(what_the_kinds_table_refuses_is_never_sent),
    AT_DESK(a_refusal_of_the_ledger_has_its_exit_status),
    AT_DESK(a_ledger_that_breaks_off_is_exit_3_and_says_so),
    AT_DESK(a_ledger_that_leaves_something_out_is_not_believed),
};

UNIT_MAIN(tests)

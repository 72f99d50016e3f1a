/* SPDX-License-Identifier: Apache-2.0 */
#include "client/gate_reply.h"

#include "unit.h"

#include "desk.h"

static bool ask(struct desk *desk, bool record, struct gate_reply *reply, struct opl_err *err)
{
    struct gate_question question = {.change = "chg-1", .use = "check", .record = record};
    struct client client;
    bool ok;

    desk_client(desk, &client);
    ok = gate_ask(&client, &question, reply, err);
    desk_client_close(&client);
    return ok;
}

static void a_denial_is_exit_1_with_reasons_and_next_commands(void **state)
{
    struct desk *desk = *state;

    assert_int_equal(RUN(desk, "gate", "check", "chg-1"), 1);
    assert_true(desk_said(desk, "UNSATISFIED  hypothesis"));
    assert_true(desk_said(desk, "next: opledger "));
    assert_true(desk_said(desk, "this is advice: nothing was recorded"));
    assert_non_null(strstr(opl_buf_text(&desk->out), "\ngate check: denied (exit 1)\n"));
}

static void the_last_line_is_the_outcome(void **state)
{
    struct desk *desk = *state;
    const char *last = "gate check: denied (exit 1)\n";

    assert_int_equal(RUN(desk, "gate", "check", "chg-1"), 1);
    assert_string_equal(desk->out.data + desk->out.len - strlen(last), last);
}

static void a_decision_entry_is_verified(void **state)
{
    OPL_CLEANUP(gate_reply_close) struct gate_reply reply = {0};

    assert_ok(ask(*state, true, &reply, err));
    assert_true(reply.decided);
    assert_int_equal(reply.outcome, OPL_GATE_DENIED);
    assert_true(reply.decision_expires > 0);
}

static void assert_not_believed(void **state, enum fault fault)
{
    struct desk *desk = *state;
    OPL_CLEANUP(gate_reply_close) struct gate_reply reply = {0};
    struct opl_err why = {0};

    assert_ok(ask(desk, false, &reply, err));
    gate_reply_close(&reply);
    desk->ledger->fault = fault;
    assert_false(ask(desk, true, &reply, &why));
    assert_int_equal(opl_code_exit(why.code), 4);
}

static void an_allowance_that_its_decision_denies_is_not_believed(void **state)
{
    assert_not_believed(state, FAULT_OUTCOME);
}

static void the_answer_to_another_question_is_not_believed(void **state)
{
    assert_not_believed(state, FAULT_NONCE);
}

static void an_answer_without_the_decision_is_not_believed(void **state)
{
    assert_not_believed(state, FAULT_DECISION);
}

static void an_expired_decision_is_not_believed(void **state)
{
    assert_not_believed(state, FAULT_EXPIRED);
}

static void an_answer_signed_by_another_key_is_not_believed(void **state)
{
    assert_not_believed(state, FAULT_KEY);
}

static void an_answer_over_a_rewritten_log_is_not_believed(void **state)
{
    assert_not_believed(state, FAULT_REWRITTEN);
}

static void a_gate_that_does_not_answer_is_exit_3(void **state)
{
    struct desk *desk = *state;

    desk->ledger->fault = FAULT_HANG_UP;
    assert_int_equal(RUN(desk, "gate", "check", "chg-1"), 3);
    assert_false(desk_said(desk, "allowed"));
}

static void an_unknown_change_is_exit_2(void **state)
{
    assert_int_equal(RUN((struct desk *)*state, "gate", "check", "chg-77"), 2);
    assert_int_equal(RUN((struct desk *)*state, "gate", "check", "hyp-1"), 2);
}

static void an_outcome_has_its_exit_status(void **state)
{
    (void)state;
    assert_int_equal(gate_exit(OPL_GATE_ALLOWED, false), 0);
    assert_int_equal(gate_exit(OPL_GATE_ALLOWED, true), 0);
    assert_int_equal(gate_exit(OPL_GATE_DENIED, false), 1);
    assert_int_equal(gate_exit(OPL_GATE_OVERRIDDEN, false), 0);
    assert_int_equal(gate_exit(OPL_GATE_OVERRIDDEN, true), 5);
}

#define WITH_CHANGE(test) cmocka_unit_test_setup_teardown(test, desk_set_up_change, desk_tear_down)

static const struct CMUnitTest tests[] = {
    WITH_CHANGE(a_denial_is_exit_1_with_reasons_and_next_commands),
    WITH_CHANGE(the_last_line_is_the_outcome),
    WITH_CHANGE(a_decision_entry_is_verified),
    WITH_CHANGE(an_allowance_that_its_decision_denies_is_not_believed),
    WITH_CHANGE(the_answer_to_another_question_is_not_believed),
    WITH_CHANGE(an_answer_without_the_decision_is_not_believed),
    WITH_CHANGE(an_expired_decision_is_not_believed),
    WITH_CHANGE(an_answer_signed_by_another_key_is_not_believed),
    WITH_CHANGE(an_answer_over_a_rewritten_log_is_not_believed),
    WITH_CHANGE(a_gate_that_does_not_answer_is_exit_3),
    WITH_CHANGE(an_unknown_change_is_exit_2),
    cmocka_unit_test(an_outcome_has_its_exit_status),
};

UNIT_MAIN(tests)

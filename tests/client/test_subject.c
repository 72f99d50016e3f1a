/* SPDX-License-Identifier: Apache-2.0 */
#include "client/subject.h"

#include "unit.h"

#include "desk.h"

static void an_incident(struct desk *desk)
{
    assert_int_equal(RUN(desk, "incident", "open", "--title", "the title"), 0);
    assert_int_equal(RUN(desk, "incident", "note", "inc-1", "a note"), 0);
}

static bool load(struct desk *desk, const char *id, struct subject *out, struct opl_err *err)
{
    struct client client;
    bool ok;

    desk_client(desk, &client);
    ok = subject_load(&client, id, out, err);
    desk_client_close(&client);
    return ok;
}

static void entries_come_in_order_with_their_texts(void **state)
{
    OPL_CLEANUP(subject_close) struct subject subject = {0};

    an_incident(*state);
    assert_ok(load(*state, "inc-1", &subject, err));
    assert_int_equal(subject.count, 2);
    assert_string_equal(subject_text(&subject.entries[0], "/body/title"), "the title");
    assert_string_equal(subject_text(&subject.entries[1], "/body/text"), "a note");
    assert_null(subject_text(&subject.entries[1], "/body/other"));
}

static void assert_found_out(void **state, enum fault fault)
{
    struct desk *desk = *state;
    OPL_CLEANUP(subject_close) struct subject subject = {0};

    an_incident(desk);
    desk->ledger->fault = fault;
    assert_fails(load(desk, "inc-1", &subject, err), OPL_E_VERIFY);
    assert_int_equal(RUN(desk, "incident", "show", "inc-1"), 4);
    assert_false(desk_said(desk, "the title"));
}

static void an_entry_that_does_not_hash_to_its_leaf_is_found_out(void **state)
{
    assert_found_out(state, FAULT_LEAF);
}

static void an_entry_that_is_none_is_found_out(void **state)
{
    assert_found_out(state, FAULT_ENTRY);
}

static void entries_about_something_else_are_found_out(void **state)
{
    assert_found_out(state, FAULT_SUBJECT);
}

static void an_entry_that_was_made_up_is_found_out(void **state)
{
    assert_found_out(state, FAULT_FORGED);
}

static void a_text_that_was_not_sealed_is_found_out(void **state)
{
    assert_found_out(state, FAULT_TEXT);
}

static void an_unknown_subject_is_not_found(void **state)
{
    OPL_CLEANUP(subject_close) struct subject subject = {0};

    assert_fails(load(*state, "inc-77", &subject, err), OPL_E_NOT_FOUND);
    assert_fails(load(*state, "nonsense", &subject, err), OPL_E_USAGE);
}

static void children_are_listed(void **state)
{
    struct desk *desk = *state;
    OPL_CLEANUP(subject_close) struct subject subject = {0};

    an_incident(desk);
    (void)story_hypothesis(desk->ledger->story, "alice", "inc-1");
    assert_ok(load(desk, "inc-1", &subject, err));
    assert_string_equal(subject_child(&subject, 0), "hyp-1");
    assert_null(subject_child(&subject, 1));
}

#define AT_DESK(test) cmocka_unit_test_setup_teardown(test, desk_set_up, desk_tear_down)

static const struct CMUnitTest tests[] = {
    AT_DESK(entries_come_in_order_with_their_texts),
    AT_DESK(an_entry_that_does_not_hash_to_its_leaf_is_found_out),
    AT_DESK(an_entry_that_is_none_is_found_out),
    AT_DESK(entries_about_something_else_are_found_out),
    AT_DESK(an_entry_that_was_made_up_is_found_out),
    AT_DESK(a_text_that_was_not_sealed_is_found_out),
    AT_DESK(an_unknown_subject_is_not_found),
    AT_DESK(children_are_listed),
};

UNIT_MAIN(tests)

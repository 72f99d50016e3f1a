/* SPDX-License-Identifier: Apache-2.0 */
#include "client/proven.h"

#include "unit.h"

#include "desk.h"

static void entries_of_a_long_log_are_led_to_the_root(void **state)
{
    struct desk *desk = *state;
    OPL_CLEANUP(subject_close) struct subject subject = {0};
    struct client client;

    for (int i = 0; i < 600; i++)
        (void)story_incident(desk->ledger->story, "alice");
    desk_client(desk, &client);
    assert_ok(subject_load(&client, "inc-1", &subject, err));
    subject_close(&subject);
    assert_ok(subject_load(&client, "inc-599", &subject, err));
    desk_client_close(&client);
}

static void an_entry_at_another_number_is_refused(void **state)
{
    struct desk *desk = *state;
    OPL_CLEANUP(subject_close) struct subject subject = {0};
    struct client client;

    (void)story_incident(desk->ledger->story, "alice");
    (void)story_incident(desk->ledger->story, "alice");
    desk_client(desk, &client);
    assert_ok(subject_load(&client, "inc-1", &subject, err));
    subject.entries[0].entry.seq--;
    assert_fails(proven_entries(&client, subject.entries, 1, err), OPL_E_VERIFY);
    subject.entries[0].entry.seq = 100000;
    assert_fails(proven_entries(&client, subject.entries, 1, err), OPL_E_VERIFY);
    desk_client_close(&client);
}

static void an_entry_newer_than_the_head_asks_for_a_newer_head(void **state)
{
    struct desk *desk = *state;
    OPL_CLEANUP(subject_close) struct subject subject = {0};
    struct client client;

    (void)story_incident(desk->ledger->story, "alice");
    desk_client(desk, &client);
    assert_ok(subject_load(&client, "inc-1", &subject, err));
    subject_close(&subject);
    (void)story_incident(desk->ledger->story, "alice");
    assert_ok(subject_load(&client, "inc-2", &subject, err));
    desk_client_close(&client);
}

#define AT_DESK(test) cmocka_unit_test_setup_teardown(test, desk_set_up, desk_tear_down)

static const struct CMUnitTest tests[] = {
    AT_DESK(entries_of_a_long_log_are_led_to_the_root),
    AT_DESK(an_entry_at_another_number_is_refused),
    AT_DESK(an_entry_newer_than_the_head_asks_for_a_newer_head),
};

UNIT_MAIN(tests)

/* SPDX-License-Identifier: Apache-2.0 */
#include "client/evidence.h"

#include "unit.h"

#include "desk.h"

static int verdict(struct desk *desk, const char *evidence)
{
    return RUN(desk, "verdict", "record", "hyp-1", "-m", "anthropic/claude-opus-4", "--mode",
               "blind", "--verdict", "partly", "--rationale", "r", "--prompt-unavailable", "x",
               "--evidence", evidence);
}

static void a_file_is_uploaded_attached_and_named(void **state)
{
    struct desk *desk = *state;
    uint64_t before = desk->ledger->story->seq;

    assert_int_equal(verdict(desk, desk_file(desk, "trace", "bytes")), 0);
    assert_int_equal(desk->ledger->story->seq, before + 2);
    assert_true(desk_said(desk, "recorded evidence.attached"));
}

static void a_file_that_is_attached_already_is_only_named(void **state)
{
    struct desk *desk = *state;
    uint64_t before;

    assert_int_equal(RUN(desk, "evidence", "attach", "inc-1", desk_file(desk, "trace", "bytes")),
                     0);
    before = desk->ledger->story->seq;
    assert_int_equal(verdict(desk, desk_file(desk, "copy", "bytes")), 0);
    assert_int_equal(desk->ledger->story->seq, before + 1);
}

static void a_digest_is_taken_with_and_without_prefix(void **state)
{
    struct desk *desk = *state;
    const char *digest = story_evidence(desk->ledger->story, "alice", "inc-1", "bytes");

    assert_int_equal(verdict(desk, digest), 0);
    assert_int_equal(verdict(desk, digest + strlen("sha256:")), 0);
}

static void a_digest_that_was_never_attached_is_the_ledgers_to_refuse(void **state)
{
    assert_int_equal(verdict(*state, "sha256:"
                                     "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f200"
                                     "15aa"),
                     2);
}

static void the_list_of_evidence_is_told(void **state)
{
    struct desk *desk = *state;

    assert_int_equal(RUN(desk, "evidence", "attach", "inc-1", desk_file(desk, "=trace", "bytes"),
                         "--source", "strace"),
                     0);
    assert_int_equal(RUN(desk, "evidence", "list", "inc-1"), 0);
    assert_true(desk_said(desk, "\t5\tstrace\talice\t'=trace\n"));
}

#define WITH_CHANGE(test) cmocka_unit_test_setup_teardown(test, desk_set_up_change, desk_tear_down)

static const struct CMUnitTest tests[] = {
    WITH_CHANGE(a_file_is_uploaded_attached_and_named),
    WITH_CHANGE(a_file_that_is_attached_already_is_only_named),
    WITH_CHANGE(a_digest_is_taken_with_and_without_prefix),
    WITH_CHANGE(a_digest_that_was_never_attached_is_the_ledgers_to_refuse),
    WITH_CHANGE(the_list_of_evidence_is_told),
};

UNIT_MAIN(tests)

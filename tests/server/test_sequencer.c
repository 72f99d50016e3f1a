/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include <signal.h>

#include <opledger/json.h>

#include "testlog.h"

#define OPENED "{\"kind\":\"incident.opened\",\"body\":{\"title\":\"t\",\"severity\":\"low\"}}"
#define NOTED "{\"kind\":\"incident.noted\",\"on\":\"inc-1\",\"body\":{\"text\":\"n\"}}"
#define LINES(...) ((const char *const[]){__VA_ARGS__, NULL})

static struct testlog *log_;

static int start(void **state)
{
    (void)state;
    assert_ok(opl_crypto_init(err));
    log_ = testlog_start();
    testlog_add(log_, OPENED);
    return 0;
}

static int stop(void **state)
{
    (void)state;
    testlog_stop(log_);
    return 0;
}

static void a_write_gets_a_proof_under_a_signed_checkpoint(void **state)
{
    struct write *write = testlog_write("", LINES(NOTED));
    struct opl_head head;

    (void)state;
    assert_ok(testlog_run(log_, write, err));
    assert_ok(opl_checkpoint_open(write->head->note, write->head->note_len, &log_->ledger.vkey,
                                  &head, err));
    assert_ok(opl_inclusion_verify(&write->lines[0].leaf, write->lines[0].seq, head.size,
                                   &write->proof, &head.root, err));
    assert_int_equal(testlog_size(log_), head.size);
    write_free(write);
}

static void a_key_used_again_is_a_replay(void **state)
{
    struct write *first = testlog_write("again", LINES(NOTED));
    struct write *second = testlog_write("again", LINES(NOTED));
    uint64_t size;

    (void)state;
    assert_ok(testlog_run(log_, first, err));
    size = testlog_size(log_);
    assert_ok(testlog_run(log_, second, err));
    assert_true(second->is_replay);
    assert_int_equal(second->first, first->first);
    assert_int_equal(second->tree_size, first->tree_size);
    assert_int_equal(testlog_size(log_), size);
    write_free(first);
    write_free(second);
}

static void a_key_for_other_content_is_a_conflict(void **state)
{
    struct write *first = testlog_write("other", LINES(NOTED));
    struct write *second = testlog_write("other", LINES(OPENED));

    (void)state;
    assert_ok(testlog_run(log_, first, err));
    assert_fails(testlog_run(log_, second, err), OPL_E_CONFLICT);
    write_free(first);
    write_free(second);
}

static void a_batch_is_all_or_nothing_and_names_its_lines(void **state)
{
    struct write *write = testlog_write(
        "",
        LINES(OPENED, "{\"kind\":\"incident.noted\",\"on\":\"inc-99\",\"body\":{\"text\":\"n\"}}",
              "{\"kind\":\"incident.noted\",\"on\":\"#1\",\"body\":{\"text\":\"n\"}}"));
    uint64_t size = testlog_size(log_);

    (void)state;
    assert_fails(testlog_run(log_, write, err), OPL_E_INVALID);
    assert_int_equal(json_array_size(write->errors), 1);
    assert_int_equal(opl_json_int(json_array_get(write->errors, 0), "line", 0), 2);
    assert_int_equal(testlog_size(log_), size);
    testlog_add(log_, NOTED); /* what the refused batch touched is as it was */
    write_free(write);
}

static void ids_count_on_after_a_refused_batch(void **state)
{
    struct write *refused =
        testlog_write("", LINES(OPENED, OPENED,
                                "{\"kind\":\"incident.noted\","
                                "\"on\":\"inc-99\",\"body\":{\"text\":\"n\"}}"));
    struct write *one = testlog_write("", LINES(OPENED)), *two = testlog_write("", LINES(OPENED));
    uint64_t a, b;
    enum opl_prefix prefix;

    (void)state;
    assert_ok(testlog_run(log_, one, err));
    assert_fails(testlog_run(log_, refused, err), OPL_E_INVALID);
    assert_ok(testlog_run(log_, two, err));
    assert_true(opl_id_parse(one->lines[0].id, &prefix, &a));
    assert_true(opl_id_parse(two->lines[0].id, &prefix, &b));
    assert_int_equal(b, a + 1);
    write_free(refused);
    write_free(one);
    write_free(two);
}

static bool look_on(struct write *write, const struct write_moment *moment, struct opl_err *err)
{
    (void)err;
    *(uint64_t *)write->ctx = moment->size;
    return true;
}

static void an_act_may_look_and_write_nothing(void **state)
{
    struct write *write = write_new();
    uint64_t seen = 0, size = testlog_size(log_);

    (void)state;
    write->compose = look_on;
    write->ctx = &seen;
    assert_ok(testlog_run(log_, write, err));
    assert_int_equal(seen, size);
    assert_int_equal(write->head->head.size, size);
    assert_int_equal(testlog_size(log_), size);
    write_free(write);
}

static void a_lost_database_is_unavailable_and_comes_back(void **state)
{
    struct write *write = testlog_write("lost", LINES(NOTED));
    struct write *again = testlog_write("lost", LINES(NOTED));
    uint64_t size = testlog_size(log_);

    (void)state;
    pg_kill(log_->pg, SIGKILL);
    assert_fails(testlog_run(log_, write, err), OPL_E_UNAVAILABLE);
    pg_again(log_->pg);
    db_disconnect(log_->db);
    assert_ok(testlog_run(log_, again, err));
    assert_false(again->is_replay);
    assert_int_equal(testlog_size(log_), size + 1);
    assert_ok(sequencer_is_well(log_->sequencer, err));
    write_free(write);
    write_free(again);
}

static void a_restart_goes_on_where_the_log_ended(void **state)
{
    uint64_t size = testlog_size(log_);

    (void)state;
    testlog_pause(log_);
    assert_ok(testlog_resume(log_, err));
    assert_int_equal(testlog_size(log_), size);
    testlog_add(log_, NOTED);
    assert_int_equal(testlog_size(log_), size + 1);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_write_gets_a_proof_under_a_signed_checkpoint),
    cmocka_unit_test(a_key_used_again_is_a_replay),
    cmocka_unit_test(a_key_for_other_content_is_a_conflict),
    cmocka_unit_test(a_batch_is_all_or_nothing_and_names_its_lines),
    cmocka_unit_test(ids_count_on_after_a_refused_batch),
    cmocka_unit_test(an_act_may_look_and_write_nothing),
    cmocka_unit_test(a_lost_database_is_unavailable_and_comes_back),
    cmocka_unit_test(a_restart_goes_on_where_the_log_ended),
};

int main(void)
{
    return cmocka_run_group_tests(tests, start, stop);
}

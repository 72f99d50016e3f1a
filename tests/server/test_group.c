/* SPDX-License-Identifier: Apache-2.0 */
/* What one transaction writes beside the entries: keys, nonces, projections, tiles, checkpoints. */
#include "unit.h"

#include "queries.h"
#include "testlog.h"

#define OPENED "{\"kind\":\"incident.opened\",\"body\":{\"title\":\"t\",\"severity\":\"low\"}}"

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

static const char *status_of(const char *id, char out[static 32])
{
    OPL_CLEANUP(db_rows_close) struct db_rows rows = {0};
    const char *text = "", *status;

    assert_ok(db_fetch(log_->db, &sql_subject_list,
                       DB_ARGS(db_text_len(id, 3), db_text(NULL), db_text(NULL), db_text(NULL),
                               db_null(), db_null(), db_null(), db_u64(1000000), db_i64(100)),
                       &rows, err));
    while (strcmp(text, id) != 0) {
        assert_true(db_rows_next(&rows));
        assert_ok(db_get_text(&rows, 0, &text, err));
    }
    assert_ok(db_get_text(&rows, 3, &status, err));
    snprintf(out, 32, "%s", status);
    return out;
}

static void the_projection_follows_the_fold(void **state)
{
    char status[32];

    (void)state;
    testlog_add(log_, OPENED);
    assert_string_equal(status_of("inc-2", status), "open");
    testlog_add(log_, "{\"kind\":\"incident.closed\",\"on\":\"inc-2\","
                      "\"body\":{\"outcome\":\"resolved\"}}");
    assert_string_equal(status_of("inc-2", status), "closed");
    testlog_add(log_,
                "{\"kind\":\"incident.reopened\",\"on\":\"inc-2\",\"body\":{\"text\":\"t\"}}");
    assert_string_equal(status_of("inc-2", status), "open");
}

static void full_tiles_are_stored_once(void **state)
{
    OPL_CLEANUP(db_rows_close) struct db_rows rows = {0};

    (void)state;
    testlog_notes(log_, 300);
    assert_ok(db_fetch_one(log_->db, &sql_tile_get, DB_ARGS(db_i32(0), db_u64(0)), &rows, err));
    testlog_pause(log_);
    assert_ok(testlog_resume(log_, err));
    testlog_notes(log_, 300); /* fills the next one over a frontier read anew */
    assert_ok(db_fetch_one(log_->db, &sql_tile_get, DB_ARGS(db_i32(0), db_u64(1)), &rows, err));
    assert_ok(db_fetch(log_->db, &sql_tile_get, DB_ARGS(db_i32(0), db_u64(2)), &rows, err));
    assert_int_equal(rows.count, 0);
}

static void time_never_goes_back(void **state)
{
    OPL_CLEANUP(db_rows_close) struct db_rows rows = {0};
    int64_t before = 0, at;

    (void)state;
    assert_ok(db_fetch(log_->db, &sql_checkpoint_at, DB_ARGS(db_u64(1)), &rows, err));
    while (db_rows_next(&rows)) {
        assert_ok(db_get_i64(&rows, 4, &at, err));
        assert_true(at >= before);
        before = at;
    }
}

static bool use_nonce(struct write *write, const struct write_moment *moment, struct opl_err *err)
{
    bool used;

    if (!moment->env->nonce_used(moment->env->ctx, "n1", &used, err))
        return false;
    *(bool *)write->ctx = used;
    snprintf(write->nonce, sizeof write->nonce, "n1");
    return true;
}

static void a_nonce_is_used_once(void **state)
{
    struct write *one = testlog_write("", (const char *const[]){OPENED, NULL});
    struct write *two = testlog_write("", (const char *const[]){OPENED, NULL});
    bool first = true, second = false;

    (void)state;
    one->compose = two->compose = use_nonce;
    one->ctx = &first;
    two->ctx = &second;
    assert_ok(testlog_run(log_, one, err));
    assert_false(first);
    assert_fails(testlog_run(log_, two, err), OPL_E_UNAVAILABLE); /* the table holds it to that */
    assert_true(second);
    testlog_add(log_, OPENED);
    write_free(one);
    write_free(two);
}

static bool ask_history(struct write *write, const struct write_moment *moment, struct opl_err *err)
{
    struct opl_head head = *(struct opl_head *)write->ctx;
    bool yes;

    if (!moment->env->on_history(moment->env->ctx, &head, &yes, err))
        return false;
    ((struct opl_head *)write->ctx)->size = yes ? 1 : 0;
    return true;
}

static bool on_history(const struct opl_head *head)
{
    struct write *write = write_new();
    struct opl_head asked = *head;

    write->compose = ask_history;
    write->ctx = &asked;
    assert_ok(testlog_run(log_, write, err));
    write_free(write);
    return asked.size == 1;
}

static void heads_of_this_log_are_on_its_history(void **state)
{
    struct signed_head *now = published_head(&log_->published);
    struct opl_head head = now->head;

    (void)state;
    assert_true(on_history(&head));
    head.root.b[0] ^= 1;
    assert_false(on_history(&head));
    head = now->head;
    head.size++;
    assert_false(on_history(&head));
    head = now->head;
    head.origin[0] = 'X';
    assert_false(on_history(&head));
    signed_head_drop(now);
}

static void what_blocks_a_hypothesis_blocks_its_refinements(void **state)
{
#define HYP(more)                                                                                  \
    "{\"kind\":\"hypothesis.recorded\",\"on\":\"inc-1\",\"body\":{\"claim\":\"c\",\"model\":{"     \
    "\"provider\":\"p\",\"name\":\"n\"},\"prompt_unavailable\":\"x\"" more "}}"
    char status[32];

    (void)state;
    testlog_add(log_, HYP(""));
    testlog_add(log_, HYP(",\"refines\":\"hyp-1\""));
    testlog_add(log_, HYP(""));
    assert_string_equal(status_of("hyp-2", status), "unconfirmed");
    testlog_add(log_, "{\"kind\":\"hypothesis.closed\",\"on\":\"hyp-1\","
                      "\"body\":{\"how\":\"refuted\",\"reason\":\"r\"}}");
    assert_string_equal(status_of("hyp-1", status), "refuted");
    assert_string_not_equal(status_of("hyp-2", status), "unconfirmed");
    assert_string_equal(status_of("hyp-3", status), "unconfirmed");
}

static void a_clock_behind_the_log_signs_nothing(void **state)
{
    (void)state;
    testlog_pause(log_);
    pg_sql(log_->pg, "UPDATE checkpoint SET at = at + 600000000 "
                     "WHERE size = (SELECT max(size) FROM checkpoint)");
    assert_fails(testlog_resume(log_, err), OPL_E_UNAVAILABLE);
    pg_sql(log_->pg, "UPDATE checkpoint SET at = at - 600000000 "
                     "WHERE size = (SELECT max(size) FROM checkpoint)");
    assert_ok(testlog_resume(log_, err));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_projection_follows_the_fold),
    cmocka_unit_test(what_blocks_a_hypothesis_blocks_its_refinements),
    cmocka_unit_test(a_clock_behind_the_log_signs_nothing),
    cmocka_unit_test(full_tiles_are_stored_once),
    cmocka_unit_test(time_never_goes_back),
    cmocka_unit_test(a_nonce_is_used_once),
    cmocka_unit_test(heads_of_this_log_are_on_its_history),
};

int main(void)
{
    return cmocka_run_group_tests(tests, start, stop);
}

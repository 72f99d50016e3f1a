/* SPDX-License-Identifier: Apache-2.0 */
#include "client/apply.h"

#include <opledger/time.h>
#include <unistd.h>

#include "client/files.h"
#include "desk.h"
#include "unit.h"

/* A change of HOME/a.conf whose command makes HOME/mark, before a ledger that may lie. */
struct bench {
    struct desk *desk;
    char path[128];
    char mark[128];
    char change[OPL_ID_SIZE];
};

static void add_side(json_t *file, const char *prefix, const char *text)
{
    struct opl_hash sha256;
    char hex[OPL_HEX_SIZE], key[32], owner[32];

    opl_sha256(text, strlen(text), &sha256);
    opl_hash_hex(&sha256, hex);
    (void)snprintf(owner, sizeof owner, "%u:%u", (unsigned)getuid(), (unsigned)getgid());
    (void)snprintf(key, sizeof key, "%ssha256", prefix);
    json_object_set_new(file, key, json_string(hex));
    (void)snprintf(key, sizeof key, "%smode", prefix);
    json_object_set_new(file, key, json_string("0644"));
    (void)snprintf(key, sizeof key, "%sowner", prefix);
    json_object_set_new(file, key, json_string(owner));
}

static void put(const char *path, const char *ending, const char *text)
{
    char whole[160];

    (void)snprintf(whole, sizeof whole, "%s%s", path, ending);
    assert_ok(file_replace(whole, text, strlen(text), 0644, err));
}

static void propose(struct bench *bench)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};
    json_t *file = json_pack("{s:s, s:i}", "path", bench->path, "size", 3);
    json_t *manifest =
        json_pack("{s:[o], s:[s, s], s:s, s:s, s:i}", "files", file, "command", "touch",
                  bench->mark, "target", STORY_TARGET, "type", "opledger/manifest", "v", 1);
    char digest[OPL_DIGEST_SIZE];

    add_side(file, "", "new");
    add_side(file, "base_", "old");
    assert_ok(opl_json_canonical(manifest, &text, err));
    json_decref(manifest);
    fake_ledger_add_blob(bench->desk->ledger, "old", digest);
    fake_ledger_add_blob(bench->desk->ledger, "new", digest);
    fake_ledger_add_blob(bench->desk->ledger, opl_buf_text(&text), digest);
    (void)story_write(bench->desk->ledger->story, "alice", "change.proposed", NULL,
                      story_body("{'title':'t','class':'config','target':'" STORY_TARGET
                                 "','manifest':'%s','files':1,'hypotheses':[]}",
                                 digest));
    memcpy(bench->change, bench->desk->ledger->story->last_id, sizeof bench->change);
}

static int set_up(void **state)
{
    struct bench *bench = calloc(1, sizeof(*bench));

    bench->desk = desk_new(story_begin());
    (void)snprintf(bench->path, sizeof bench->path, "%s/a.conf", bench->desk->home);
    (void)snprintf(bench->mark, sizeof bench->mark, "%s/mark", bench->desk->home);
    put(bench->path, "", "old");
    put(bench->path, ".new", "new");
    propose(bench);
    *state = bench;
    return 0;
}

static int tear_down(void **state)
{
    struct bench *bench = *state;

    desk_free(bench->desk);
    free(bench);
    return 0;
}

static void nothing_happened(struct bench *bench)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};

    assert_ok(file_read(bench->path, &text, err));
    assert_string_equal(opl_buf_text(&text), "old");
    assert_false(file_exists(bench->mark));
}

static void refused(struct bench *bench, int status)
{
    int got = RUN(bench->desk, "gate", "apply", bench->change, "--unpinned");

    if (got != status)
        fail_msg("exit %d: %s%s", got, opl_buf_text(&bench->desk->out),
                 opl_buf_text(&bench->desk->err));
    nothing_happened(bench);
}

static void a_denial_runs_nothing(void **state)
{
    struct bench *bench = *state;

    refused(bench, 1);
    assert_true(desk_said(bench->desk, "gate apply: denied (exit 1)\n"));
    assert_true(desk_said(bench->desk, "nothing was changed, the command was not run"));
}

static void without_a_gate_conf_nothing_is_asked(void **state)
{
    struct bench *bench = *state;
    uint64_t size = bench->desk->ledger->story->seq;

    assert_int_equal(RUN(bench->desk, "gate", "apply", bench->change), 3);
    assert_int_equal(bench->desk->ledger->story->seq, size);
    nothing_happened(bench);
}

/* Each lie of the ledger that would have it run, or that could come before one. */
static void no_lie_of_the_ledger_runs_the_command(void **state)
{
    static const enum fault lies[] = {FAULT_OUTCOME, FAULT_NONCE,   FAULT_DECISION, FAULT_EXPIRED,
                                      FAULT_NOTE,    FAULT_KEY,     FAULT_LEAF,     FAULT_ENTRY,
                                      FAULT_FORGED,  FAULT_SUBJECT, FAULT_SHRUNK,   FAULT_REWRITTEN,
                                      FAULT_ALLOWS};
    struct bench *bench = *state;

    refused(bench, 1);
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        bench->desk->ledger->fault = lies[i];
        refused(bench, 4);
    }
}

/* Outcome and decision agree, are signed and in the log: only a fold of it finds them out. */
static void an_allowance_that_the_log_does_not_give_is_refused(void **state)
{
    struct bench *bench = *state;

    bench->desk->ledger->fault = FAULT_ALLOWS;
    refused(bench, 4);
    assert_true(desk_complained(bench->desk, "the ledger says allowed, but its log, folded here, "
                                             "says denied"));
    assert_int_equal(RUN(bench->desk, "gate", "apply", bench->change, "--unpinned", "--dry-run"),
                     4);
    assert_int_equal(RUN(bench->desk, "gate", "check", bench->change), 4);
    assert_int_equal(RUN(bench->desk, "gate", "check", bench->change, "--record"), 4);
    nothing_happened(bench);
}

static void a_log_that_this_token_may_not_read_is_not_folded_and_that_is_said(void **state)
{
    struct bench *bench = *state;

    bench->desk->ledger->fault = FAULT_CLOSED;
    assert_int_equal(RUN(bench->desk, "gate", "check", bench->change), 0);
    assert_true(desk_complained(bench->desk, "not folded again on this host"));
}

static void what_is_only_tried_leaves_no_entry(void **state)
{
    struct bench *bench = *state;
    uint64_t size = bench->desk->ledger->story->seq;

    assert_int_equal(RUN(bench->desk, "gate", "apply", bench->change, "--unpinned", "--dry-run"),
                     1);
    assert_true(desk_said(bench->desk, "this is advice: nothing was recorded"));
    bench->desk->ledger->fault = FAULT_CLOSED;
    assert_int_equal(RUN(bench->desk, "gate", "apply", bench->change, "--unpinned", "--dry-run"),
                     0);
    assert_true(desk_said(bench->desk, "this is advice: nothing was recorded"));
    assert_int_equal(bench->desk->ledger->story->seq, size);
    nothing_happened(bench);
}

static void a_ledger_that_breaks_off_decides_nothing(void **state)
{
    struct bench *bench = *state;

    bench->desk->ledger->fault = FAULT_HANG_UP;
    refused(bench, 3);
}

static void other_bytes_are_refused_before_the_gate_is_asked(void **state)
{
    struct bench *bench = *state;
    uint64_t size = bench->desk->ledger->story->seq;

    put(bench->path, ".new", "neW");
    refused(bench, 4);
    assert_int_equal(bench->desk->ledger->story->seq, size);
}

#define WITH_BENCH(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_BENCH(a_denial_runs_nothing),
        WITH_BENCH(without_a_gate_conf_nothing_is_asked),
        WITH_BENCH(no_lie_of_the_ledger_runs_the_command),
        WITH_BENCH(an_allowance_that_the_log_does_not_give_is_refused),
        WITH_BENCH(a_log_that_this_token_may_not_read_is_not_folded_and_that_is_said),
        WITH_BENCH(what_is_only_tried_leaves_no_entry),
        WITH_BENCH(a_ledger_that_breaks_off_decides_nothing),
        WITH_BENCH(other_bytes_are_refused_before_the_gate_is_asked),
    };

    return cmocka_run_group_tests(tests, unit_start, NULL);
}

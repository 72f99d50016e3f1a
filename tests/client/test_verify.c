/* SPDX-License-Identifier: Apache-2.0 */
#include "client/verify.h"

#include "unit.h"

#include "client/log_view.h"
#include "desk.h"

/* A log of administration, to which a test adds; what is looked at is what verify_walk finds. */
struct bench {
    struct desk *desk;
    struct client client;
    struct verify verify;
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

    verify_close(&bench->verify);
    desk_client_close(&bench->client);
    desk_free(bench->desk);
    free(bench);
    return 0;
}

static struct story *story_of(struct bench *bench)
{
    return bench->desk->ledger->story;
}

static const struct verify_finding *look(struct bench *bench)
{
    assert_ok(verify_open(&bench->verify, &bench->client, err));
    assert_ok(verify_walk(&bench->verify, err));
    assert_ok(verify_roots(&bench->verify, err));
    return &bench->verify.wrong;
}

/* The client has seen the log as it is. */
static void remember(struct bench *bench)
{
    struct opl_head head;

    assert_ok(log_view_head(&bench->client, &head, err));
}

static void names(const struct verify_finding *wrong, uint64_t entry, const char *reason)
{
    if (!wrong->found || wrong->entry != entry || strstr(wrong->reason, reason) == NULL)
        fail_msg("found %d, entry %lld: %s", wrong->found, (long long)wrong->entry, wrong->reason);
}

static void an_untouched_log_is_good(void **state)
{
    struct bench *bench = *state;
    const struct verify_finding *wrong = look(bench);

    if (wrong->found)
        fail_msg("entry %lld: %s", (long long)wrong->entry, wrong->reason);
    assert_int_equal(bench->verify.counts.entries, story_of(bench)->seq);
    assert_true(bench->verify.counts.blobs > 0);
}

static void a_leaf_that_its_bytes_do_not_hash_to_is_named(void **state)
{
    struct bench *bench = *state;

    bench->desk->ledger->fault = FAULT_LEAF;
    names(look(bench), 0, "");
}

static void a_changed_entry_that_hashes_to_its_leaf_is_placed_by_the_signed_head(void **state)
{
    struct bench *bench = *state;
    const struct verify_finding *wrong;

    bench->desk->ledger->fault = FAULT_FORGED;
    wrong = look(bench);
    assert_true(wrong->found);
    assert_true(wrong->good <= wrong->entry && wrong->entry < story_of(bench)->seq);
}

static void bytes_that_are_no_entry_are_named(void **state)
{
    struct bench *bench = *state;

    bench->desk->ledger->fault = FAULT_ENTRY;
    names(look(bench), 0, "");
}

static void a_note_that_the_pinned_key_did_not_sign_is_no_head(void **state)
{
    struct bench *bench = *state;

    remember(bench);
    bench->desk->ledger->fault = FAULT_NOTE;
    assert_fails(verify_open(&bench->verify, &bench->client, err), OPL_E_SIGNATURE);
}

static void a_log_that_has_shrunk_is_named_with_both_notes(void **state)
{
    struct bench *bench = *state;

    assert_int_equal(RUN(bench->desk, "log", "verify"), 0);
    bench->desk->ledger->fault = FAULT_SHRUNK;
    assert_int_equal(RUN(bench->desk, "log", "verify", "--deep"), 4);
    assert_true(desk_said(bench->desk, "seen before:"));
    assert_true(desk_said(bench->desk, "shown now:"));
    assert_true(desk_said(bench->desk, "is wrong: it was in the log"));
    assert_int_equal(RUN(bench->desk, "log", "verify"), 4);
    assert_true(desk_said(bench->desk, "log verify: the log is wrong"));
}

static void a_log_that_was_rewritten_with_its_key_is_seen_by_who_remembers(void **state)
{
    struct bench *bench = *state;

    remember(bench);
    bench->desk->ledger->fault = FAULT_REWRITTEN;
    assert_int_equal(RUN(bench->desk, "log", "verify", "--deep"), 4);
    assert_int_equal(RUN(bench->desk, "log", "verify"), 4);
}

static void a_sealed_text_that_is_not_there_is_named(void **state)
{
    struct bench *bench = *state;
    uint64_t seq = story_incident(story_of(bench), "alice");

    names(look(bench), seq, "its text at /body/title is gone");
}

static void a_sealed_text_that_is_another_is_named(void **state)
{
    struct bench *bench = *state;
    uint64_t seq = story_of(bench)->seq;

    assert_int_equal(RUN(bench->desk, "incident", "open", "--title", "it is slow"), 0);
    bench->desk->ledger->fault = FAULT_TEXT;
    names(look(bench), seq, "is not the one that it sealed");
}

static void texts_and_receipts_of_this_client_are_checked(void **state)
{
    struct bench *bench = *state;

    assert_int_equal(RUN(bench->desk, "incident", "open", "--title", "it is slow"), 0);
    assert_false(look(bench)->found);
    assert_int_equal(bench->verify.counts.texts, 1);
    assert_int_equal(bench->verify.counts.receipts, 1);
}

static void a_receipt_of_what_is_gone_is_enough_to_see_it(void **state)
{
    struct bench *bench = *state;

    assert_int_equal(RUN(bench->desk, "incident", "open", "--title", "it is slow"), 0);
    state_forget(&bench->client.state, "checkpoints", STORY_ORIGIN);
    bench->desk->ledger->fault = FAULT_SHRUNK;
    assert_true(look(bench)->found);
    assert_non_null(strstr(bench->verify.wrong.reason, "of which this client keeps a proof"));
}

static void a_receipt_of_another_leaf_names_the_entry(void **state)
{
    struct bench *bench = *state;
    uint64_t seq = story_of(bench)->seq;

    assert_int_equal(RUN(bench->desk, "incident", "open", "--title", "it is slow"), 0);
    assert_ok(verify_open(&bench->verify, &bench->client, err));
    assert_ok(verify_walk(&bench->verify, err));
    bench->verify.tree.level[0].data[seq * sizeof(struct opl_hash)] ^= 1;
    assert_ok(verify_roots(&bench->verify, err));
    names(&bench->verify.wrong, seq, "");
}

static void a_signature_that_does_not_hold_is_named(void **state)
{
    struct bench *bench = *state;
    json_t *about = story_body("{'kind':'principal.changed','on':null,'body_sha256':'%064d'}", 0);
    const struct story_statement forged = {
        .type = "opledger/admin", .signer = "bob", .about = about, .spoiled = true};
    json_t *body = story_sign(story_of(bench), &forged);
    uint64_t seq;

    json_object_set_new(body, "name", json_string("carol"));
    json_object_set_new(body, "roles", json_pack("[s]", "admin"));
    seq = story_force(story_of(bench), "alice", "principal.changed", NULL, body);
    names(look(bench), seq, "");
}

static void a_blob_that_is_not_there_is_named(void **state)
{
    struct bench *bench = *state;
    uint64_t seq = story_force(story_of(bench), "alice", "policy.adopted", NULL,
                               story_body("{'what':'redact','name':'other','sha256':'%064d'}", 1));

    names(look(bench), seq, "is not there");
}

/* The story's texts are not served, so that this looks at one entry at its place. */
static void a_decision_that_the_gate_would_not_have_made_is_named(void **state)
{
    struct bench *bench = *state;
    struct story *story = story_of(bench);
    OPL_CLEANUP(opl_entry_close) struct opl_entry entry = {0};
    char chg[OPL_ID_SIZE];
    const char *bytes;
    uint64_t seq;

    story_change(story, "alice", NULL, NULL);
    memcpy(chg, story->last_id, sizeof(chg));
    seq = story_decide(story, chg, "allowed");
    bytes = json_string_value(json_array_get(story->entries, seq));
    assert_ok(opl_entry_parse(bytes, strlen(bytes), seq, &entry, err));
    assert_ok(verify_open(&bench->verify, &bench->client, err));
    opl_world_free(bench->verify.world);
    bench->verify.world = story->world;
    assert_ok(verify_decision(&bench->verify, &entry, err));
    bench->verify.world = NULL;
    names(&bench->verify.wrong, seq, "the gate decides otherwise");
}

static void one_entry_or_all_of_them_is_asked_for_by_number(void **state)
{
    struct bench *bench = *state;

    assert_int_equal(RUN(bench->desk, "log", "verify", "x"), 2);
    assert_int_equal(RUN(bench->desk, "log", "verify", "1", "--deep"), 2);
}

#define WITH_BENCH(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_BENCH(an_untouched_log_is_good),
        WITH_BENCH(a_leaf_that_its_bytes_do_not_hash_to_is_named),
        WITH_BENCH(a_changed_entry_that_hashes_to_its_leaf_is_placed_by_the_signed_head),
        WITH_BENCH(bytes_that_are_no_entry_are_named),
        WITH_BENCH(a_note_that_the_pinned_key_did_not_sign_is_no_head),
        WITH_BENCH(a_log_that_has_shrunk_is_named_with_both_notes),
        WITH_BENCH(a_log_that_was_rewritten_with_its_key_is_seen_by_who_remembers),
        WITH_BENCH(a_sealed_text_that_is_not_there_is_named),
        WITH_BENCH(a_sealed_text_that_is_another_is_named),
        WITH_BENCH(texts_and_receipts_of_this_client_are_checked),
        WITH_BENCH(a_receipt_of_what_is_gone_is_enough_to_see_it),
        WITH_BENCH(a_receipt_of_another_leaf_names_the_entry),
        WITH_BENCH(a_signature_that_does_not_hold_is_named),
        WITH_BENCH(a_blob_that_is_not_there_is_named),
        WITH_BENCH(a_decision_that_the_gate_would_not_have_made_is_named),
        WITH_BENCH(one_entry_or_all_of_them_is_asked_for_by_number),
    };

    return cmocka_run_group_tests(tests, unit_start, NULL);
}

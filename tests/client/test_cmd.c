/* SPDX-License-Identifier: Apache-2.0 */
/* The commands as people type them; modules have tests of their own. */
#include "client/cmd.h"

#include "unit.h"

#include "desk.h"

#define PROMPT_HEX "6cd5b6e51936a442b973660c21553dd22bd72ddc8751132a943475113113b4c0"

static const char *body_text(const struct desk *desk, const char *name)
{
    static char value[512];
    uint64_t seq = desk->ledger->story->seq - 1;
    json_t *entry =
        json_loads(json_string_value(json_array_get(desk->ledger->story->entries, seq)), 0, NULL);
    const char *text = opl_json_str(json_object_get(entry, "body"), name);

    (void)snprintf(value, sizeof(value), "%s", text != NULL ? text : "");
    json_decref(entry);
    return value;
}

static void severity_is_medium_unless_said(void **state)
{
    assert_int_equal(RUN((struct desk *)*state, "incident", "open", "--title", "t"), 0);
    assert_string_equal(body_text(*state, "severity"), "medium");
}

static void the_short_form_uses_the_last_incident_and_says_which(void **state)
{
    struct desk *desk = *state;

    assert_int_equal(RUN(desk, "incident", "open", "--title", "t"), 0);
    assert_int_equal(RUN(desk, "hyp", "a claim", "-m", "openai/gpt-5"), 0);
    assert_true(desk_complained(desk, "incident inc-1"));
    assert_true(desk_said(desk, "recorded hyp-1"));
    assert_true(desk_said(desk, "next: opledger verdict record hyp-1"));
}

static void the_short_form_without_an_incident_says_how(void **state)
{
    struct desk *desk = *state;

    assert_int_equal(RUN(desk, "hyp", "a claim", "-m", "openai/gpt-5"), 2);
    assert_true(desk_complained(desk, "opledger hyp INC TEXT"));
}

static void a_model_must_be_named_or_configured(void **state)
{
    struct desk *desk = *state;

    assert_int_equal(RUN(desk, "incident", "open", "--title", "t"), 0);
    assert_int_equal(RUN(desk, "hyp", "inc-1", "a claim"), 2);
    setenv("OPLEDGER_MODEL", "openai/gpt-5", 1);
    assert_int_equal(RUN(desk, "hyp", "inc-1", "a claim"), 0);
    unsetenv("OPLEDGER_MODEL");
}

static void a_claim_full_of_shell_arrives_unchanged(void **state)
{
    struct desk *desk = *state;
    static const char claim[] = "`rm -rf /` $(id) \"x\" ${HOME}; 'y'";

    assert_int_equal(RUN(desk, "incident", "open", "--title", "t"), 0);
    assert_int_equal(RUN_WITH(desk, claim, "hyp", "inc-1", "-m", "openai/gpt-5"), 0);
    assert_int_equal(RUN(desk, "hypothesis", "show", "hyp-1"), 0);
    assert_true(desk_said(desk, claim));
}

static void a_prompt_file_is_hashed_and_not_sent(void **state)
{
    struct desk *desk = *state;
    const char *prompt = desk_file(desk, "prompt", "hello\n\n");

    assert_int_equal(RUN(desk, "incident", "open", "--title", "t"), 0);
    assert_int_equal(RUN(desk, "hyp", "inc-1", "c", "-m", "openai/gpt-5", "-p", prompt), 0);
    assert_int_equal(strlen(body_text(desk, "prompt_sha256")), 64);
    assert_int_equal(json_object_size(desk->ledger->blobs), 0);
}

static void what_was_sent_is_said_exactly_once(void **state)
{
    struct desk *desk = *state;

    assert_int_equal(RUN(desk, "incident", "open", "--title", "t"), 0);
    assert_int_equal(
        RUN(desk, "hypothesis", "record", "inc-1", "--claim", "c", "-m", "openai/gpt-5"), 2);
    assert_int_equal(RUN(desk, "hypothesis", "record", "inc-1", "--claim", "c", "-m",
                         "openai/gpt-5", "--prompt-sha256", PROMPT_HEX, "--prompt-unavailable",
                         "x"),
                     2);
    assert_int_equal(RUN(desk, "hypothesis", "record", "inc-1", "--claim", "c", "-m",
                         "openai/gpt-5", "--prompt-sha256", PROMPT_HEX),
                     0);
}

static void a_vendor_confirms_with_a_file_as_evidence(void **state)
{
    struct desk *desk = *state;
    uint64_t before;

    before = desk->ledger->story->seq;
    assert_int_equal(RUN(desk, "vendor", "update", "hyp-1", "--vendor", "SchedMD", "--state",
                         "confirmed", "--evidence", desk_file(desk, "mail", "yes")),
                     0);
    assert_int_equal(desk->ledger->story->seq, before + 2); /* attached, then named */
    assert_string_equal(body_text(desk, "state"), "confirmed");
}

static void a_test_run_is_of_the_manifest_in_force(void **state)
{
    struct desk *desk = *state;

    assert_int_equal(RUN(desk, "testrun", "record", "chg-1", "--host", "box1", "--outcome",
                         "passed", "--evidence", desk_file(desk, "log", "ok")),
                     0);
    assert_non_null(strstr(body_text(desk, "manifest"), "sha256:"));
}

static void a_rehearsal_has_a_duration(void **state)
{
    struct desk *desk = *state;

    assert_int_equal(RUN(desk, "rehearsal", "record", "chg-1", "--what", "restore", "--outcome",
                         "passed", "--duration", "soon"),
                     2);
    assert_int_equal(RUN(desk, "rehearsal", "record", "chg-1", "--what", "restore", "--outcome",
                         "passed", "--duration", "12m", "--evidence", desk_file(desk, "l", "x")),
                     0);
}

static void a_private_key_is_never_enrolled(void **state)
{
    struct desk *desk = *state;
    const char *key = desk_file(desk, "key", "-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n");

    assert_int_equal(RUN(desk, "principal", "key", "add", "bob", key), 2);
    assert_true(desk_complained(desk, "is a private key"));
}

static void evidence_on_a_pipe_is_its_bytes(void **state)
{
    struct desk *desk = *state;
    char digest[OPL_DIGEST_SIZE];

    fake_ledger_add_blob(desk->ledger, "bytes\033[2J", digest);
    assert_int_equal(RUN(desk, "evidence", "get", digest), 0);
    assert_string_equal(opl_buf_text(&desk->out), "bytes\033[2J");
    assert_int_equal(RUN(desk, "evidence", "get", digest, "--json"), 2);
}

static void evidence_into_a_file_is_verified_first(void **state)
{
    struct desk *desk = *state;
    const char *path = desk_file(desk, "out", "before");
    char digest[OPL_DIGEST_SIZE];
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};

    fake_ledger_add_blob(desk->ledger, "bytes", digest);
    json_object_set_new(desk->ledger->blobs, digest + 7, json_string("other"));
    assert_int_equal(RUN(desk, "evidence", "get", digest, "-o", path), 4);
    json_object_set_new(desk->ledger->blobs, digest + 7, json_string("bytes"));
    assert_int_equal(RUN(desk, "evidence", "get", digest, "-o", path), 0);
}

static void the_built_in_policies_lint(void **state)
{
    struct desk *desk = *state;

    assert_int_equal(RUN(desk, "policy", "lint"), 0);
    assert_true(desk_said(desk, "policies good (exit 0)"));
    assert_int_equal(RUN(desk, "policy", "lint", desk_file(desk, "x.yaml", "v: 1\n")), 1);
    assert_int_equal(RUN(desk, "policy", "lint", "--anchors"), 0);
    assert_true(desk->out.len > 100);
    assert_int_equal(RUN(desk, "policy", "lint", "--anchors", "--json"), 0);
    assert_int_equal(desk->out.data[0], '[');
}

static void the_checkpoint_is_told(void **state)
{
    struct desk *desk = *state;

    assert_int_equal(RUN(desk, "log", "checkpoint"), 0);
    assert_true(desk_said(desk, "origin " STORY_ORIGIN));
    assert_true(desk_said(desk, "no independent witness"));
}

static void doctor_names_what_is_wrong_and_the_remedy(void **state)
{
    struct desk *desk = *state;

    assert_int_equal(RUN(desk, "doctor"), 1); /* no SSH key in this home */
    assert_true(desk_said(desk, "mend: ssh-keygen -t ed25519"));
    assert_int_equal(RUN(desk, "doctor", "--url", "http://127.0.0.1:1"), 1);
    assert_true(desk_said(desk, "no ledger answers"));
}

#define AT_DESK(test) cmocka_unit_test_setup_teardown(test, desk_set_up, desk_tear_down)
#define WITH_CHANGE(test) cmocka_unit_test_setup_teardown(test, desk_set_up_change, desk_tear_down)

static const struct CMUnitTest tests[] = {
    AT_DESK(severity_is_medium_unless_said),
    AT_DESK(the_short_form_uses_the_last_incident_and_says_which),
    AT_DESK(the_short_form_without_an_incident_says_how),
    AT_DESK(a_model_must_be_named_or_configured),
    AT_DESK(a_claim_full_of_shell_arrives_unchanged),
    AT_DESK(a_prompt_file_is_hashed_and_not_sent),
    AT_DESK(what_was_sent_is_said_exactly_once),
    WITH_CHANGE(a_vendor_confirms_with_a_file_as_evidence),
    WITH_CHANGE(a_test_run_is_of_the_manifest_in_force),
    WITH_CHANGE(a_rehearsal_has_a_duration),
    AT_DESK(a_private_key_is_never_enrolled),
    AT_DESK(evidence_on_a_pipe_is_its_bytes),
    AT_DESK(evidence_into_a_file_is_verified_first),
    AT_DESK(the_built_in_policies_lint),
    AT_DESK(the_checkpoint_is_told),
    AT_DESK(doctor_names_what_is_wrong_and_the_remedy),
};

UNIT_MAIN(tests)

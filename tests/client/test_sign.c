/* SPDX-License-Identifier: Apache-2.0 */
#include "client/sign.h"

#include "unit.h"

#include <unistd.h>

#include <opledger/encode.h>
#include <opledger/sshsig.h>
#include <opledger/statement.h>

#include "client/process.h"
#include "desk.h"

/* A key made on the spot by the real ssh-keygen; its path lives as long as the desk. */
static const char *make_key(struct desk *desk)
{
    static char path[128];
    const char *const argv[] = {"ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", path, NULL};
    int status = -1;

    (void)snprintf(path, sizeof(path), "%s/key", desk->home);
    assert_ok(process_run(argv, &status, err));
    assert_int_equal(status, 0);
    return path;
}

static void assert_signed(const char *sshsig, const char *text, const char *ssh_namespace,
                          bool expected)
{
    uint8_t blob[OPL_SSHSIG_MAX];
    struct opl_sshsig sig;
    size_t len = 0;

    assert_ok(opl_base64_decode(sshsig, strlen(sshsig), blob, sizeof(blob), &len, err));
    assert_ok(opl_sshsig_parse(blob, len, &sig, err));
    assert_int_equal(opl_sshsig_verify(&sig, text, strlen(text), ssh_namespace, NULL), expected);
}

static void ssh_keygen_signs_the_text_and_its_line_feed(void **state)
{
    const char *key = make_key(*state);
    char *sshsig = NULL;

    assert_ok(sign_text(key, "approve@opledger", "{\"a\":1}", &sshsig, err));
    assert_null(strchr(sshsig, '\n'));
    assert_signed(sshsig, "{\"a\":1}\n", "approve@opledger", true);
    assert_signed(sshsig, "{\"a\":1}", "approve@opledger", false);
    assert_signed(sshsig, "{\"a\":2}\n", "approve@opledger", false);
    assert_signed(sshsig, "{\"a\":1}\n", "confirm@opledger", false);
    free(sshsig);
}

static void a_key_that_cannot_sign_is_told_with_the_command(void **state)
{
    struct desk *desk = *state;
    const char *broken = desk_file(desk, "broken", "no key\n");
    struct opl_err err = {0};
    char *sshsig = NULL;

    assert_false(sign_text(broken, "approve@opledger", "x", &sshsig, &err));
    assert_int_equal(opl_code_exit(err.code), 2);
    assert_non_null(strstr(err.hint, "ssh-keygen -Y sign"));
}

static void the_key_is_given_configured_or_the_usual_one(void **state)
{
    struct desk *desk = *state;
    struct client client;
    char *path = NULL;

    (void)desk_file(desk, ".ssh/id_ed25519", "usual");
    setenv("OPLEDGER_SSH_KEY", desk_file(desk, "configured", "c"), 1);
    desk_client(desk, &client);
    assert_ok(sign_key_file(&client, desk_file(desk, "given", "g"), &path, err));
    assert_non_null(strstr(path, "/given"));
    free(path);
    assert_ok(sign_key_file(&client, NULL, &path, err));
    assert_non_null(strstr(path, "/configured"));
    free(path);
    desk_client_close(&client);
    unsetenv("OPLEDGER_SSH_KEY");
    desk_client(desk, &client);
    assert_ok(sign_key_file(&client, NULL, &path, err));
    assert_non_null(strstr(path, "/.ssh/id_ed25519"));
    free(path);
    assert_fails(sign_key_file(&client, "/nonexistent", &path, err), OPL_E_CONFIG);
    desk_client_close(&client);
}

/* Signs a confirmation of entry 3 at the desk. */
static bool sign_at(struct desk *desk, struct signed_statement *made, struct opl_err *err)
{
    json_t *about = json_pack("{s:i}", "fact", 3);
    struct sign_request request = {
        .type = "opledger/confirmation", .about = about, .key = make_key(desk)};
    struct client client;
    bool ok;

    desk_client(desk, &client);
    ok = sign_statement(&client, &request, made, err);
    desk_client_close(&client);
    json_decref(about);
    return ok;
}

static void a_statement_names_the_head_that_was_verified(void **state)
{
    struct desk *desk = *state;
    OPL_CLEANUP(signed_statement_close) struct signed_statement made = {0};
    OPL_CLEANUP(opl_statement_close) struct opl_statement statement = {0};

    assert_ok(sign_at(desk, &made, err));
    assert_ok(opl_statement_parse(made.text, strlen(made.text), &statement, err));
    assert_string_equal(statement.signer, "alice");
    assert_string_equal(statement.log.origin, STORY_ORIGIN);
    assert_int_equal(statement.log.size, desk->ledger->story->seq);
    assert_non_null(strstr(made.fingerprint, "SHA256:"));
}

static void nothing_is_signed_over_a_log_that_does_not_verify(void **state)
{
    struct desk *desk = *state;
    OPL_CLEANUP(signed_statement_close) struct signed_statement made = {0};
    struct opl_err err = {0};

    desk->ledger->fault = FAULT_NOTE;
    assert_false(sign_at(desk, &made, &err));
    assert_int_equal(opl_code_exit(err.code), 4);
    assert_null(made.sshsig);
}

#define AT_DESK(test) cmocka_unit_test_setup_teardown(test, desk_set_up, desk_tear_down)

static const struct CMUnitTest tests[] = {
    AT_DESK(ssh_keygen_signs_the_text_and_its_line_feed),
    AT_DESK(a_key_that_cannot_sign_is_told_with_the_command),
    AT_DESK(the_key_is_given_configured_or_the_usual_one),
    AT_DESK(a_statement_names_the_head_that_was_verified),
    AT_DESK(nothing_is_signed_over_a_log_that_does_not_verify),
};

UNIT_MAIN(tests)

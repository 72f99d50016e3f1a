/* SPDX-License-Identifier: Apache-2.0 */
#include "client/change_manifest.h"

#include "unit.h"

#include "client/subject.h"
#include "desk.h"

static bool fetch(struct desk *desk, struct opl_manifest *manifest, struct opl_err *err)
{
    char digest[OPL_DIGEST_SIZE];
    struct client client;
    bool ok;

    desk_client(desk, &client);
    ok = subject_manifest(&client, "chg-1", digest, err) &&
         change_manifest_fetch(&client, digest, manifest, err);
    desk_client_close(&client);
    return ok;
}

static int revise(struct desk *desk, const char *command)
{
    char from[128], base[128];

    (void)snprintf(from, sizeof(from), "%s/stage", desk->home);
    (void)snprintf(base, sizeof(base), "%s/base", desk->home);
    (void)desk_file(desk, "stage/etc/slurm/slurm.conf", "third");
    (void)desk_file(desk, "base/etc/slurm/slurm.conf", "abc");
    if (command == NULL)
        return RUN(desk, "change", "revise", "chg-1", "--file", "/etc/slurm/slurm.conf", "--from",
                   from, "--base-dir", base);
    return RUN(desk, "change", "revise", "chg-1", "--", command);
}

static void a_revision_replaces_files_and_keeps_the_rest(void **state)
{
    OPL_CLEANUP(opl_manifest_close) struct opl_manifest manifest = {0};
    struct opl_hash third;

    assert_int_equal(revise(*state, NULL), 0);
    assert_ok(fetch(*state, &manifest, err));
    opl_sha256("third", 5, &third);
    assert_true(opl_hash_equal(&manifest.files[0].next.sha256, &third));
    assert_string_equal(manifest.target, "engaging/slurm");
}

static void a_revision_of_the_command_keeps_the_files(void **state)
{
    OPL_CLEANUP(opl_manifest_close) struct opl_manifest manifest = {0};

    assert_int_equal(revise(*state, "true"), 0);
    assert_ok(fetch(*state, &manifest, err));
    assert_int_equal(manifest.file_count, 1);
    assert_string_equal(manifest.command[0], "true");
}

static void the_command_is_shown_word_for_word(void **state)
{
    struct desk *desk = *state;

    assert_int_equal(
        RUN(desk, "change", "revise", "chg-1", "--", "/bin/sh", "-c", "scontrol reconfigure"), 0);
    assert_true(desk_said(desk, "command: /bin/sh -c 'scontrol reconfigure'\n"));
    assert_int_equal(RUN(desk, "gate", "explain", "chg-1"), 1);
    assert_true(desk_said(desk, "command: /bin/sh -c 'scontrol reconfigure'\n"));
}

static void a_manifest_with_other_bytes_is_refused(void **state)
{
    struct desk *desk = *state;
    OPL_CLEANUP(opl_manifest_close) struct opl_manifest manifest = {0};
    const char *hex;
    json_t *text;

    json_object_foreach(desk->ledger->blobs, hex, text)
    {
        json_object_set_new(desk->ledger->blobs, hex, json_string("{}"));
    }
    assert_fails(fetch(desk, &manifest, err), OPL_E_DIGEST);
}

static void the_staged_files_are_judged_where_they_are_named(void **state)
{
    struct desk *desk = *state;
    char from[128];

    (void)snprintf(from, sizeof(from), "%s/stage", desk->home);
    assert_int_equal(
        RUN(desk, "gate", "check", "chg-1", "--file", "/etc/slurm/slurm.conf", "--from", from),
        2); /* nothing is staged there */
}

#define WITH_CHANGE(test) cmocka_unit_test_setup_teardown(test, desk_set_up_change, desk_tear_down)

static const struct CMUnitTest tests[] = {
    WITH_CHANGE(a_revision_replaces_files_and_keeps_the_rest),
    WITH_CHANGE(a_revision_of_the_command_keeps_the_files),
    WITH_CHANGE(the_command_is_shown_word_for_word),
    WITH_CHANGE(a_manifest_with_other_bytes_is_refused),
    WITH_CHANGE(the_staged_files_are_judged_where_they_are_named),
};

UNIT_MAIN(tests)

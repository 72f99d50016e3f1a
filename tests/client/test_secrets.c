/* SPDX-License-Identifier: Apache-2.0 */
#include "client/secrets.h"

#include "unit.h"

#include "desk.h"

#define CLEAN "SlurmctldHost=mgmt01\nMaxJobCount=10000\n"
#define DIRTY "StorageUser=slurm\nStoragePass=Xy7-dbpw-9431-zQ\n"

static int propose(struct desk *desk, const char *next, const char *base)
{
    char from[128], base_dir[128];

    (void)snprintf(from, sizeof(from), "%s/stage", desk->home);
    (void)snprintf(base_dir, sizeof(base_dir), "%s/base", desk->home);
    (void)desk_file(desk, "stage/etc/x.conf", next);
    (void)desk_file(desk, "base/etc/x.conf", base);
    return RUN(desk, "change", "propose", "--title", "t", "--class", "config", "--target", "a/b",
               "--file", "/etc/x.conf", "--from", from, "--base-dir", base_dir);
}

static void files_without_secrets_are_proposed(void **state)
{
    assert_int_equal(propose(*state, CLEAN "A=1\n", CLEAN), 0);
}

static void assert_refused(struct desk *desk, const char *next, const char *base)
{
    uint64_t before = desk->ledger->story->seq;

    assert_int_equal(propose(desk, next, base), 1);
    assert_true(desk_complained(desk, "x.conf holds a secret at byte "));
    assert_false(desk_complained(desk, "9431"));
    assert_int_equal(json_object_size(desk->ledger->blobs), 0);
    assert_int_equal(desk->ledger->story->seq, before);
}

static void a_secret_on_either_side_is_refused_before_anything_is_sent(void **state)
{
    assert_refused(*state, DIRTY, CLEAN);
    assert_refused(*state, CLEAN, DIRTY);
}

#define KEY                                                                                        \
    "-----BEGIN OPENSSH PRIVATE KEY-----\n"                                                        \
    "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW\n"                     \
    "QyNTUxOQAAACBy5V8n6wYb3s0u9q1kq2m5r8t0x3z6C9F2I5L8O1R4U7X0a3d6g9j2m5p8\n"                     \
    "-----END OPENSSH PRIVATE KEY-----\n"

static void a_text_that_holds_a_secret_is_warned_of_and_recorded(void **state)
{
    struct desk *desk = *state;

    assert_int_equal(RUN(desk, "incident", "open", "--title", "slurmctld hangs"), 0);
    assert_false(desk_complained(desk, "warning"));
    assert_int_equal(RUN(desk, "incident", "note", "inc-1", "seen: " DIRTY), 0);
    assert_true(desk_complained(desk, "warning: the text looks like it holds a secret"));
    assert_false(desk_complained(desk, "9431"));
    assert_int_equal(RUN(desk, "incident", "note", "inc-1", "key: " KEY), 0);
    assert_true(desk_complained(desk, "warning: the text looks like it holds a secret"));
    assert_int_equal(RUN(desk, "incident", "note", "inc-1", "called off at 02:40"), 0);
    assert_false(desk_complained(desk, "warning"));
}

static void evidence_that_holds_a_secret_is_warned_of(void **state)
{
    struct desk *desk = *state;

    assert_int_equal(RUN(desk, "incident", "open", "--title", "t"), 0);
    (void)RUN(desk, "evidence", "attach", "inc-1", desk_file(desk, "id_ed25519", KEY));
    assert_true(desk_complained(desk, "id_ed25519 looks like it holds a secret at byte "));
    (void)RUN(desk, "evidence", "attach", "inc-1", desk_file(desk, "clean", CLEAN));
    assert_false(desk_complained(desk, "warning"));
}

#define AT_DESK(test) cmocka_unit_test_setup_teardown(test, desk_set_up, desk_tear_down)

static const struct CMUnitTest tests[] = {
    AT_DESK(files_without_secrets_are_proposed),
    AT_DESK(a_secret_on_either_side_is_refused_before_anything_is_sent),
    AT_DESK(a_text_that_holds_a_secret_is_warned_of_and_recorded),
    AT_DESK(evidence_that_holds_a_secret_is_warned_of),
};

UNIT_MAIN(tests)

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

#define AT_DESK(test) cmocka_unit_test_setup_teardown(test, desk_set_up, desk_tear_down)

static const struct CMUnitTest tests[] = {
    AT_DESK(files_without_secrets_are_proposed),
    AT_DESK(a_secret_on_either_side_is_refused_before_anything_is_sent),
};

UNIT_MAIN(tests)

/* SPDX-License-Identifier: Apache-2.0 */
#include "client/staged.h"

#include "unit.h"

#include <sys/stat.h>
#include <unistd.h>

#include "desk.h"

static void a_regular_file_has_digest_mode_and_owner(void **state)
{
    const char *path = desk_file(*state, "f", "abc");
    struct opl_file_side side;
    struct opl_hash real;
    int64_t size;

    assert_int_equal(chmod(path, 0640), 0);
    assert_ok(staged_side(path, &side, &size, err));
    opl_sha256("abc", 3, &real);
    assert_true(side.present && opl_hash_equal(&side.sha256, &real));
    assert_string_equal(side.mode, "0640");
    assert_int_equal(size, 3);
}

static void an_absent_file_is_a_side_that_is_not_there(void **state)
{
    struct opl_file_side side;
    int64_t size;

    (void)state;
    assert_ok(staged_side("/nonexistent", &side, &size, err));
    assert_false(side.present);
}

/* A link would let the bytes be swapped after they were judged. */
static void links_folders_and_devices_are_refused(void **state)
{
    struct desk *desk = *state;
    struct opl_file_side side;
    char link[128];
    int64_t size;

    (void)snprintf(link, sizeof(link), "%s/link", desk->home);
    assert_int_equal(symlink(desk_file(desk, "f", "abc"), link), 0);
    assert_fails(staged_side(link, &side, &size, err), OPL_E_USAGE);
    assert_fails(staged_side(desk->home, &side, &size, err), OPL_E_USAGE);
    assert_fails(staged_side("/dev/null", &side, &size, err), OPL_E_USAGE);
}

static void places_are_beside_and_live_unless_named(void **state)
{
    struct staged_places beside = {0};
    struct staged_places named = {.from = "stage", .base_dir = "base"};
    char *paths[4] = {staged_new_path(&beside, "/etc/x"), staged_base_path(&beside, "/etc/x"),
                      staged_new_path(&named, "/etc/x"), staged_base_path(&named, "/etc/x")};

    (void)state;
    assert_string_equal(paths[0], "/etc/x.new");
    assert_string_equal(paths[1], "/etc/x");
    assert_string_equal(paths[2], "stage/etc/x");
    assert_string_equal(paths[3], "base/etc/x");
    for (int i = 0; i < 4; i++)
        free(paths[i]);
}

/* Runs `change propose` over files staged below the home. */
static int propose(struct desk *desk, const char *target)
{
    char from[128], base[128];

    (void)snprintf(from, sizeof(from), "%s/stage", desk->home);
    (void)snprintf(base, sizeof(base), "%s/base", desk->home);
    return RUN(desk, "change", "propose", "--title", "t", "--class", "config", "--target",
               "engaging/slurm", "--file", target, "--from", from, "--base-dir", base, "--",
               "scontrol", "reconfigure");
}

static void a_change_is_proposed_from_what_is_staged(void **state)
{
    struct desk *desk = *state;

    (void)desk_file(desk, "stage/etc/slurm.conf", "new");
    (void)desk_file(desk, "base/etc/slurm.conf", "old");
    assert_int_equal(propose(desk, "/etc/slurm.conf"), 0);
    assert_true(desk_said(desk, "recorded chg-1"));
    assert_true(desk_said(desk, "command: scontrol reconfigure"));
    assert_int_equal(json_object_size(desk->ledger->blobs), 3); /* both sides and the manifest */
}

static void a_target_that_is_staged_nowhere_is_refused(void **state)
{
    struct desk *desk = *state;

    assert_int_equal(propose(desk, "/etc/other.conf"), 2);
    assert_true(desk_complained(desk, "nothing is staged for /etc/other.conf"));
    assert_int_equal(propose(desk, "relative.conf"), 2);
}

#define AT_DESK(test) cmocka_unit_test_setup_teardown(test, desk_set_up, desk_tear_down)

static const struct CMUnitTest tests[] = {
    AT_DESK(a_regular_file_has_digest_mode_and_owner),
    cmocka_unit_test(an_absent_file_is_a_side_that_is_not_there),
    AT_DESK(links_folders_and_devices_are_refused),
    cmocka_unit_test(places_are_beside_and_live_unless_named),
    AT_DESK(a_change_is_proposed_from_what_is_staged),
    AT_DESK(a_target_that_is_staged_nowhere_is_refused),
};

UNIT_MAIN(tests)

/* SPDX-License-Identifier: Apache-2.0 */
#include "server/disk.h"

#include <errno.h>
#include <ftw.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "server/lockfile.h"
#include "server/postgres.h"
#include "unit.h"

static char dir[64];

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
    (void)st;
    (void)type;
    (void)at;
    return remove(path);
}

static int start(void **state)
{
    snprintf(dir, sizeof(dir), "/tmp/opledger-disk-XXXXXX");
    return mkdtemp(dir) && !chmod(dir, 0755) ? unit_start(state) : -1;
}

static int stop(void **state)
{
    (void)state;
    return nftw(dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void a_folder_is_made_with_those_above_it(void **state)
{
    char path[128];
    struct stat st;

    (void)state;
    snprintf(path, sizeof(path), "%s/a/b/c", dir);
    assert_ok(disk_prepare(path, err));
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0700);
    assert_ok(disk_prepare(path, err));
}

static void a_file_in_the_place_of_the_folder_is_said(void **state)
{
    char path[128];

    (void)state;
    snprintf(path, sizeof(path), "%s/file", dir);
    assert_ok(disk_write_file(path, "x", 1, 0600, err));
    assert_fails(disk_prepare(path, err), OPL_E_CONFIG);
}

static void a_file_is_replaced_as_a_whole(void **state)
{
    char path[128], text[8] = "";
    struct stat st;
    FILE *file;

    (void)state;
    snprintf(path, sizeof(path), "%s/token", dir);
    assert_ok(disk_write_file(path, "first", 5, 0600, err) &&
              disk_write_file(path, "new", 3, 0640, err));
    file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(text, sizeof(text), file));
    fclose(file);
    assert_string_equal(text, "new");
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0640);
}

static void a_symbolic_link_in_the_place_of_the_temporary_file_is_not_followed(void **state)
{
    char path[128], link[140], target[128];

    (void)state;
    snprintf(path, sizeof(path), "%s/key", dir);
    snprintf(link, sizeof(link), "%s.new", path);
    snprintf(target, sizeof(target), "%s/elsewhere", dir);
    assert_int_equal(symlink(target, link), 0);
    assert_false(disk_write_file(path, "x", 1, 0600, NULL));
    assert_int_not_equal(access(target, F_OK), 0);
}

static void the_reserve_is_kept(void **state)
{
    uint64_t bytes = 0;

    (void)state;
    assert_ok(disk_free(dir, &bytes, err));
    assert_true(bytes > 0);
    assert_ok(disk_has(dir, 1, err));
    assert_fails(disk_has(dir, UINT64_MAX, err), OPL_E_STORAGE);
}

static void errno_has_a_meaning(void **state)
{
    struct opl_err failure = {0};

    (void)state;
    assert_fails(disk_fail(err, ENOSPC, "write", "/x"), OPL_E_STORAGE);
    assert_fails(disk_fail(err, EDQUOT, "write", "/x"), OPL_E_STORAGE);
    assert_fails(disk_fail(err, EIO, "write", "/x"), OPL_E_IO);
    disk_fail(&failure, EROFS, "write", "/x/y");
    assert_int_equal(failure.code, OPL_E_CONFIG);
    assert_non_null(strstr(failure.text, "/x/y"));
    assert_non_null(strstr(failure.text, "read-only"));
}

/* Runs `check` in a process that sees a small file system over `dir`; its code, or skips the test.
 */
static enum opl_code on_small_disk(const char *options, enum opl_code (*check)(void))
{
    int status;
    pid_t pid = fork();

    if (!pid) {
        if (unshare(CLONE_NEWNS) || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
            mount("opledger-test", dir, "tmpfs", 0, options) || chmod(dir, 0755))
            _exit(255);
        _exit((int)check());
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    if (!WIFEXITED(status) || WEXITSTATUS(status) == 255)
        skip();
    return (enum opl_code)WEXITSTATUS(status);
}

static enum opl_code fill_and_prepare(void)
{
    struct opl_err err = {0};
    char path[128];
    FILE *file;

    snprintf(path, sizeof(path), "%s/fill", dir);
    file = fopen(path, "w");
    while (file && fputs("0123456789abcdef", file) >= 0 && !fflush(file))
        continue;
    return disk_prepare(dir, &err) ? OPL_OK : err.code;
}

static void a_full_disk_is_said(void **state)
{
    (void)state;
    assert_int_equal(on_small_disk("size=64k", fill_and_prepare), OPL_E_STORAGE);
}

static enum opl_code freeze_and_prepare(void)
{
    struct lockfile lock = {0};
    struct opl_err err = {0};

    if (mount(NULL, dir, NULL, MS_REMOUNT | MS_RDONLY, NULL))
        _exit(255);
    if (lockfile_take(&lock, dir, NULL))
        return OPL_OK;
    return disk_prepare(dir, &err) ? OPL_OK : err.code;
}

static void a_read_only_folder_is_said(void **state)
{
    (void)state;
    assert_int_equal(on_small_disk("size=64k", freeze_and_prepare), OPL_E_CONFIG);
}

static enum opl_code start_postgres(void)
{
    struct postgres *postgres = NULL;
    struct opl_err err = {0};

    return postgres_start(&postgres, dir, NULL, &err) ? OPL_OK : err.code;
}

static void a_disk_too_small_for_a_cluster_is_said(void **state)
{
    (void)state;
    assert_int_equal(on_small_disk("size=16m", start_postgres), OPL_E_STORAGE);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_folder_is_made_with_those_above_it),
    cmocka_unit_test(a_file_in_the_place_of_the_folder_is_said),
    cmocka_unit_test(a_file_is_replaced_as_a_whole),
    cmocka_unit_test(a_symbolic_link_in_the_place_of_the_temporary_file_is_not_followed),
    cmocka_unit_test(the_reserve_is_kept),
    cmocka_unit_test(errno_has_a_meaning),
    cmocka_unit_test(a_full_disk_is_said),
    cmocka_unit_test(a_read_only_folder_is_said),
    cmocka_unit_test(a_disk_too_small_for_a_cluster_is_said),
};

int main(void)
{
    return cmocka_run_group_tests(tests, start, stop);
}

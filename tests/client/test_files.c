/* SPDX-License-Identifier: Apache-2.0 */
#include "client/files.h"

#include "unit.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/opledger-files-XXXXXX";

static const char *in_folder(const char *name)
{
    static char path[128];

    (void)snprintf(path, sizeof(path), "%s/%s", folder, name);
    return path;
}

static void a_file_is_replaced_whole_with_its_mode(void **state)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};
    struct stat info;

    (void)state;
    assert_ok(file_replace(in_folder("a"), "one", 3, 0600, err));
    assert_ok(file_replace(in_folder("a"), "two!", 4, 0600, err));
    assert_ok(file_read(in_folder("a"), &text, err));
    assert_string_equal(opl_buf_text(&text), "two!");
    assert_int_equal(stat(in_folder("a"), &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
}

static void appending_keeps_what_is_there(void **state)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};

    (void)state;
    assert_ok(file_append(in_folder("b"), "x\n", 2, err));
    assert_ok(file_append(in_folder("b"), "y\n", 2, err));
    assert_ok(file_read(in_folder("b"), &text, err));
    assert_string_equal(opl_buf_text(&text), "x\ny\n");
}

static void appending_through_a_link_is_refused(void **state)
{
    (void)state;
    assert_int_equal(symlink("/etc/hostname", in_folder("link")), 0);
    assert_fails(file_append(in_folder("link"), "x", 1, err), OPL_E_IO);
}

static void a_file_past_the_maximum_is_too_large(void **state)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = OPL_BUF_INIT(3);

    (void)state;
    assert_ok(file_replace(in_folder("c"), "four", 4, 0600, err));
    assert_fails(file_read(in_folder("c"), &text, err), OPL_E_TOO_LARGE);
}

static void a_file_that_is_not_there_is_named(void **state)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};
    struct opl_err err = {0};

    (void)state;
    assert_false(file_read("/nonexistent/file", &text, &err));
    assert_non_null(strstr(err.text, "/nonexistent/file"));
    assert_int_equal(opl_code_exit(err.code), 2);
}

static void a_folder_is_made_with_those_above_it(void **state)
{
    (void)state;
    assert_ok(file_make_folder(in_folder("x/y/z"), err));
    assert_ok(file_make_folder(in_folder("x/y/z"), err));
    assert_true(file_exists(in_folder("x/y/z")));
    assert_ok(file_replace(in_folder("plain"), "", 0, 0600, err));
    assert_fails(file_make_folder(in_folder("plain"), err), OPL_E_CONFIG);
}

static void a_digest_is_of_the_whole_file_and_rewinds_it(void **state)
{
    int fd = file_temporary(NULL);
    struct opl_hash real, got;
    int64_t size = 0;

    (void)state;
    assert_int_equal(write(fd, "abc", 3), 3);
    assert_ok(file_digest(fd, "it", &got, &size, err));
    opl_sha256("abc", 3, &real);
    assert_true(opl_hash_equal(&real, &got));
    assert_int_equal(size, 3);
    assert_int_equal(lseek(fd, 0, SEEK_CUR), 0);
    file_closep(&fd);
    assert_int_equal(fd, -1);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_file_is_replaced_whole_with_its_mode),
    cmocka_unit_test(appending_keeps_what_is_there),
    cmocka_unit_test(appending_through_a_link_is_refused),
    cmocka_unit_test(a_file_past_the_maximum_is_too_large),
    cmocka_unit_test(a_file_that_is_not_there_is_named),
    cmocka_unit_test(a_folder_is_made_with_those_above_it),
    cmocka_unit_test(a_digest_is_of_the_whole_file_and_rewinds_it),
};

static int remove_folder(void **state)
{
    char command[64];

    (void)state;
    (void)snprintf(command, sizeof(command), "rm -r %s", folder);
    return system(command);
}

int main(void)
{
    if (mkdtemp(folder) == NULL)
        return 1;
    return cmocka_run_group_tests(tests, unit_start, remove_folder);
}

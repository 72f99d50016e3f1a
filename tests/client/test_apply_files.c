/* SPDX-License-Identifier: Apache-2.0 */
#include "client/apply_files.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include "client/files.h"
#include "unit.h"

/* A folder with targets a, b and c: a and b get new bytes, c is new. Staged as TARGET.new. */
struct place {
    char folder[32];
    char *path[3];
    struct opl_manifest_file file[3];
    struct opl_manifest manifest;
    struct staged_places staged;
    struct apply_files files;
};

static void put(const char *path, const char *text, mode_t mode)
{
    assert_ok(file_replace(path, text, strlen(text), mode, err));
    assert_int_equal(chmod(path, mode), 0);
}

static void beside(const char *path, char *out, size_t size)
{
    snprintf(out, size, "%s.new", path);
}

static void put_staged(const char *path, const char *text)
{
    char staged[160];

    beside(path, staged, sizeof staged);
    put(staged, text, 0600);
}

static void describe(struct opl_file_side *side, const char *text, const char *mode)
{
    side->present = true;
    opl_sha256(text, strlen(text), &side->sha256);
    snprintf(side->mode, sizeof side->mode, "%s", mode);
    snprintf(side->owner, sizeof side->owner, "%u:%u", (unsigned)getuid(), (unsigned)getgid());
}

static void add_file(struct place *place, size_t i, const char *name, const char *base,
                     const char *next)
{
    struct opl_manifest_file *file = &place->file[i];

    assert_true(asprintf(&place->path[i], "%s/%s", place->folder, name) > 0);
    file->path = place->path[i];
    if (base != NULL) {
        put(file->path, base, 0644);
        describe(&file->base, base, "0644");
    }
    if (next != NULL) {
        put_staged(file->path, next);
        describe(&file->next, next, "0640");
        file->size = (int64_t)strlen(next);
    }
}

static int setup(void **state)
{
    struct place *place = calloc(1, sizeof *place);

    assert_non_null(place);
    snprintf(place->folder, sizeof place->folder, "/tmp/apply-XXXXXX");
    assert_non_null(mkdtemp(place->folder));
    add_file(place, 0, "a", "old a", "new a");
    add_file(place, 1, "b", "old b", "new b");
    add_file(place, 2, "c", NULL, "new c");
    place->manifest = (struct opl_manifest){.files = place->file, .file_count = 3};
    *state = place;
    return 0;
}

static int teardown(void **state)
{
    struct place *place = *state;
    DIR *folder;
    const struct dirent *entry;

    apply_files_close(&place->files);
    folder = opendir(place->folder);
    while ((entry = readdir(folder)) != NULL)
        unlinkat(dirfd(folder), entry->d_name, 0);
    closedir(folder);
    rmdir(place->folder);
    for (size_t i = 0; i < 3; i++)
        free(place->path[i]);
    free(place);
    return 0;
}

static void assert_text(const char *path, const char *want)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};

    assert_ok(file_read(path, &text, err));
    assert_string_equal(opl_buf_text(&text), want);
}

static size_t count_files(const struct place *place)
{
    DIR *folder = opendir(place->folder);
    const struct dirent *entry;
    size_t count = 0;

    while ((entry = readdir(folder)) != NULL)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(folder);
    return count;
}

static void open_all(struct place *place)
{
    assert_ok(apply_files_open(&place->manifest, &place->staged, &place->files, err));
    assert_ok(apply_files_check_base(&place->files, err));
}

static void install_all(struct place *place)
{
    open_all(place);
    assert_ok(apply_files_prepare(&place->files, err));
    assert_ok(apply_files_install(&place->files, err));
}

static void new_bytes_mode_and_owner_are_in_place_after_an_install(void **state)
{
    struct place *place = *state;
    struct stat info;

    install_all(place);
    assert_ok(apply_files_check_next(&place->files, err));
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(stat(place->path[i], &info), 0);
        assert_int_equal(info.st_mode & 07777, 0640);
    }
    assert_text(place->path[0], "new a");
    assert_text(place->path[2], "new c");
}

static void nothing_is_left_beside_the_targets(void **state)
{
    struct place *place = *state;

    install_all(place);
    apply_files_close(&place->files);
    assert_int_equal(count_files(place), 6); /* three targets and what was staged */
}

static void the_base_can_be_put_back(void **state)
{
    struct place *place = *state;

    install_all(place);
    assert_ok(apply_files_put_back(&place->files, err));
    assert_ok(apply_files_check_base(&place->files, err));
    assert_text(place->path[0], "old a");
    assert_int_equal(access(place->path[2], F_OK), -1);
}

static void a_file_that_goes_away_comes_back(void **state)
{
    struct place *place = *state;

    place->file[1].next.present = false;
    install_all(place);
    assert_int_equal(access(place->path[1], F_OK), -1);
    assert_ok(apply_files_check_next(&place->files, err));
    assert_ok(apply_files_put_back(&place->files, err));
    assert_text(place->path[1], "old b");
}

static void staged_bytes_are_read_once(void **state)
{
    struct place *place = *state;

    open_all(place);
    put_staged(place->path[0], "evil ");
    assert_ok(apply_files_prepare(&place->files, err));
    assert_ok(apply_files_install(&place->files, err));
    assert_text(place->path[0], "new a");
}

static void other_staged_bytes_are_refused(void **state)
{
    struct place *place = *state;

    put_staged(place->path[1], "new B");
    assert_fails(apply_files_open(&place->manifest, &place->staged, &place->files, err),
                 OPL_E_DIGEST);
}

static void more_staged_bytes_are_refused(void **state)
{
    struct place *place = *state;

    put_staged(place->path[1], "new b and more");
    assert_fails(apply_files_open(&place->manifest, &place->staged, &place->files, err),
                 OPL_E_DIGEST);
}

static void a_staged_link_is_refused(void **state)
{
    struct place *place = *state;
    char staged[160], moved[160];

    beside(place->path[0], staged, sizeof staged);
    snprintf(moved, sizeof moved, "%s/elsewhere", place->folder);
    assert_int_equal(rename(staged, moved), 0);
    assert_int_equal(symlink(moved, staged), 0);
    assert_fails(apply_files_open(&place->manifest, &place->staged, &place->files, err),
                 OPL_E_USAGE);
}

static void a_missing_staged_file_is_refused(void **state)
{
    struct place *place = *state;
    char staged[160];

    beside(place->path[0], staged, sizeof staged);
    unlink(staged);
    assert_fails(apply_files_open(&place->manifest, &place->staged, &place->files, err),
                 OPL_E_USAGE);
}

static void base_moved(struct place *place)
{
    assert_ok(apply_files_open(&place->manifest, &place->staged, &place->files, err));
    assert_fails(apply_files_check_base(&place->files, err), OPL_E_GATE_DENIED);
}

static void a_base_with_other_bytes_is_refused(void **state)
{
    struct place *place = *state;

    put(place->path[0], "old A", 0644);
    base_moved(place);
}

static void a_base_with_another_mode_is_refused(void **state)
{
    struct place *place = *state;

    assert_int_equal(chmod(place->path[0], 0666), 0);
    base_moved(place);
}

static void a_base_of_another_owner_is_refused(void **state)
{
    struct place *place = *state;

    if (geteuid() != 0)
        skip();
    assert_int_equal(chown(place->path[0], 65534, 65534), 0);
    base_moved(place);
}

static void a_missing_base_is_refused(void **state)
{
    struct place *place = *state;

    unlink(place->path[0]);
    base_moved(place);
}

static void a_base_that_should_not_be_there_is_refused(void **state)
{
    struct place *place = *state;

    put(place->path[2], "somebody's", 0644);
    base_moved(place);
}

static void a_target_that_is_a_link_is_refused(void **state)
{
    struct place *place = *state;
    char moved[160];

    snprintf(moved, sizeof moved, "%s/elsewhere", place->folder);
    assert_int_equal(rename(place->path[0], moved), 0);
    assert_int_equal(symlink(moved, place->path[0]), 0);
    assert_ok(apply_files_open(&place->manifest, &place->staged, &place->files, err));
    assert_false(apply_files_check_base(&place->files, NULL));
}

static void a_target_that_is_a_folder_is_refused(void **state)
{
    struct place *place = *state;

    unlink(place->path[0]);
    assert_int_equal(mkdir(place->path[0], 0700), 0);
    base_moved(place);
    rmdir(place->path[0]);
}

static void a_base_that_moves_late_undoes_what_was_installed(void **state)
{
    struct place *place = *state;

    open_all(place);
    assert_ok(apply_files_prepare(&place->files, err));
    put(place->path[1], "meanwhile", 0644);
    assert_fails(apply_files_install(&place->files, err), OPL_E_GATE_DENIED);
    assert_text(place->path[0], "old a");
    assert_text(place->path[1], "meanwhile");
    assert_int_equal(access(place->path[2], F_OK), -1);
}

static void a_file_that_appears_late_undoes_what_was_installed(void **state)
{
    struct place *place = *state;

    open_all(place);
    assert_ok(apply_files_prepare(&place->files, err));
    put(place->path[2], "somebody's", 0644);
    assert_fails(apply_files_install(&place->files, err), OPL_E_GATE_DENIED);
    assert_text(place->path[0], "old a");
    assert_text(place->path[1], "old b");
    assert_text(place->path[2], "somebody's");
}

static void a_missing_folder_is_refused(void **state)
{
    struct place *place = *state;
    char path[] = "/nonexistent/folder/file";

    place->file[0].path = path;
    assert_fails(apply_files_open(&place->manifest, &place->staged, &place->files, err), OPL_E_IO);
}

static void what_somebody_changes_afterwards_is_seen(void **state)
{
    struct place *place = *state;

    install_all(place);
    put(place->path[0], "changed", 0640);
    assert_fails(apply_files_check_next(&place->files, err), OPL_E_VERIFY);
}

/* A folder in its place: a rename cannot get the base back, and the base must not be lost. */
static void a_base_that_cannot_be_put_back_stays_beside(void **state)
{
    struct place *place = *state;
    char kept[APPLY_NAME_SIZE];
    OPL_CLEANUP(file_free) char *path = NULL;

    install_all(place);
    memcpy(kept, place->files.items[0].kept, sizeof kept);
    unlink(place->path[0]);
    assert_int_equal(mkdir(place->path[0], 0700), 0);
    assert_false(apply_files_put_back(&place->files, NULL));
    apply_files_close(&place->files);
    assert_true(asprintf(&path, "%s/%s", place->folder, kept) > 0);
    assert_text(path, "old a");
    rmdir(place->path[0]);
}

static void a_new_file_that_somebody_changed_is_not_taken_away(void **state)
{
    struct place *place = *state;

    install_all(place);
    put(place->path[2], "changed", 0640);
    assert_false(apply_files_put_back(&place->files, NULL));
    assert_text(place->path[0], "old a");
    assert_text(place->path[2], "changed");
}

#define WITH_PLACE(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_PLACE(new_bytes_mode_and_owner_are_in_place_after_an_install),
        WITH_PLACE(nothing_is_left_beside_the_targets),
        WITH_PLACE(the_base_can_be_put_back),
        WITH_PLACE(a_file_that_goes_away_comes_back),
        WITH_PLACE(staged_bytes_are_read_once),
        WITH_PLACE(other_staged_bytes_are_refused),
        WITH_PLACE(more_staged_bytes_are_refused),
        WITH_PLACE(a_staged_link_is_refused),
        WITH_PLACE(a_missing_staged_file_is_refused),
        WITH_PLACE(a_base_with_other_bytes_is_refused),
        WITH_PLACE(a_base_with_another_mode_is_refused),
        WITH_PLACE(a_base_of_another_owner_is_refused),
        WITH_PLACE(a_missing_base_is_refused),
        WITH_PLACE(a_base_that_should_not_be_there_is_refused),
        WITH_PLACE(a_target_that_is_a_link_is_refused),
        WITH_PLACE(a_target_that_is_a_folder_is_refused),
        WITH_PLACE(a_base_that_moves_late_undoes_what_was_installed),
        WITH_PLACE(a_file_that_appears_late_undoes_what_was_installed),
        WITH_PLACE(a_missing_folder_is_refused),
        WITH_PLACE(what_somebody_changes_afterwards_is_seen),
        WITH_PLACE(a_base_that_cannot_be_put_back_stays_beside),
        WITH_PLACE(a_new_file_that_somebody_changed_is_not_taken_away),
    };

    return cmocka_run_group_tests(tests, unit_start, NULL);
}

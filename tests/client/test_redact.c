/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <opledger/json.h>

#include "client/files.h"
#include "client/redact.h"
#include "client/redact_key.h"

#define SAMPLE SOURCE_DIR "/tests/e2e/samples/slurmctld.strace"

static char folder[] = "/tmp/opledger-redact-XXXXXX";

static const char *in_folder(const char *name)
{
    static char path[4][128];
    static int next;

    next = (next + 1) % 4;
    snprintf(path[next], sizeof path[next], "%s/%s", folder, name);
    return path[next];
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) && opl_crypto_init(NULL) ? 0 : -1;
}

static int remove_folder(void **state)
{
    static const char *const names[] = {"key", "open", "bad", "manifest", "map", "out", "input"};

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unlink(in_folder(names[i]));
    return rmdir(folder);
}

static struct redact_options options(void)
{
    return (struct redact_options){.key_file = in_folder("key")};
}

static void fill(struct redact_spool *spool, char *text, size_t len)
{
    for (size_t i = 0; i < len; i++)
        text[i] = (char)('a' + i % 23);
    assert_true(redact_spool_write(spool, text, 7, NULL));
    assert_true(redact_spool_write(spool, text + 7, len - 7, NULL));
}

static void a_spool_gives_back_what_was_written_anywhere(void **state)
{
    OPL_CLEANUP(redact_spool_close) struct redact_spool spool = {0};
    static char text[3 * SPOOL_BLOCK + 100], back[SPOOL_BLOCK * 2];
    size_t places[] = {0, 1, SPOOL_BLOCK - 1, SPOOL_BLOCK, 2 * SPOOL_BLOCK + 50};

    (void)state;
    assert_true(redact_spool_open(&spool, NULL));
    fill(&spool, text, sizeof text);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        size_t len = sizeof text - places[i] < sizeof back ? sizeof text - places[i] : sizeof back;

        assert_true(redact_spool_read(&spool, places[i], back, len, NULL));
        assert_memory_equal(back, text + places[i], len);
    }
    assert_false(redact_spool_read(&spool, sizeof text, back, 1, NULL));
}

static void a_spool_holds_no_plain_text_on_disk(void **state)
{
    OPL_CLEANUP(redact_spool_close) struct redact_spool spool = {0};
    static char text[2 * SPOOL_BLOCK], raw[2 * SPOOL_BLOCK];
    struct stat is;

    (void)state;
    assert_true(redact_spool_open(&spool, NULL));
    fill(&spool, text, sizeof text);
    assert_int_equal(pread(spool.fd, raw, sizeof raw, 0), sizeof raw);
    assert_null(memmem(raw, sizeof raw, "abcdefgh", 8));
    assert_int_equal(fstat(spool.fd, &is), 0);
    assert_int_equal(is.st_nlink, 0);
}

static void a_spool_begun_anew_has_another_key(void **state)
{
    OPL_CLEANUP(redact_spool_close) struct redact_spool spool = {0};
    struct opl_key before;

    (void)state;
    assert_true(redact_spool_open(&spool, NULL));
    before = spool.key;
    assert_true(redact_spool_reset(&spool, NULL));
    assert_memory_not_equal(&before, &spool.key, sizeof before);
    assert_int_equal(spool.size, 0);
}

static void a_spool_on_a_full_disk_is_an_error(void **state)
{
    OPL_CLEANUP(redact_spool_close) struct redact_spool spool = {0};
    static char text[2 * SPOOL_BLOCK];
    struct rlimit was, small;
    struct opl_err err = {0};
    bool ok;

    (void)state;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &was), 0);
    small = (struct rlimit){SPOOL_BLOCK, was.rlim_max};
    assert_true(redact_spool_open(&spool, NULL));
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    ok = redact_spool_write(&spool, text, sizeof text, &err);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &was), 0);
    assert_false(ok);
    assert_int_equal(opl_code_exit(err.code), 3);
}

static void the_key_is_made_once_for_its_owner_alone(void **state)
{
    struct opl_key first, second;
    struct stat is;

    (void)state;
    assert_true(redact_key_load(in_folder("key"), &first, NULL));
    assert_true(redact_key_load(in_folder("key"), &second, NULL));
    assert_memory_equal(&first, &second, sizeof first);
    assert_int_equal(stat(in_folder("key"), &is), 0);
    assert_int_equal(is.st_mode & 07777, 0600);
}

static void a_key_that_others_can_read_is_refused(void **state)
{
    struct opl_key key;
    struct opl_err err = {0};

    (void)state;
    assert_true(redact_key_load(in_folder("open"), &key, NULL));
    assert_int_equal(chmod(in_folder("open"), 0644), 0);
    assert_false(redact_key_load(in_folder("open"), &key, &err));
    assert_int_equal(err.code, OPL_E_CONFIG);
}

static void a_file_that_is_no_key_is_refused(void **state)
{
    struct opl_key key;

    (void)state;
    assert_true(file_replace(in_folder("bad"), "hunter2\n", 8, 0600, NULL));
    assert_false(redact_key_load(in_folder("bad"), &key, NULL));
}

static struct opl_buf released(struct redact_outcome *outcome)
{
    struct opl_buf text = {0};
    int fd = open(in_folder("out"), O_RDWR | O_CREAT | O_TRUNC, 0600);

    assert_true(redact_release(outcome, fd, NULL));
    close(fd);
    assert_true(file_read(in_folder("out"), &text, NULL));
    return text;
}

static void a_file_and_a_pipe_give_the_same_output(void **state)
{
    OPL_CLEANUP(redact_outcome_close) struct redact_outcome file = {0}, pipe = {0};
    OPL_CLEANUP(file_closep) int fd = open(SAMPLE, O_RDONLY);
    OPL_CLEANUP(opl_buf_close) struct opl_buf one = {0}, two = {0};
    struct redact_options plain = options();

    (void)state;
    assert_true(redact_run(&plain, SAMPLE, -1, &file, NULL));
    assert_true(redact_run(&plain, "-", fd, &pipe, NULL));
    one = released(&file);
    two = released(&pipe);
    assert_true(one.len > 0);
    assert_int_equal(one.len, two.len);
    assert_memory_equal(one.data, two.data, one.len);
    assert_string_equal(file.rules_from, "built in");
}

static void the_digests_in_the_manifest_are_those_of_the_bytes(void **state)
{
    OPL_CLEANUP(redact_outcome_close) struct redact_outcome outcome = {0};
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0}, manifest = {0};
    struct redact_options plain = options();
    struct opl_hash hash;

    (void)state;
    assert_true(redact_run(&plain, SAMPLE, -1, &outcome, NULL));
    text = released(&outcome);
    opl_sha256(text.data, text.len, &hash);
    assert_true(opl_hash_equal(&hash, &outcome.result.sha256));
    assert_true(redact_write_manifest(&outcome, in_folder("manifest"), NULL));
    assert_true(file_read(in_folder("manifest"), &manifest, NULL));
    opl_sha256(manifest.data, manifest.len, &hash);
    assert_true(opl_hash_equal(&hash, &outcome.manifest_sha256));
}

static void the_map_is_sealed_and_its_owners_alone(void **state)
{
    OPL_CLEANUP(redact_outcome_close) struct redact_outcome outcome = {0};
    OPL_CLEANUP(opl_buf_close) struct opl_buf sealed = {0};
    struct redact_options plain = options();
    struct stat is;

    (void)state;
    assert_true(redact_run(&plain, SAMPLE, -1, &outcome, NULL));
    assert_non_null(memmem(outcome.map.data, outcome.map.len, "\"alice\"", 7));
    assert_null(memmem(outcome.map.data, outcome.map.len, "lvdzxr4RJ9Jd", 12));
    assert_true(redact_write_map(&outcome, in_folder("map"), NULL));
    assert_true(file_read(in_folder("map"), &sealed, NULL));
    assert_null(memmem(sealed.data, sealed.len, "alice", 5));
    assert_int_equal(stat(in_folder("map"), &is), 0);
    assert_int_equal(is.st_mode & 0777, 0600);
}

static void a_run_that_does_not_verify_leaves_nothing_to_release(void **state)
{
    struct redact_outcome outcome = {0};
    struct redact_options broken = options();
    struct opl_err err = {0};

    (void)state;
    broken.fault = OPL_FAULT_VERIFY;
    assert_false(redact_run(&broken, SAMPLE, -1, &outcome, &err));
    assert_int_equal(err.code, OPL_E_VERIFY);
    assert_int_equal(opl_code_exit(err.code), 4);
    assert_false(outcome.spools[0].open);
    assert_false(outcome.spools[1].open);
    assert_int_equal(outcome.manifest.len, 0);
}

static void a_destination_that_may_not_have_it_is_exit_1(void **state)
{
    struct redact_outcome outcome = {0};
    struct redact_options unknown = options(), wrong = options();
    struct opl_err first = {0}, second = {0};

    (void)state;
    unknown.destination = "pastebin";
    wrong.destination = "anthropic-api";
    wrong.model = "openai/gpt-5";
    assert_false(redact_run(&unknown, SAMPLE, -1, &outcome, &first));
    assert_int_equal(opl_code_exit(first.code), 1);
    assert_false(redact_run(&wrong, SAMPLE, -1, &outcome, &second));
    assert_int_equal(opl_code_exit(second.code), 1);
}

static void pseudonyms_join_within_an_incident_and_not_beyond(void **state)
{
    static const char *const incidents[] = {"inc-1", "inc-1", "inc-2"};
    struct opl_buf text[3];

    (void)state;
    for (int i = 0; i < 3; i++) {
        OPL_CLEANUP(redact_outcome_close) struct redact_outcome outcome = {0};
        struct redact_options hosted = options();

        hosted.destination = "anthropic-api";
        hosted.incident = incidents[i];
        assert_true(redact_run(&hosted, SAMPLE, -1, &outcome, NULL));
        text[i] = released(&outcome);
    }
    assert_string_equal(text[0].data, text[1].data);
    assert_string_not_equal(text[0].data, text[2].data);
    for (int i = 0; i < 3; i++)
        opl_buf_close(&text[i]);
}

static void a_folder_and_an_absent_file_are_usage_errors(void **state)
{
    struct redact_outcome outcome = {0};
    struct redact_options plain = options();
    struct opl_err absent = {0}, is_folder = {0};

    (void)state;
    assert_false(redact_run(&plain, in_folder("nowhere"), -1, &outcome, &absent));
    assert_int_equal(absent.code, OPL_E_USAGE);
    assert_false(redact_run(&plain, folder, -1, &outcome, &is_folder));
    assert_int_equal(is_folder.code, OPL_E_USAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_spool_gives_back_what_was_written_anywhere),
        cmocka_unit_test(a_spool_holds_no_plain_text_on_disk),
        cmocka_unit_test(a_spool_begun_anew_has_another_key),
        cmocka_unit_test(a_spool_on_a_full_disk_is_an_error),
        cmocka_unit_test(the_key_is_made_once_for_its_owner_alone),
        cmocka_unit_test(a_key_that_others_can_read_is_refused),
        cmocka_unit_test(a_file_that_is_no_key_is_refused),
        cmocka_unit_test(a_file_and_a_pipe_give_the_same_output),
        cmocka_unit_test(the_digests_in_the_manifest_are_those_of_the_bytes),
        cmocka_unit_test(the_map_is_sealed_and_its_owners_alone),
        cmocka_unit_test(a_run_that_does_not_verify_leaves_nothing_to_release),
        cmocka_unit_test(a_destination_that_may_not_have_it_is_exit_1),
        cmocka_unit_test(pseudonyms_join_within_an_incident_and_not_beyond),
        cmocka_unit_test(a_folder_and_an_absent_file_are_usage_errors),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}

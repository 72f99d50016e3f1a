/* SPDX-License-Identifier: Apache-2.0 */
#include "client/apply_command.h"

#include <signal.h>
#include <unistd.h>

#include "client/files.h"
#include "unit.h"

/* Runs `sh -c SCRIPT` as a manifest could name it. */
static int run(const char *script, struct opl_buf *output)
{
    char *argv[] = {(char *)"sh", (char *)"-c", (char *)script, NULL};
    OPL_CLEANUP(file_free) char *program = apply_command_find(argv[0], NULL);
    int status = -1;

    assert_non_null(program);
    assert_ok(apply_command_run(program, argv, output, &status, err));
    return status;
}

static void the_words_reach_the_program_as_they_are(void **state)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf output = {0};
    char *argv[] = {(char *)"printf", (char *)"[%s]", (char *)"$(id) `id`; a  b", NULL};
    OPL_CLEANUP(file_free) char *program = apply_command_find(argv[0], NULL);
    int status = -1;

    (void)state;
    assert_ok(apply_command_run(program, argv, &output, &status, err));
    assert_int_equal(status, 0);
    assert_string_equal(opl_buf_text(&output), "[$(id) `id`; a  b]");
}

static void both_outputs_are_kept_and_the_status_is_told(void **state)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf output = {0};

    (void)state;
    assert_int_equal(run("echo out; echo err >&2; exit 7", &output), 7);
    assert_string_equal(opl_buf_text(&output), "out\nerr\n");
}

static void a_signal_is_told_as_a_status(void **state)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf output = {0};

    (void)state;
    assert_int_equal(run("kill -TERM $$", &output), 128 + SIGTERM);
}

static void signals_that_we_ignore_reach_the_command(void **state)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf output = {0};

    (void)state;
    signal(SIGINT, SIG_IGN);
    assert_int_equal(run("kill -INT $$; echo still here", &output), 128 + SIGINT);
    signal(SIGINT, SIG_DFL);
}

static void stdin_is_empty(void **state)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf output = {0};

    (void)state;
    assert_int_equal(run("wc -c", &output), 0);
    assert_string_equal(opl_buf_text(&output), "0\n");
}

static void the_token_is_not_in_its_environment(void **state)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf output = {0};

    (void)state;
    setenv("OPLEDGER_TOKEN", "secret", 1);
    assert_int_equal(run("echo \"<$OPLEDGER_TOKEN>\"", &output), 0);
    unsetenv("OPLEDGER_TOKEN");
    assert_string_equal(opl_buf_text(&output), "<>\n");
}

static void long_output_is_cut_and_that_is_said(void **state)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf output = {0};

    (void)state;
    assert_int_equal(run("head -c 3000000 /dev/zero", &output), 0);
    assert_true(output.len < APPLY_OUTPUT_MAX + 100);
    assert_non_null(strstr(output.data + APPLY_OUTPUT_MAX, "bytes more are not kept"));
}

static void what_stays_in_the_background_is_not_waited_for(void **state)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf output = {0};
    time_t begin = time(NULL);

    (void)state;
    assert_int_equal(run("sleep 20 & echo $!", &output), 0);
    assert_true(time(NULL) - begin < 10);
    kill((pid_t)strtol(opl_buf_text(&output), NULL, 10), SIGKILL);
}

static void a_program_that_is_not_there_is_no_program(void **state)
{
    (void)state;
    assert_fails(apply_command_find("no-such-program-anywhere", err) != NULL, OPL_E_CONFIG);
    assert_fails(apply_command_find("/etc/passwd", err) != NULL, OPL_E_CONFIG);
    assert_fails(apply_command_find("bin/sh", err) != NULL, OPL_E_CONFIG);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_words_reach_the_program_as_they_are),
        cmocka_unit_test(both_outputs_are_kept_and_the_status_is_told),
        cmocka_unit_test(a_signal_is_told_as_a_status),
        cmocka_unit_test(signals_that_we_ignore_reach_the_command),
        cmocka_unit_test(stdin_is_empty),
        cmocka_unit_test(the_token_is_not_in_its_environment),
        cmocka_unit_test(long_output_is_cut_and_that_is_said),
        cmocka_unit_test(what_stays_in_the_background_is_not_waited_for),
        cmocka_unit_test(a_program_that_is_not_there_is_no_program),
    };

    return cmocka_run_group_tests(tests, unit_start, NULL);
}

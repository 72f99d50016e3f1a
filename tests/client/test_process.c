/* SPDX-License-Identifier: Apache-2.0 */
#include "client/process.h"

#include "unit.h"

static void a_program_gets_the_input_and_gives_its_output(void **state)
{
    static const char *const argv[] = {"tr", "a-z", "A-Z", NULL};
    OPL_CLEANUP(opl_buf_close) struct opl_buf input = {0};
    OPL_CLEANUP(opl_buf_close) struct opl_buf output = {0};
    int status = -1;

    (void)state;
    opl_buf_str(&input, "abc $(id)");
    assert_ok(process_filter(argv, &input, &output, &status, err));
    assert_int_equal(status, 0);
    assert_string_equal(opl_buf_text(&output), "ABC $(ID)");
}

/* An argument is a word, whatever a shell would make of it. */
static void arguments_go_through_no_shell(void **state)
{
    static const char *const argv[] = {"printf", "%s", "`id`; $(id) \"x\" *", NULL};
    OPL_CLEANUP(opl_buf_close) struct opl_buf input = {0};
    OPL_CLEANUP(opl_buf_close) struct opl_buf output = {0};
    int status = -1;

    (void)state;
    assert_ok(process_filter(argv, &input, &output, &status, err));
    assert_string_equal(opl_buf_text(&output), argv[2]);
}

static void the_exit_status_is_told(void **state)
{
    static const char *const fails[] = {"sh", "-c", "exit 7", NULL};
    static const char *const dies[] = {"sh", "-c", "kill -9 $$", NULL};
    int status = -1;

    (void)state;
    assert_ok(process_run(fails, &status, err));
    assert_int_equal(status, 7);
    assert_ok(process_run(dies, &status, err));
    assert_int_equal(status, 128 + 9);
}

static void a_program_that_is_not_there_is_named(void **state)
{
    static const char *const argv[] = {"/nonexistent/program", NULL};
    struct opl_err err = {0};
    int status = -1;

    (void)state;
    assert_false(process_run(argv, &status, &err));
    assert_int_equal(err.code, OPL_E_CONFIG);
}

static void more_output_than_a_pipe_holds_arrives(void **state)
{
    static const char *const argv[] = {"cat", NULL};
    OPL_CLEANUP(opl_buf_close) struct opl_buf input = {0};
    OPL_CLEANUP(opl_buf_close) struct opl_buf output = {0};
    int status = -1;

    (void)state;
    for (int i = 0; i < 50000; i++)
        opl_buf_fmt(&input, "%d\n", i);
    assert_ok(process_filter(argv, &input, &output, &status, err));
    assert_int_equal(output.len, input.len);
    assert_memory_equal(output.data, input.data, input.len);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_program_gets_the_input_and_gives_its_output),
    cmocka_unit_test(arguments_go_through_no_shell),
    cmocka_unit_test(the_exit_status_is_told),
    cmocka_unit_test(a_program_that_is_not_there_is_named),
    cmocka_unit_test(more_output_than_a_pipe_holds_arrives),
};

UNIT_MAIN(tests)

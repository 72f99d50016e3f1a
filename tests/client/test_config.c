/* SPDX-License-Identifier: Apache-2.0 */
#include "client/config.h"

#include "unit.h"

#include "client/options.h"

static int clean(void **state)
{
    static const char *const names[] = {"OPLEDGER_URL",   "OPLEDGER_TOKEN",   "OPLEDGER_TOKEN_FILE",
                                        "OPLEDGER_MODEL", "OPLEDGER_TIMEOUT", NULL};

    (void)state;
    for (size_t i = 0; names[i] != NULL; i++)
        unsetenv(names[i]);
    setenv("HOME", "/nonexistent", 1);
    unsetenv("XDG_CONFIG_HOME");
    return 0;
}

static void defaults_hold_where_nothing_is_set(void **state)
{
    struct config config;

    (void)state;
    assert_ok(config_load(&config, NULL, err));
    assert_string_equal(config_get(&config, CONFIG_URL), "http://127.0.0.1:8585");
    assert_string_equal(config.source[CONFIG_URL], "default");
    assert_int_equal(config.timeout_s, 60);
    assert_string_equal(config_get(&config, CONFIG_MODEL), "");
    config_close(&config);
}

static void the_environment_wins_over_files_and_a_flag_over_both(void **state)
{
    const char *const words[] = {"--url", "http://flag/"};
    static const struct command none = {.noun = "x", .arguments = ""};
    struct config config;
    struct args args;

    (void)state;
    setenv("OPLEDGER_URL", "http://env", 1);
    assert_ok(config_load(&config, NULL, err));
    assert_string_equal(config_get(&config, CONFIG_URL), "http://env");
    assert_ok(config_parse(&config, "f", "url = http://file\nmodel = a/b\n", err));
    assert_string_equal(config_get(&config, CONFIG_URL), "http://env");
    assert_string_equal(config_get(&config, CONFIG_MODEL), "a/b");
    config_close(&config);
    assert_ok(options_parse(&none, 2, (char *const *)words, &args, err));
    assert_ok(config_load(&config, &args, err));
    assert_string_equal(config_get(&config, CONFIG_URL), "http://flag");
    config_close(&config);
}

static void an_empty_flag_is_an_error(void **state)
{
    const char *const words[] = {"--url", ""};
    static const struct command none = {.noun = "x", .arguments = ""};
    struct config config;
    struct args args;

    (void)state;
    assert_ok(options_parse(&none, 2, (char *const *)words, &args, err));
    assert_fails(config_load(&config, &args, err), OPL_E_USAGE);
    config_close(&config);
}

static void comments_and_blank_lines_are_skipped(void **state)
{
    struct config config = {0};

    (void)state;
    assert_ok(config_parse(&config, "f", "# url = http://no\n\n   model=  a/b  \n", err));
    assert_null(config.value[CONFIG_URL]);
    assert_string_equal(config_get(&config, CONFIG_MODEL), "a/b");
    config_close(&config);
}

static void an_unknown_key_is_an_error_with_the_nearest(void **state)
{
    struct config config = {0};
    struct opl_err err = {0};

    (void)state;
    assert_false(config_parse(&config, "f", "model = a/b\nmodle = c/d\n", &err));
    assert_int_equal(err.code, OPL_E_CONFIG);
    assert_string_equal(err.text, "f line 2: there is no setting modle");
    assert_string_equal(err.hint, "did you mean model?");
    config_close(&config);
}

static void a_line_that_is_no_setting_is_an_error(void **state)
{
    struct config config = {0};

    (void)state;
    assert_fails(config_parse(&config, "f", "just words\n", err), OPL_E_CONFIG);
    config_close(&config);
}

/* A token in a file that others may read is a token that others have. */
static void the_token_has_no_key_in_files(void **state)
{
    struct config config = {0};

    (void)state;
    assert_fails(config_parse(&config, "f", "token = abc\n", err), OPL_E_CONFIG);
    config_close(&config);
}

static void a_bad_timeout_is_an_error(void **state)
{
    struct config config;

    (void)state;
    setenv("OPLEDGER_TIMEOUT", "soon", 1);
    assert_false(config_load(&config, NULL, NULL));
    config_close(&config);
}

static void every_row_can_be_documented(void **state)
{
    (void)state;
    for (size_t i = 0; i < CONFIG_COUNT; i++) {
        assert_non_null(config_rows[i].env);
        assert_non_null(config_rows[i].help);
        assert_true(config_rows[i].key != NULL || config_rows[i].secret);
    }
}

#define CLEANLY(test) cmocka_unit_test_setup(test, clean)

static const struct CMUnitTest tests[] = {
    CLEANLY(defaults_hold_where_nothing_is_set),
    CLEANLY(the_environment_wins_over_files_and_a_flag_over_both),
    CLEANLY(an_empty_flag_is_an_error),
    CLEANLY(comments_and_blank_lines_are_skipped),
    CLEANLY(an_unknown_key_is_an_error_with_the_nearest),
    CLEANLY(a_line_that_is_no_setting_is_an_error),
    CLEANLY(the_token_has_no_key_in_files),
    CLEANLY(a_bad_timeout_is_an_error),
    CLEANLY(every_row_can_be_documented),
};

UNIT_MAIN(tests)

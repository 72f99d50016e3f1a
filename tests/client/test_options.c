/* SPDX-License-Identifier: Apache-2.0 */
#include "client/options.h"

#include "unit.h"

static const struct option_spec specs[] = {
    {"title", "T",  "the title", OPTION_REQUIRED, 't'},
    {"file",  "F",  "a file",    OPTION_LIST,     0  },
    {"force", NULL, "really",    0,               'f'},
    {NULL,    NULL, NULL,        0,               0  },
};
static const struct command plain = {"thing", "do", "ID [TEXT]", "Does", NULL, specs, NULL, 0, "x"};
static const struct command runner = {"thing", "run", "[ID] [-- CMD...]", "Runs", NULL, specs, NULL,
                                      0,       "x"};

#define PARSE(command, args, err, ...)                                                             \
    parse(command, args, err, (const char *const[]){__VA_ARGS__, NULL})

static bool parse(const struct command *command, struct args *args, struct opl_err *err,
                  const char *const words[])
{
    int count = 0;

    while (words[count] != NULL)
        count++;
    memset(err, 0, sizeof(*err));
    return options_parse(command, count, (char *const *)words, args, err) &&
           options_check(args, err);
}

static void options_and_arguments_may_be_mixed(void **state)
{
    struct args args;
    struct opl_err err;

    (void)state;
    assert_true(PARSE(&plain, &args, &err, "inc-1", "--title", "a b", "-f", "text"));
    assert_string_equal(args_value(&args, "title"), "a b");
    assert_true(args_has(&args, "force"));
    assert_string_equal(args_positional(&args, 0), "inc-1");
    assert_string_equal(args_positional(&args, 1), "text");
    assert_null(args_positional(&args, 2));
}

static void a_list_option_keeps_each_value_in_order(void **state)
{
    struct args args;
    struct opl_err err;

    (void)state;
    assert_true(PARSE(&plain, &args, &err, "x", "--title=t", "--file", "a", "--file=b"));
    assert_int_equal(args_count(&args, "file"), 2);
    assert_string_equal(args_at(&args, "file", 0), "a");
    assert_string_equal(args_at(&args, "file", 1), "b");
    assert_null(args_at(&args, "file", 2));
}

static void a_value_may_begin_with_a_dash(void **state)
{
    struct args args;
    struct opl_err err;

    (void)state;
    assert_true(PARSE(&plain, &args, &err, "x", "--title", "--file", "-"));
    assert_string_equal(args_value(&args, "title"), "--file");
    assert_string_equal(args_positional(&args, 1), "-");
}

static void a_mistyped_option_is_refused_with_the_nearest(void **state)
{
    struct args args;
    struct opl_err err;

    (void)state;
    assert_false(PARSE(&plain, &args, &err, "x", "--titel", "t"));
    assert_int_equal(err.code, OPL_E_USAGE);
    assert_string_equal(err.hint, "did you mean --title?");
}

static void an_abbreviated_option_is_refused(void **state)
{
    struct args args;
    struct opl_err err;

    (void)state;
    assert_false(PARSE(&plain, &args, &err, "x", "--tit", "t"));
    assert_int_equal(err.code, OPL_E_USAGE);
    assert_false(PARSE(&plain, &args, &err, "x", "--title", "t", "--forc"));
    assert_int_equal(err.code, OPL_E_USAGE);
}

static void an_unknown_letter_is_refused(void **state)
{
    struct args args;
    struct opl_err err;

    (void)state;
    assert_false(PARSE(&plain, &args, &err, "x", "--title", "t", "-z"));
    assert_int_equal(err.code, OPL_E_USAGE);
}

static void an_option_without_its_value_is_refused(void **state)
{
    struct args args;
    struct opl_err err;

    (void)state;
    assert_false(PARSE(&plain, &args, &err, "x", "--title"));
    assert_string_equal(err.text, "--title needs a value");
}

static void an_option_given_twice_is_refused(void **state)
{
    struct args args;
    struct opl_err err;

    (void)state;
    assert_false(PARSE(&plain, &args, &err, "x", "--title", "a", "--title", "b"));
    assert_string_equal(err.text, "--title is given twice");
}

static void a_missing_required_option_is_named(void **state)
{
    struct args args;
    struct opl_err err;

    (void)state;
    assert_false(PARSE(&plain, &args, &err, "x"));
    assert_string_equal(err.text, "--title T is missing");
}

static void too_few_and_too_many_arguments_are_refused(void **state)
{
    struct args args;
    struct opl_err err;

    (void)state;
    assert_false(PARSE(&plain, &args, &err, "--title", "t"));
    assert_int_equal(err.code, OPL_E_USAGE);
    assert_false(PARSE(&plain, &args, &err, "--title", "t", "a", "b", "c"));
    assert_int_equal(err.code, OPL_E_USAGE);
}

static void what_follows_a_lone_double_dash_is_the_command(void **state)
{
    struct args args;
    struct opl_err err;

    (void)state;
    assert_true(PARSE(&runner, &args, &err, "inc-1", "--title", "t", "--", "rm", "--title", "-x"));
    assert_int_equal(args.positional_count, 1);
    assert_int_equal(args.rest_count, 3);
    assert_string_equal(args.rest[1], "--title");
    assert_string_equal(args_value(&args, "title"), "t");
}

static void globals_before_the_noun_are_read_apart(void **state)
{
    static const char *const words[] = {"--json", "--url", "http://x", "incident", "--json"};
    struct args args;
    struct opl_err err = {0};
    int used = 0;

    (void)state;
    assert_true(options_parse_globals(5, (char *const *)words, &args, &used, &err));
    assert_int_equal(used, 3);
    assert_true(args_has(&args, "json"));
    assert_string_equal(args_value(&args, "url"), "http://x");
}

static void the_nearest_word_is_near(void **state)
{
    static const char *const words[] = {"incident", "hypothesis", "evidence", NULL};

    (void)state;
    assert_string_equal(options_nearest("incidnet", words), "incident");
    assert_string_equal(options_nearest("hypo", words), "hypothesis");
    assert_null(options_nearest("zzz", words));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(options_and_arguments_may_be_mixed),
    cmocka_unit_test(a_list_option_keeps_each_value_in_order),
    cmocka_unit_test(a_value_may_begin_with_a_dash),
    cmocka_unit_test(a_mistyped_option_is_refused_with_the_nearest),
    cmocka_unit_test(an_abbreviated_option_is_refused),
    cmocka_unit_test(an_unknown_letter_is_refused),
    cmocka_unit_test(an_option_without_its_value_is_refused),
    cmocka_unit_test(an_option_given_twice_is_refused),
    cmocka_unit_test(a_missing_required_option_is_named),
    cmocka_unit_test(too_few_and_too_many_arguments_are_refused),
    cmocka_unit_test(what_follows_a_lone_double_dash_is_the_command),
    cmocka_unit_test(globals_before_the_noun_are_read_apart),
    cmocka_unit_test(the_nearest_word_is_near),
};

UNIT_MAIN(tests)

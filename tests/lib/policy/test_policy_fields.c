/* SPDX-License-Identifier: Apache-2.0 */
#include "play.h"

static const struct policy_field fields[] = {
    POLICY_WORD("mode", 0, "blind|review"), POLICY_NUMBER("min", POLICY_REQUIRED, 1, 9),
    POLICY_FIELD("age", DURATION, 0),       POLICY_FIELD("names", NAME, POLICY_LIST),
    POLICY_FIELD("line", TEXT, 0),          POLICY_END,
};

static json_t *yaml(const char *text)
{
    json_t *root = opl_yaml_parse(text, strlen(text), NULL);

    assert_non_null(root);
    return root;
}

static void refuse(const char *text, const char *field)
{
    json_t *root = yaml(text);
    struct opl_err err = {0};

    assert_false(policy_fields_check(root, fields, "/at", &err));
    assert_int_equal(err.code, OPL_E_CONFIG);
    assert_string_equal(err.field, field);
    json_decref(root);
}

static void what_fits_its_rows_is_read(void **state)
{
    json_t *root = yaml("{mode: blind, min: 3, age: 2h, names: [a, b.c], line: some words}");

    (void)state;
    assert_ok(policy_fields_check(root, fields, "", err));
    assert_int_equal(policy_number(root, "min", -1), 3);
    assert_int_equal(policy_duration(root, "age", -1), 7200);
    assert_true(policy_has_word(root, "mode", "blind"));
    assert_true(policy_has_word(root, "names", "b.c"));
    assert_false(policy_has_word(root, "names", "b"));
    json_decref(root);
}

static void what_is_absent_reads_as_the_callers_default(void **state)
{
    json_t *root = yaml("{min: 3}");

    (void)state;
    assert_int_equal(policy_number(root, "max", 7), 7);
    assert_int_equal(policy_duration(root, "age", -1), -1);
    assert_false(policy_has_word(root, "mode", "blind"));
    json_decref(root);
}

static void the_pointer_names_what_is_wrong(void **state)
{
    (void)state;
    refuse("{min: 3, mode: bli}", "/at/mode");
    refuse("{min: 3, mode: blind|review}", "/at/mode");
    refuse("{min: 10}", "/at/min");
    refuse("{min: 99999999999999999999}", "/at/min");
    refuse("{min: -1}", "/at/min");
    refuse("{min: \"3 \"}", "/at/min");
    refuse("{min: [3]}", "/at/min");
    refuse("{min: 3, names: a}", "/at/names");
    refuse("{min: 3, names: [[a]]}", "/at/names");
    refuse("{min: 3, line: \"a\\nb\"}", "/at/line");
    refuse("{min: 3, line: \"\\u202e\"}", "/at/line");
    refuse("{min: 3, a/b: c}", "/at/a~1b");
    refuse("{mode: blind}", "/at/min");
}

static void words_are_whole_words(void **state)
{
    (void)state;
    assert_true(policy_is_among("a|bc|d", "bc"));
    assert_false(policy_is_among("a|bc|d", "b"));
    assert_false(policy_is_among("a|bc|d", ""));
    assert_false(policy_is_among("a|bc|d", "a|bc"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_fits_its_rows_is_read),
        cmocka_unit_test(what_is_absent_reads_as_the_callers_default),
        cmocka_unit_test(the_pointer_names_what_is_wrong),
        cmocka_unit_test(words_are_whole_words),
    };

    return cmocka_run_group_tests(tests, unit_start, NULL);
}

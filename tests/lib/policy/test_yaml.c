/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <opledger/json.h>
#include <opledger/yaml.h>

static json_t *parse(const char *text, struct opl_err *err)
{
    return opl_yaml_parse(text, strlen(text), err);
}

static void assert_refused(const char *text, const char *expected)
{
    struct opl_err err = {0};
    json_t *value = parse(text, &err);

    assert_null(value);
    assert_int_equal(err.code, OPL_E_INVALID);
    if (!strstr(err.text, expected))
        fail_msg("\"%s\" does not say \"%s\"", err.text, expected);
}

static void every_scalar_is_a_string(void **state)
{
    (void)state;
    OPL_CLEANUP(opl_json_freep) json_t *value = parse("a: true\nb: 010\nc: ~\nd: [1, no]\n", NULL);

    assert_string_equal(opl_json_str(value, "a"), "true");
    assert_string_equal(opl_json_str(value, "b"), "010");
    assert_string_equal(opl_json_str(value, "c"), "~");
    assert_string_equal(json_string_value(json_array_get(json_object_get(value, "d"), 1)), "no");
}

static void single_quotes_leave_backslashes_alone(void **state)
{
    (void)state;
    OPL_CLEANUP(opl_json_freep) json_t *value = parse("- anchor: 'AKIA[A-Z]\\d'\n", NULL);

    assert_string_equal(opl_json_str(json_array_get(value, 0), "anchor"), "AKIA[A-Z]\\d");
}

static void comments_and_block_texts_are_read(void **state)
{
    (void)state;
    OPL_CLEANUP(opl_json_freep) json_t *value = parse("# why\na: |\n  two\n  lines\n", NULL);

    assert_string_equal(opl_json_str(value, "a"), "two\nlines\n");
}

static void duplicate_keys_are_refused_with_their_line(void **state)
{
    (void)state;
    assert_refused("a: 1\nb: 2\na: 3\n", "line 3: this key was given before");
}

static void aliases_anchors_and_tags_are_refused(void **state)
{
    (void)state;
    assert_refused("a: &x 1\n", "anchors and tags");
    assert_refused("a: &x [1]\nb: *x\n", "anchors and tags");
    assert_refused("a: !!str 1\n", "anchors and tags");
    assert_refused("a: !x {b: 1}\n", "anchors and tags");
    assert_refused("a: 1\nb: *x\n", "line 2: aliases");
}

static void merge_keys_have_no_meaning(void **state)
{
    (void)state;
    OPL_CLEANUP(opl_json_freep) json_t *value = parse("'<<': {b: 1}\n", NULL);

    assert_null(json_object_get(value, "b"));
}

static void second_and_empty_documents_are_refused(void **state)
{
    (void)state;
    assert_refused("a: 1\n---\nb: 2\n", "second document");
    assert_refused("", "empty document");
    assert_refused("# only a comment\n", "empty document");
    assert_refused("---\n", "empty document");
}

static void keys_must_be_scalars(void **state)
{
    (void)state;
    assert_refused("? [a, b]\n: 1\n", "a key must be a plain word");
    assert_refused("{{a: 1}: 2}\n", "a key must be a plain word");
}

static void nesting_ends_at_sixteen(void **state)
{
    (void)state;
    OPL_CLEANUP(opl_json_freep) json_t *value = parse("[[[[[[[[[[[[[[[[x]]]]]]]]]]]]]]]]", NULL);

    assert_non_null(value);
    assert_refused("[[[[[[[[[[[[[[[[[x]]]]]]]]]]]]]]]]]", "nested too deeply");
}

static void broken_syntax_names_its_line(void **state)
{
    (void)state;
    assert_refused("a: 1\nb: [1, 2\n", "line 3");
    assert_refused("a: \"\\0\"\n", "a NUL in a text");
    assert_refused("%YAML 1.1\n---\na: 1\n", "directives");
    assert_refused("a: \xff\n", "YAML line");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_scalar_is_a_string),
        cmocka_unit_test(single_quotes_leave_backslashes_alone),
        cmocka_unit_test(comments_and_block_texts_are_read),
        cmocka_unit_test(duplicate_keys_are_refused_with_their_line),
        cmocka_unit_test(aliases_anchors_and_tags_are_refused),
        cmocka_unit_test(merge_keys_have_no_meaning),
        cmocka_unit_test(second_and_empty_documents_are_refused),
        cmocka_unit_test(keys_must_be_scalars),
        cmocka_unit_test(nesting_ends_at_sixteen),
        cmocka_unit_test(broken_syntax_names_its_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

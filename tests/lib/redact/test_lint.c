/* SPDX-License-Identifier: Apache-2.0 */
#include "filtered.h"

#define FILES_MAX 32

static void report(void *ctx, const char *where, const char *what)
{
    (void)ctx;
    print_error("%s: %s\n", where, what);
}

static void ignore(void *ctx, const char *where, const char *what)
{
    struct opl_buf *text = ctx;

    opl_buf_fmt(text, "%s: %s\n", where, what);
}

static void assert_rejected(const char *rule, const char *why)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf yaml = {0}, said = {0};
    struct opl_rule_file file = {.name = "test"};

    opl_buf_fmt(&yaml, "v: 1\nname: t\nrules:\n  - id: r\n    class: secret\n%s", rule);
    file.text = opl_buf_text(&yaml);
    file.len = yaml.len;
    assert_false(opl_rules_lint(&file, 1, ignore, &said));
    if (!strstr(opl_buf_text(&said), why))
        fail_msg("\"%s\" does not say \"%s\"", opl_buf_text(&said), why);
}

static void every_example_of_the_shipped_rules_holds_in_every_form(void **state)
{
    struct opl_rule_file files[FILES_MAX];
    size_t count = opl_rules_builtin(files, FILES_MAX);

    (void)state;
    assert_in_range(count, 4, FILES_MAX);
    assert_true(opl_rules_lint(files, count, report, NULL));
}

static void a_wrong_negative_example_is_reported(void **state)
{
    (void)state;
    assert_rejected(
        "    anchor: 'qqzz'\n    confirm: 'qqzz\\d+'\n    positive: ['<<qqzz12345678>>']\n"
        "    negative: ['qqzz87654321']\n",
        "a negative example is masked");
}

static void a_value_that_gets_through_is_reported(void **state)
{
    (void)state;
    assert_rejected("    anchor: 'qqzz'\n    confirm: 'qqzz(\\d{4})'\n"
                    "    positive: ['qqzz<<1234567890123456>>']\n    cut: none\n",
                    "gets through");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_example_of_the_shipped_rules_holds_in_every_form),
    cmocka_unit_test(a_wrong_negative_example_is_reported),
    cmocka_unit_test(a_value_that_gets_through_is_reported),
};

UNIT_MAIN(tests)

/* SPDX-License-Identifier: Apache-2.0 */
#include "filtered.h"

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

static void a_rule_without_examples_does_not_load(void **state)
{
    (void)state;
    assert_rejected("    anchor: 'ab'\n    confirm: 'ab'\n", "positive");
}

static void unknown_fields_and_words_are_refused(void **state)
{
    (void)state;
    assert_rejected("    anchor: 'ab'\n    confirm: 'ab'\n    colour: red\n"
                    "    positive: ['<<ab>>']\n",
                    "no such field");
    assert_rejected("    anchor: 'ab'\n    confirm: 'ab'\n    as: nothing\n"
                    "    positive: ['<<ab>>']\n",
                    "not one of the words");
    assert_rejected("    anchor: 'ab'\n    confirm: 'ab'\n    check: magic\n"
                    "    positive: ['<<ab>>']\n",
                    "no check of that name");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_rule_without_examples_does_not_load),
    cmocka_unit_test(unknown_fields_and_words_are_refused),
};

UNIT_MAIN(tests)

/* SPDX-License-Identifier: Apache-2.0 */
#include "filtered.h"

#include <opledger/encode.h>

#define FILES_MAX 32

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

static void a_rule_that_cannot_be_compiled_does_not_load(void **state)
{
    (void)state;
    assert_rejected("    anchor: 'a(b'\n    confirm: 'ab'\n    positive: ['<<ab>>']\n",
                    "does not compile");
    assert_rejected("    anchor: 'ab'\n    confirm: 'a(b'\n    positive: ['<<ab>>']\n", "confirm:");
    assert_rejected("    anchor: 'ab+'\n    confirm: 'ab'\n    positive: ['<<ab>>']\n",
                    "has no bound");
}

static void a_rule_that_matches_part_of_its_own_replacement_does_not_load(void **state)
{
    (void)state;
    assert_rejected(
        "    anchor: 'cret'\n    confirm: 'cret_[a-z]+'\n    positive: ['<<cret_x>>']\n",
        "its own replacement");
}

static void anchors_are_listed_one_a_line(void **state)
{
    struct opl_rule_file files[FILES_MAX];
    size_t count = opl_rules_builtin(files, FILES_MAX);
    OPL_CLEANUP(opl_rules_freep) struct opl_rules *rules = opl_rules_new(files, count, NULL);
    OPL_CLEANUP(opl_buf_close) struct opl_buf out = {0};

    (void)state;
    opl_rules_anchors(rules, &out);
    assert_non_null(strstr(opl_buf_text(&out), "T3BlbkFJ\n"));
}

static void the_rules_digest_follows_the_contract(void **state)
{
    struct opl_hash models = {{1}}, out, text, direct;
    struct opl_rule_file files[] = {
        {.name = "secrets", .text = "v: 1", .len = 4},
    };
    OPL_CLEANUP(opl_buf_close) struct opl_buf expected = {0};
    char hex[OPL_HEX_SIZE], models_hex[OPL_HEX_SIZE];

    (void)state;
    assert_true(opl_rules_digest(&models, files, 1, &out, NULL));
    opl_sha256("v: 1", 4, &text);
    opl_hash_hex(&text, hex);
    opl_hash_hex(&models, models_hex);
    opl_buf_fmt(&expected, "{\"models\":\"%s\",\"redact\":{\"secrets\":\"%s\"},\"vocabulary\":1}",
                models_hex, hex);
    opl_sha256(expected.data, expected.len, &direct);
    assert_true(opl_hash_equal(&out, &direct));
}

#define RULE(value)                                                                                \
    "v: 1\nname: t\nrules:\n  - id: t\n    class: secret\n    anchor: '" value "'\n"               \
    "    confirm: '" value "'\n    positive: ['<<" value ">>']\n"

static bool overridden(bool overrides, struct opl_rules **rules)
{
    const struct opl_rule_file files[] = {
        {.name = "a",          .text = RULE("abcd"), .len = sizeof(RULE("abcd")) - 1},
        { .name = "b",
         .text = RULE("wxyz"),
         .len = sizeof(RULE("wxyz")) - 1,
         .overrides = overrides},
    };

    *rules = opl_rules_new(files, 2, NULL);
    return *rules != NULL;
}

static void a_rule_given_twice_does_not_load_but_one_may_override_another(void **state)
{
    OPL_CLEANUP(opl_rules_freep) struct opl_rules *rules = NULL;
    OPL_CLEANUP(opl_buf_close) struct opl_buf out = {0};

    (void)state;
    assert_false(overridden(false, &rules));
    assert_true(overridden(true, &rules));
    opl_rules_anchors(rules, &out);
    assert_string_equal(opl_buf_text(&out), "wxyz\n");
}

static void what_overrides_does_not_hide_what_it_goes_over_in_the_digest(void **state)
{
    struct opl_hash models = {{1}}, both, over;
    const struct opl_rule_file files[] = {
        {.name = "a",     .text = "v: 1", .len = 4         },
        { .name = "a", .text = "v: 2",       .len = 4, .overrides = true},
    };

    (void)state;
    assert_true(opl_rules_digest(&models, files, 2, &both, NULL));
    assert_true(opl_rules_digest(&models, files + 1, 1, &over, NULL));
    assert_false(opl_hash_equal(&both, &over));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_rule_given_twice_does_not_load_but_one_may_override_another),
    cmocka_unit_test(what_overrides_does_not_hide_what_it_goes_over_in_the_digest),
    cmocka_unit_test(a_rule_that_cannot_be_compiled_does_not_load),
    cmocka_unit_test(a_rule_that_matches_part_of_its_own_replacement_does_not_load),
    cmocka_unit_test(anchors_are_listed_one_a_line),
    cmocka_unit_test(the_rules_digest_follows_the_contract),
};

UNIT_MAIN(tests)

/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include <opledger/name.h>

#define X63 "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

typedef bool predicate_fn(const char *text);

static void assert_all(predicate_fn *is, const char *const *texts, bool want)
{
    for (; *texts != NULL; texts++) {
        if (is(*texts) != want)
            fail_msg("\"%s\" is%s expected to match", *texts, want ? "" : " not");
    }
}

static void ids_survive_the_round_trip(void **state)
{
    char text[OPL_ID_SIZE];

    (void)state;
    for (enum opl_prefix p = OPL_ID_INC; p < OPL_PREFIXES; p++) {
        enum opl_prefix prefix = OPL_ID_NONE;
        uint64_t number = 0;

        opl_id_format(p, 9007199254740991ULL, text);
        assert_true(opl_id_parse(text, &prefix, &number));
        assert_int_equal(prefix, p);
        assert_int_equal(number, 9007199254740991ULL);
    }
}

static void what_is_no_id_is_refused(void **state)
{
    static const char *const bad[] = {"",
                                      "hyp",
                                      "hyp-",
                                      "hyp-0",
                                      "hyp-01",
                                      "hyp-1x",
                                      "hyp--1",
                                      "HYP-1",
                                      "foo-1",
                                      "-1",
                                      "hyp-1 ",
                                      "hyp-9007199254740992",
                                      "hyp-99999999999999999999999",
                                      "h-1"};
    enum opl_prefix prefix;
    uint64_t number;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(opl_id_parse(bad[i], &prefix, &number));
}

static void principals_follow_their_grammar(void **state)
{
    (void)state;
    assert_all(opl_is_principal, (const char *const[]){"a", "0", "alice", "a.b_c-d", X63 "a", NULL},
               true);
    assert_all(opl_is_principal,
               (const char *const[]){"", ".a", "-a", "Alice", "a b", "a/b", "a\n", "\xc3\xa9",
                                     X63 "aa", NULL},
               false);
}

static void roles_are_words_or_approvers(void **state)
{
    (void)state;
    assert_all(opl_is_role,
               (const char *const[]){"recorder", "evidence-raw", "approver.slurm", NULL}, true);
    assert_all(opl_is_role,
               (const char *const[]){"", "root", "approver", "approver.", "approver.-x",
                                     "approver." X63, NULL},
               false);
}

static void targets_have_one_to_eight_parts(void **state)
{
    (void)state;
    assert_all(opl_is_target, (const char *const[]){"engaging/slurm", "a", "1/2/3/4/5/6/7/8", NULL},
               true);
    assert_all(
        opl_is_target,
        (const char *const[]){"", "/a", "a/", "a//b", "a b", "1/2/3/4/5/6/7/8/9", "a/*", NULL},
        false);
}

static void hosts_are_names_or_addresses(void **state)
{
    (void)state;
    assert_all(opl_is_host,
               (const char *const[]){"a", "api.example.org", "api.example.org:443",
                                     "10.0.0.1:65535", "::1", "[::1]", "[fe80::1]:22", "node_1",
                                     NULL},
               true);
    assert_all(opl_is_host,
               (const char *const[]){"",       ".",       "a.", ".a",    "a..b",  "-a",   "a-",
                                     "a:0",    "a:65536", "a:", "a:01",  "a b",   "[::1", "[]",
                                     "[::1]x", "a:1:2",   "]",  "[::g]", X63 "a", NULL},
               false);
}

static void plain_text_holds_no_control_or_bidi_character(void **state)
{
    static const char *const bad[] = {
        "a\nb",         "\t",           "\x1b[0m",      "\x7f",         "\xc2\x9b",
        "\xd8\x9c",     "\xe2\x80\x8e", "\xe2\x80\x8f", "\xe2\x80\xa8", "\xe2\x80\xa9",
        "\xe2\x80\xaa", "\xe2\x80\xae", "\xe2\x81\xa6", "\xe2\x81\xa9", "\xff",
    };

    (void)state;
    assert_true(opl_is_plain("na\xc3\xafve \xf0\x9f\x98\x80", 11));
    assert_true(opl_is_plain("", 0));
    assert_true(opl_is_plain("\xe2\x80\x8d", 3)); /* a joiner is shown, not refused */
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(opl_is_plain(bad[i], strlen(bad[i])));
}

static void utf8_text_may_hold_controls_but_no_nul(void **state)
{
    (void)state;
    assert_true(opl_is_utf8("a\nb\x1b", 4));
    assert_false(opl_is_utf8("a\0b", 3));
    assert_false(opl_is_utf8("\xc3", 1));
}

static void models_split_at_the_first_slash_and_the_last_at(void **state)
{
    struct opl_model model;

    (void)state;
    assert_ok(opl_model_parse("anthropic/claude-x@2026-01", &model, err));
    assert_string_equal(model.provider, "anthropic");
    assert_string_equal(model.name, "claude-x");
    assert_string_equal(model.version, "2026-01");
    assert_ok(opl_model_parse("vllm/meta/Llama-3:70b", &model, err));
    assert_string_equal(model.name, "meta/Llama-3:70b");
    assert_string_equal(model.version, "");
}

static void what_is_no_model_is_refused(void **state)
{
    static const char *const bad[] = {"",        "a",       "/b",           "a/",  "a/b@",
                                      "a/b@c@d", "A/b",     "a/@1",         "a@1", "a/b c",
                                      "a/-b",    "a/b@c d", "a/b@" X63 "aa"};
    struct opl_model model;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_fails(opl_model_parse(bad[i], &model, err), OPL_E_MALFORMED);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(ids_survive_the_round_trip),
    cmocka_unit_test(what_is_no_id_is_refused),
    cmocka_unit_test(principals_follow_their_grammar),
    cmocka_unit_test(roles_are_words_or_approvers),
    cmocka_unit_test(targets_have_one_to_eight_parts),
    cmocka_unit_test(hosts_are_names_or_addresses),
    cmocka_unit_test(plain_text_holds_no_control_or_bidi_character),
    cmocka_unit_test(utf8_text_may_hold_controls_but_no_nul),
    cmocka_unit_test(models_split_at_the_first_slash_and_the_last_at),
    cmocka_unit_test(what_is_no_model_is_refused),
};

UNIT_MAIN(tests)

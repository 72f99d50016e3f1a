/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include <opledger/json.h>

struct refusal {
    const char *text;
    const char *field; /* NULL: none is demanded */
};

static void assert_refused(const struct refusal *refusal)
{
    struct opl_err err = {0};

    assert_null(opl_json_parse(refusal->text, strlen(refusal->text), &err));
    assert_int_equal(err.code, OPL_E_MALFORMED);
    if (refusal->field != NULL)
        assert_string_equal(err.field, refusal->field);
}

static void refuses_with_the_path_of_the_field(void **state)
{
    static const struct refusal refusals[] = {
        {"{\"a\":{\"b\":[1,2.5]}}",           "/a/b/1"  },
        {"{\"a\":1e3}",                       "/a"      },
        {"{\"a\":1.0}",                       "/a"      },
        {"{\"a\":9007199254740992}",          "/a"      },
        {"{\"a\":-9007199254740992}",         "/a"      },
        {"{\"a\":[0,99999999999999999999]}",  "/a/1"    },
        {"{\"a\":1,\"b\":{\"c\":1,\"c\":2}}", "/b/c"    },
        {"{\"a/b\":{\"~\":1.5}}",             "/a~1b/~0"},
        {"{\"a\":\"\\ud800\"}",               "/a"      },
        {"{\"a\":\"\\udc00\\ud800\"}",        "/a"      },
        {"{\"a\":\"\\u0000\"}",               "/a"      },
        {"{\"x\":[[],{\"a\":\"\xff\"}]}",     "/x/1/a"  },
        {"{\"a\":\"\xed\xa0\x80\"}",          "/a"      },
        {"{\"a\":NaN}",                       "/a"      },
    };

    (void)state;
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++)
        assert_refused(&refusals[i]);
}

static void refuses_what_is_not_one_document(void **state)
{
    static const struct refusal refusals[] = {
        {"",                NULL},
        {" ",               NULL},
        {"{}{}",            NULL},
        {"{} x",            NULL},
        {"{\"a\":1,}",      NULL},
        {"{'a':1}",         NULL},
        {"[1,]",            NULL},
        {"{\"a\"",          NULL},
        {"\xef\xbb\xbf{}",  NULL},
        {"{\"\\u0000\":1}", NULL},
        {"[01]",            NULL},
        {"[+1]",            NULL},
    };

    (void)state;
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++)
        assert_refused(&refusals[i]);
}

static void refuses_a_nul_byte_after_the_document(void **state)
{
    (void)state;
    assert_null(opl_json_parse("{}\0", 3, NULL));
}

static void nests_sixteen_levels_and_no_more(void **state)
{
    char text[2 * (OPL_JSON_DEPTH + 1) + 1];
    json_t *root;

    (void)state;
    memset(text, '[', OPL_JSON_DEPTH);
    memset(text + OPL_JSON_DEPTH, ']', OPL_JSON_DEPTH);
    root = opl_json_parse(text, 2 * OPL_JSON_DEPTH, NULL);
    assert_non_null(root);
    json_decref(root);
    memset(text, '[', OPL_JSON_DEPTH + 1);
    memset(text + OPL_JSON_DEPTH + 1, ']', OPL_JSON_DEPTH + 1);
    assert_null(opl_json_parse(text, 2 * (OPL_JSON_DEPTH + 1), NULL));
}

static void keeps_the_largest_integers(void **state)
{
    static const char text[] = "[9007199254740991,-9007199254740991]";
    OPL_CLEANUP(opl_json_freep) json_t *root = opl_json_parse(text, sizeof text - 1, NULL);

    (void)state;
    assert_int_equal(json_integer_value(json_array_get(root, 0)), OPL_JSON_INT_MAX);
    assert_int_equal(json_integer_value(json_array_get(root, 1)), -OPL_JSON_INT_MAX);
}

static void an_error_repeats_nothing_of_the_document(void **state)
{
    static const char text[] = "{\"password\":\"hunter2\",}";
    struct opl_err err = {0};

    (void)state;
    assert_null(opl_json_parse(text, sizeof text - 1, &err));
    assert_null(strstr(err.text, "hunter2"));
}

static void canonical_parsing_accepts_one_spelling_only(void **state)
{
    static const char *const bad[] = {"{\"b\":1,\"a\":2}", "{\"a\": 1}",    "[1]\n",
                                      "[\"\\u0041\"]",     "[\"\\u001F\"]", "[-0]",
                                      "[\"\\/\"]"};
    static const char good[] = "{\"a\":2,\"b\":\"\\u001f\"}";
    OPL_CLEANUP(opl_json_freep) json_t *root = NULL;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_fails(opl_json_parse_canonical(bad[i], strlen(bad[i]), err) != NULL,
                     OPL_E_MALFORMED);
    assert_ok((root = opl_json_parse_canonical(good, sizeof good - 1, err)) != NULL);
}

static void small_readers_never_fail(void **state)
{
    static const char text[] = "{\"s\":\"x\",\"i\":7}";
    OPL_CLEANUP(opl_json_freep) json_t *root = opl_json_parse(text, sizeof text - 1, NULL);

    (void)state;
    assert_string_equal(opl_json_str(root, "s"), "x");
    assert_null(opl_json_str(root, "i"));
    assert_null(opl_json_str(root, "none"));
    assert_int_equal(opl_json_int(root, "i", -1), 7);
    assert_int_equal(opl_json_int(root, "s", -1), -1);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(refuses_with_the_path_of_the_field),
    cmocka_unit_test(refuses_what_is_not_one_document),
    cmocka_unit_test(refuses_a_nul_byte_after_the_document),
    cmocka_unit_test(nests_sixteen_levels_and_no_more),
    cmocka_unit_test(keeps_the_largest_integers),
    cmocka_unit_test(an_error_repeats_nothing_of_the_document),
    cmocka_unit_test(canonical_parsing_accepts_one_spelling_only),
    cmocka_unit_test(small_readers_never_fail),
};

UNIT_MAIN(tests)

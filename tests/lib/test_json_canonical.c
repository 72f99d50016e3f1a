/* SPDX-License-Identifier: Apache-2.0 */
#include "vectors.h"

static void assert_canonical(const char *text, const char *want)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf form = {0};
    OPL_CLEANUP(opl_json_freep) json_t *root = NULL;

    assert_ok((root = opl_json_parse(text, strlen(text), err)) != NULL);
    assert_ok(opl_json_canonical(root, &form, err));
    assert_string_equal(opl_buf_text(&form), want);
}

/* RFC 8785 section 3.2.3 */
static void sorts_keys_by_utf16_code_units(void **state)
{
    (void)state;
    assert_canonical("{\"\\u20ac\":\"Euro Sign\",\"\\r\":\"Carriage Return\","
                     "\"\\ufb33\":\"Hebrew Letter Dalet With Dagesh\",\"1\":\"One\","
                     "\"\\ud83d\\ude00\":\"Emoji: Grinning Face\",\"\\u0080\":\"Control\","
                     "\"\\u00f6\":\"Latin Small Letter O With Diaeresis\"}",
                     "{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\xc2\x80\":\"Control\","
                     "\"\xc3\xb6\":\"Latin Small Letter O With Diaeresis\","
                     "\"\xe2\x82\xac\":\"Euro Sign\",\"\xf0\x9f\x98\x80\":\"Emoji: Grinning Face\","
                     "\"\xef\xac\xb3\":\"Hebrew Letter Dalet With Dagesh\"}");
}

static void surrogates_sort_between_d7ff_and_e000(void **state)
{
    (void)state;
    assert_canonical("{\"\\ue000\":3,\"\\ud7ff\":1,\"\\udbff\\udfff\":2,\"\\uffff\":4}",
                     "{\"\xed\x9f\xbf\":1,\"\xf4\x8f\xbf\xbf\":2,\"\xee\x80\x80\":3,"
                     "\"\xef\xbf\xbf\":4}");
    assert_canonical("{\"a\\ue000\":2,\"a\\ud800\\udc00\":1,\"a\":0}",
                     "{\"a\":0,\"a\xf0\x90\x80\x80\":1,\"a\xee\x80\x80\":2}");
}

/* RFC 8785 section 3.2.2.2 */
static void escapes_as_little_as_may_be(void **state)
{
    (void)state;
    assert_canonical("[\"\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\\"\\/\"]",
                     "[\"\xe2\x82\xac$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"]");
    assert_canonical("[\"\\b\\t\\n\\f\\r\\u0001\\u001F\\u007f\\u2028\"]",
                     "[\"\\b\\t\\n\\f\\r\\u0001\\u001f\x7f\xe2\x80\xa8\"]");
}

static void leaves_no_white_space_and_keeps_literals(void **state)
{
    (void)state;
    assert_canonical(" { \"b\" : [ null , true , false , 0 , -7 ] , \"a\" : { } , \"\" : [ ] } ",
                     "{\"\":[],\"a\":{},\"b\":[null,true,false,0,-7]}");
    assert_canonical("[-0,9007199254740991]", "[0,9007199254740991]");
}

static void many_keys_sort_too(void **state)
{
    OPL_CLEANUP(opl_json_freep) json_t *root = json_object();
    OPL_CLEANUP(opl_buf_close) struct opl_buf form = {0};
    char key[16];

    (void)state;
    for (int i = 999; i >= 0; i--) {
        (void)snprintf(key, sizeof key, "%03d", i);
        assert_int_equal(json_object_set_new(root, key, json_integer(0)), 0);
    }
    assert_ok(opl_json_canonical(root, &form, err));
    assert_memory_equal(form.data, "{\"000\":0,\"001\":0,", 17);
    assert_memory_equal(form.data + form.len - 8, "\"999\":0}", 8);
}

static void refuses_values_that_have_no_form(void **state)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf form = {0};
    OPL_CLEANUP(opl_json_freep) json_t *real = json_pack("[f]", 0.5);
    OPL_CLEANUP(opl_json_freep) json_t *large = json_pack("[I]", (json_int_t)1 << 53);

    (void)state;
    assert_fails(opl_json_canonical(real, &form, err), OPL_E_MALFORMED);
    assert_fails(opl_json_canonical(large, &form, err), OPL_E_MALFORMED);
    assert_fails(opl_json_canonical(NULL, &form, err), OPL_E_NOMEM);
}

static void says_when_the_buffer_is_too_small(void **state)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf form = OPL_BUF_INIT(4);
    OPL_CLEANUP(opl_json_freep) json_t *root = json_pack("[iii]", 1, 2, 3);

    (void)state;
    assert_fails(opl_json_canonical(root, &form, err), OPL_E_TOO_LARGE);
}

static void agrees_with_another_implementation(void **state)
{
    OPL_CLEANUP(opl_json_freep) json_t *rows = vectors_load("canonical.json");
    const json_t *row;
    size_t i;

    (void)state;
    json_array_foreach(rows, i, row)
    {
        struct opl_hash got, want = vectors_hash(json_object_get(row, "sha256"));
        OPL_CLEANUP(opl_json_freep) json_t *root = NULL;
        const char *text = vectors_str(row, "text");

        assert_canonical(text, vectors_str(row, "canonical"));
        assert_ok((root = opl_json_parse(text, strlen(text), err)) != NULL);
        assert_ok(opl_json_hash(root, &got, err));
        assert_true(opl_hash_equal(&got, &want));
    }
}

static void hashes_the_canonical_form(void **state)
{
    static const char text[] = "{ \"b\":1, \"a\":2 }", form[] = "{\"a\":2,\"b\":1}";
    OPL_CLEANUP(opl_json_freep) json_t *root = opl_json_parse(text, sizeof text - 1, NULL);
    struct opl_hash got, want;

    (void)state;
    opl_sha256(form, sizeof form - 1, &want);
    assert_ok(opl_json_hash(root, &got, err));
    assert_true(opl_hash_equal(&got, &want));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(sorts_keys_by_utf16_code_units),
    cmocka_unit_test(surrogates_sort_between_d7ff_and_e000),
    cmocka_unit_test(escapes_as_little_as_may_be),
    cmocka_unit_test(leaves_no_white_space_and_keeps_literals),
    cmocka_unit_test(many_keys_sort_too),
    cmocka_unit_test(refuses_values_that_have_no_form),
    cmocka_unit_test(says_when_the_buffer_is_too_small),
    cmocka_unit_test(agrees_with_another_implementation),
    cmocka_unit_test(hashes_the_canonical_form),
};

UNIT_MAIN(tests)

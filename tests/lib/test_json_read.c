/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include <lib/json_read.h>
#include <opledger/json.h>

static void assert_taken_as_jansson_does(const char *text, size_t len)
{
    OPL_CLEANUP(opl_json_freep) json_t *mine = opl_json_read(text, len);
    OPL_CLEANUP(opl_json_freep)
    json_t *theirs = json_loadb(text, len, JSON_REJECT_DUPLICATES, NULL);

    if (mine == NULL)
        fail_msg("not taken: %.*s", (int)len, text);
    if (!json_equal(mine, theirs))
        fail_msg("read differently: %.*s", (int)len, text);
}

static void plain_documents_are_taken(void **state)
{
    static const char *const good[] = {
        "{}",
        "[]",
        " \t\r\n{ \"a\" : [ 1 , -2 , 0 , -0 , 123456789012345 ] , \"b\" : { } } \n",
        "[true,false,null]",
        "{\"text\":\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\\u00e9\\u20ac\\uFFFF\\u001f\"}",
        "[\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x94\x92 and \\n after\"]",
        "[\"a string that is longer than one machine word\",\"\",\"seven b\",\"eight by\"]",
        "{\"\":1,\"\xc3\xa9\":2}",
        "[\"\x7f\"]",
    };

    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_taken_as_jansson_does(good[i], strlen(good[i]));
}

static void what_is_unusual_or_wrong_is_left_to_jansson(void **state)
{
    static const char *const other[] = {
        "",
        " ",
        "1",
        "\"text\"",
        "{",
        "[1,]",
        "[1 2]",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1,}",
        "{\"a\":1,\"a\":2}",
        "{\"\\u0061\":1}",
        "{1:2}",
        "[01]",
        "[-]",
        "[1.0]",
        "[1e3]",
        "[1234567890123456]",
        "[tru]",
        "[nulll]",
        "[\"\\ud83d\\ude00\"]",
        "[\"\\u0000\"]",
        "[\"\\u12\"]",
        "[\"\\x\"]",
        "[\"\\",
        "[\"open]",
        "[\"tab\there\"]",
        "[\"\xff\"]",
        "[\"\xc3\"]",
        "[\"\xed\xa0\x80\"]",
        "[]]",
        "{}{}",
        "[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]",
    };

    (void)state;
    for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
        json_t *value = opl_json_read(other[i], strlen(other[i]));

        if (value != NULL)
            fail_msg("taken: %s", other[i]);
    }
}

static void depth_is_that_of_the_contract(void **state)
{
    static const char text[] = "[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]";

    (void)state;
    assert_int_equal(strspn(text, "["), OPL_JSON_DEPTH);
    assert_taken_as_jansson_does(text, sizeof text - 1);
}

static void nothing_beyond_the_length_is_read(void **state)
{
    static const char text[] = "{\"key\":[\"value\",12,true,null,\"\\u00e9\"]}";

    (void)state;
    for (size_t len = 0; len < sizeof text - 1; len++) {
        char *exact = malloc(len + 1);

        assert_non_null(exact);
        memcpy(exact, text, len);
        assert_null(opl_json_read(exact, len));
        free(exact);
    }
}

static void a_plain_run_ends_at_what_needs_a_look(void **state)
{
    static const char stops[] = {'"', '\\', '\n', 0x1f, '\0', (char)0x80, (char)0xff};
    char text[32];

    (void)state;
    for (size_t at = 0; at < sizeof text; at++) {
        for (size_t i = 0; i < sizeof stops; i++) {
            memset(text, 'x', sizeof text);
            text[at] = stops[i];
            assert_int_equal(opl_json_plain_run(text, sizeof text), at);
        }
    }
    memset(text, 0x7f, sizeof text);
    assert_int_equal(opl_json_plain_run(text, sizeof text), sizeof text);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(plain_documents_are_taken),
    cmocka_unit_test(what_is_unusual_or_wrong_is_left_to_jansson),
    cmocka_unit_test(depth_is_that_of_the_contract),
    cmocka_unit_test(nothing_beyond_the_length_is_read),
    cmocka_unit_test(a_plain_run_ends_at_what_needs_a_look),
};

UNIT_MAIN(tests)

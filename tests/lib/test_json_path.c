/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "lib/json_path.h"

static void assert_path(const char *prefix, const char *want)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf pointer = {0};

    opl_json_path_at(prefix, strlen(prefix), &pointer);
    assert_string_equal(opl_buf_text(&pointer), want);
}

static void follows_keys_and_items(void **state)
{
    (void)state;
    assert_path("", "");
    assert_path("{", "");
    assert_path("{\"a", "/a");
    assert_path("{\"a\":", "/a");
    assert_path("{\"a\":[1,{\"b\":2,\"c\":\"x", "/a/1/c");
    assert_path("{\"a\":{\"b\":1},\"c\":[[],[", "/c/1/0");
    assert_path("{\"a\":\"}{[,:\",\"b\":", "/b");
}

static void strings_may_hold_escaped_quotes(void **state)
{
    (void)state;
    assert_path("{\"a\":\"\\\"],\\\\\",\"b\":[0,", "/b/1");
    assert_path("{\"a\":\"\\", "/a");
}

static void depth_beyond_the_stack_names_the_deepest_known(void **state)
{
    char text[101];

    (void)state;
    memset(text, '[', 100);
    text[100] = '\0';
    assert_path(text, "/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(follows_keys_and_items),
    cmocka_unit_test(strings_may_hold_escaped_quotes),
    cmocka_unit_test(depth_beyond_the_stack_names_the_deepest_known),
};

UNIT_MAIN(tests)

/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include <opledger/json.h>

/* the document of RFC 6901 section 5, as far as integers go */
static const char document[] =
    "{\"foo\":[\"bar\",\"baz\"],\"\":0,\"a/b\":1,\"c%d\":2,\"e^f\":3,\"g|h\":4,\"i\\\\j\":5,"
    "\"k\\\"l\":6,\" \":7,\"m~n\":8}";

static json_t *parse(void)
{
    json_t *root = opl_json_parse(document, sizeof document - 1, NULL);

    assert_non_null(root);
    return root;
}

static void finds_what_rfc_6901_names(void **state)
{
    static const char *const pointers[] = {"/",     "/a~1b", "/c%d", "/e^f", "/g|h",
                                           "/i\\j", "/k\"l", "/ ",   "/m~0n"};
    OPL_CLEANUP(opl_json_freep) json_t *root = parse();

    (void)state;
    for (size_t i = 0; i < sizeof pointers / sizeof *pointers; i++)
        assert_int_equal(json_integer_value(opl_json_at(root, pointers[i])), i);
    assert_ptr_equal(opl_json_at(root, ""), root);
    assert_string_equal(json_string_value(opl_json_at(root, "/foo/0")), "bar");
}

static void names_nothing_where_there_is_nothing(void **state)
{
    static const char *const pointers[] = {
        "foo", "/foo/2", "/foo/-", "/foo/01", "/foo/0/x",
        "/x",  "/m~n",   "/m~2n",  "/m~",     "/foo/9999999999999"};
    OPL_CLEANUP(opl_json_freep) json_t *root = parse();

    (void)state;
    for (size_t i = 0; i < sizeof pointers / sizeof *pointers; i++)
        assert_null(opl_json_at(root, pointers[i]));
}

static void escapes_when_building(void **state)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf pointer = {0};

    (void)state;
    opl_json_pointer_add(&pointer, "a/b");
    opl_json_pointer_add(&pointer, "m~n");
    assert_string_equal(opl_buf_text(&pointer), "/a~1b/m~0n");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(finds_what_rfc_6901_names),
    cmocka_unit_test(names_nothing_where_there_is_nothing),
    cmocka_unit_test(escapes_when_building),
};

UNIT_MAIN(tests)

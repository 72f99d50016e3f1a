/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include <opledger/name.h>

static void the_first_error_wins(void **state)
{
    struct opl_err err = {0};

    (void)state;
    assert_false(opl_fail(&err, OPL_E_INVALID, "first %d", 1));
    assert_false(opl_fail_at(&err, OPL_E_INTERNAL, "/x", "second"));
    assert_int_equal(err.code, OPL_E_INVALID);
    assert_string_equal(err.text, "first 1");
    assert_string_equal(err.field, "");
}

static void an_absent_error_is_allowed(void **state)
{
    (void)state;
    assert_false(opl_fail(NULL, OPL_E_INVALID, "x"));
    assert_false(opl_fail_at(NULL, OPL_E_INVALID, "/x", "x"));
    assert_false(opl_hint(NULL, "x"));
    opl_err_prefix(NULL, "/x");
}

static void the_first_hint_stays(void **state)
{
    struct opl_err err = {0};

    (void)state;
    assert_false(opl_hint(&err, "try %s", "this"));
    assert_false(opl_hint(&err, "or that"));
    assert_string_equal(err.hint, "try this");
}

static void an_outer_parser_prefixes_the_field(void **state)
{
    struct opl_err err = {0};

    (void)state;
    opl_err_prefix(&err, "/early"); /* no error yet: nothing to name */
    assert_string_equal(err.field, "");
    (void)opl_fail_at(&err, OPL_E_INVALID, "/claim", "x");
    opl_err_prefix(&err, "/body");
    assert_string_equal(err.field, "/body/claim");
}

static void outside_bytes_in_a_message_become_harmless(void **state)
{
    struct opl_err err = {0};
    char longer[600];

    (void)state;
    (void)opl_fail(&err, OPL_E_INVALID, "a\x1b[31m\n\xff\xc2\x9b z");
    assert_string_equal(err.text, "a?[31m???? z");

    memset(longer, 'x', sizeof longer);
    memcpy(longer + 510, "\xc3\xa9", 2); /* cut in the middle of a character */
    longer[599] = '\0';
    err = (struct opl_err){0};
    (void)opl_fail(&err, OPL_E_INVALID, "%s", longer);
    assert_int_equal(strlen(err.text), 511);
    assert_true(opl_is_utf8(err.text, strlen(err.text)));
}

static void every_code_has_its_row(void **state)
{
    (void)state;
    assert_string_equal(opl_code_slug(OPL_E_STALE), "stale-statement");
    assert_int_equal(opl_code_http(OPL_E_RANGE), 416);
    assert_int_equal(opl_code_exit(OPL_E_SIGNATURE), 4);
    assert_int_equal(opl_code_exit(OPL_OK), 0);
    assert_int_equal(opl_code_exit((enum opl_code)999), 3);
    for (enum opl_code code = OPL_E_MALFORMED; code <= OPL_E_VERIFY; code++) {
        assert_true(opl_code_http(code) >= 400);
        assert_int_not_equal(opl_code_exit(code), 0);
        assert_string_equal(opl_code_slug(opl_code_from_slug(opl_code_slug(code))),
                            opl_code_slug(code));
    }
}

static void an_unknown_slug_is_internal(void **state)
{
    (void)state;
    assert_int_equal(opl_code_from_slug("no-such"), OPL_E_INTERNAL);
    assert_int_equal(opl_code_from_slug(NULL), OPL_E_INTERNAL);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_first_error_wins),
    cmocka_unit_test(an_absent_error_is_allowed),
    cmocka_unit_test(the_first_hint_stays),
    cmocka_unit_test(an_outer_parser_prefixes_the_field),
    cmocka_unit_test(outside_bytes_in_a_message_become_harmless),
    cmocka_unit_test(every_code_has_its_row),
    cmocka_unit_test(an_unknown_slug_is_internal),
};

UNIT_MAIN(tests)

/* SPDX-License-Identifier: Apache-2.0 */
/* Values of documents that are already canonical; those of drafts are tried in test_draft.c. */
#include "vectors.h"

#include <lib/field.h>
#include <opledger/json.h>

static const struct opl_field fields[] = {
    {"at",    OPL_F_TIME,     OPL_FIELD_OPTIONAL,                      0, NULL, OPL_ID_NONE, "t" },
    {"late",  OPL_F_TIME,     OPL_FIELD_OPTIONAL | OPL_FIELD_NULLABLE, 0, NULL, OPL_ID_NONE, "t" },
    {"id",    OPL_F_ID,       OPL_FIELD_OPTIONAL,                      0, NULL, OPL_ID_NONE, "i" },
    {"life",  OPL_F_DURATION, OPL_FIELD_OPTIONAL,                      0, NULL, OPL_ID_NONE, "d" },
    {"parts", OPL_F_OBJECT,   OPL_FIELD_OPTIONAL | OPL_FIELD_LIST,     2, NULL, OPL_ID_NONE, "p" },
    {"text",  OPL_F_SEALED,   OPL_FIELD_OPTIONAL,                      0, NULL, OPL_ID_NONE, "x" },
    {"when",  OPL_F_WINDOW,   OPL_FIELD_OPTIONAL,                      0, NULL, OPL_ID_NONE, "w" },
    {NULL,    OPL_F_TEXT,     0,                                       0, NULL, OPL_ID_NONE, NULL},
};

static bool accepted(const char *text, struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *root = opl_json_parse(text, strlen(text), err);
    struct opl_check check = {NULL, err};

    return root != NULL && opl_fields_check(&check, fields, root, NULL, NULL);
}

static void assert_refused(const char *text, const char *pointer)
{
    struct opl_err err = {0};

    if (accepted(text, &err))
        fail_msg("%s: accepted", text);
    assert_int_equal(err.code, OPL_E_INVALID);
    assert_string_equal(err.field, pointer);
}

static void a_time_has_only_its_stored_form(void **state)
{
    (void)state;
    assert_ok(accepted("{\"at\":\"2026-10-02T06:00:00.000000Z\"}", err));
    assert_refused("{\"at\":\"2026-10-02T06:00:00Z\"}", "/at");
    assert_refused("{\"at\":\"2026-10-02T06:00:00.000000+00:00\"}", "/at");
    assert_refused("{\"at\":\"2026-13-02T06:00:00.000000Z\"}", "/at");
}

static void a_window_has_only_its_stored_form(void **state)
{
    (void)state;
    assert_ok(
        accepted("{\"when\":\"2026-10-02T06:00:00.000000Z/2026-10-02T08:00:00.000000Z\"}", err));
    assert_refused("{\"when\":\"2026-10-02T06:00:00Z/2026-10-02T08:00:00Z\"}", "/when");
    assert_refused("{\"when\":\"2026-10-02T06:00:00.000000Z/2026-10-02T08:00:00Z\"}", "/when");
    assert_refused("{\"when\":\"2026-10-02T06:00:00.000000Z\"}", "/when");
}

static void a_text_is_there_as_its_seal(void **state)
{
    (void)state;
    assert_ok(accepted("{\"text\":{\"sealed\":\"sha256:"
                       "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\"}}",
                       err));
    assert_refused("{\"text\":\"open\"}", "/text");
    assert_refused("{\"text\":{\"sealed\":\"sha256:01\"}}", "/text");
}

static void lines_of_a_batch_are_no_ids(void **state)
{
    (void)state;
    assert_ok(accepted("{\"id\":\"ovr-9\"}", err));
    assert_refused("{\"id\":\"#1\"}", "/id");
}

static void only_a_field_that_may_be_null_is(void **state)
{
    (void)state;
    assert_ok(accepted("{\"late\":null}", err));
    assert_refused("{\"at\":null}", "/at");
}

static void a_list_of_objects_has_its_own_maximum(void **state)
{
    (void)state;
    assert_ok(accepted("{\"parts\":[{},{}]}", err));
    assert_refused("{\"parts\":[{},{},{}]}", "/parts");
    assert_refused("{\"parts\":[{},1]}", "/parts/1");
}

static void a_duration_is_a_number_and_a_unit(void **state)
{
    (void)state;
    assert_ok(accepted("{\"life\":\"12h\"}", err));
    assert_refused("{\"life\":\"12\"}", "/life");
}

static void pointers_escape_what_they_must(void **state)
{
    (void)state;
    assert_refused("{\"a/b~c\":1}", "/a~1b~0c");
}

static void a_reference_to_a_line_is_a_plain_number(void **state)
{
    (void)state;
    assert_int_equal(opl_line_ref("#1"), 1);
    assert_int_equal(opl_line_ref("#10000"), 10000);
    assert_int_equal(opl_line_ref("#10001"), 0);
    assert_int_equal(opl_line_ref("#01"), 0);
    assert_int_equal(opl_line_ref("#"), 0);
    assert_int_equal(opl_line_ref("1"), 0);
    assert_int_equal(opl_line_ref("#99999999999999999999"), 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_time_has_only_its_stored_form),
    cmocka_unit_test(a_window_has_only_its_stored_form),
    cmocka_unit_test(a_text_is_there_as_its_seal),
    cmocka_unit_test(lines_of_a_batch_are_no_ids),
    cmocka_unit_test(only_a_field_that_may_be_null_is),
    cmocka_unit_test(a_list_of_objects_has_its_own_maximum),
    cmocka_unit_test(a_duration_is_a_number_and_a_unit),
    cmocka_unit_test(pointers_escape_what_they_must),
    cmocka_unit_test(a_reference_to_a_line_is_a_plain_number),
};

UNIT_MAIN(tests)

/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include <opledger/json.h>

#include "server/write.h"

static void lines_are_parsed_as_they_are_added(void **state)
{
    struct write *write = write_new();

    (void)state;
    assert_ok(write_add_json(write,
                             json_pack("{s:s, s:s, s:{s:s}}", "kind", "incident.noted", "on",
                                       "inc-1", "body", "text", "x"),
                             opl_time_now(), err));
    assert_int_equal(write->count, 1);
    assert_string_equal(write->lines[0].draft.kind->name, "incident.noted");
    assert_int_equal(write->lines[0].prev, -1);
    assert_fails(write_add_json(write, json_pack("{s:s, s:{}}", "kind", "no.such", "body"), 0, err),
                 OPL_E_INVALID);
    assert_fails(write_add_json(write, NULL, 0, err), OPL_E_NOMEM);
    write_free(write);
    write_free(NULL);
}

static void errors_keep_line_field_and_hint(void **state)
{
    struct write *write = write_new();
    struct opl_err why = {0};
    const json_t *item;

    (void)state;
    opl_fail_at(&why, OPL_E_INVALID, "/body/x", "there is no such field");
    opl_hint(&why, "try y");
    write_add_error(write, 3, &why);
    item = json_array_get(write->errors, 0);
    assert_int_equal(opl_json_int(item, "line", 0), 3);
    assert_string_equal(opl_json_str(item, "field"), "/body/x");
    assert_string_equal(opl_json_str(item, "hint"), "try y");
    write_free(write);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(lines_are_parsed_as_they_are_added),
    cmocka_unit_test(errors_keep_line_field_and_hint),
};

UNIT_MAIN(tests)

/* SPDX-License-Identifier: Apache-2.0 */
#include "filtered.h"

#include <opledger/json.h>

static void the_manifest_has_the_fields_of_the_contract(void **state)
{
    static const char *const fields[] = {"type",    "v",       "rules",     "engine",      "key_id",
                                         "context", "format",  "source",    "output",      "hits",
                                         "spans",   "decoded", "truncated", "unscannable", "weak",
                                         "verify",  "started", "finished"};
    OPL_CLEANUP(redacted_close) struct redacted done = run("a password=hunter22 b\n");
    OPL_CLEANUP(opl_buf_close) struct opl_buf canonical = {0};
    json_t *span = json_array_get(json_object_get(done.manifest, "spans"), 0);

    (void)state;
    assert_int_equal(json_object_size(done.manifest), sizeof(fields) / sizeof(fields[0]));
    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
        assert_non_null(json_object_get(done.manifest, fields[i]));
    assert_true(opl_json_canonical(done.manifest, &canonical, NULL));
    assert_null(strstr(opl_buf_text(&canonical), "hunter22"));
    assert_int_equal(json_integer_value(json_array_get(span, 0)), 11);
    assert_int_equal(json_integer_value(json_array_get(span, 1)), 19);
    assert_int_equal(json_integer_value(json_array_get(span, 2)), 11);
    assert_int_equal(json_integer_value(json_array_get(span, 3)), 32);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_manifest_has_the_fields_of_the_contract),
};

UNIT_MAIN(tests)

/* SPDX-License-Identifier: Apache-2.0 */
#include "filtered.h"

static void a_failing_self_test_stops_the_run(void **state)
{
    const struct opl_redact_options options = {.context = "test", .fault = OPL_FAULT_SELFTEST};
    OPL_CLEANUP(redacted_close) struct redacted done = redacted_run("x\n", 2, &options);

    (void)state;
    assert_false(done.ok);
    assert_int_equal(done.err.code, OPL_E_INTERNAL);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_failing_self_test_stops_the_run),
};

UNIT_MAIN(tests)

/* SPDX-License-Identifier: Apache-2.0 */
#include "filtered.h"

static void a_learned_name_is_masked_everywhere(void **state)
{
    (void)state;
    assert_gone("zed was here\nUserId=zed(1234) GroupId=zed(1234)\n", "zed");
}

static void a_name_that_is_a_word_is_masked_in_its_place_only(void **state)
{
    OPL_CLEANUP(redacted_close) struct redacted done = run("UserId=write(1234) write failed\n");

    (void)state;
    assert_true(has(&done, " write failed"));
    assert_false(has(&done, "=write("));
    assert_true(done.result.weak > 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_learned_name_is_masked_everywhere),
    cmocka_unit_test(a_name_that_is_a_word_is_masked_in_its_place_only),
};

UNIT_MAIN(tests)

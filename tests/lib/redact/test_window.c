/* SPDX-License-Identifier: Apache-2.0 */
#include "filtered.h"

static void a_secret_across_the_end_of_a_window_is_seen(void **state)
{
    (void)state;
    for (size_t before = 1048576 - 70000; before < 1048576 + 40; before += 6007) {
        OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};
        OPL_CLEANUP(redacted_close) struct redacted done = {0};

        while (text.len < before)
            opl_buf_str(&text, "lorem ipsum ");
        opl_buf_str(&text, "password=hunter22hunter22 ");
        while (text.len < 1300000)
            opl_buf_str(&text, "dolor sit ");
        done = redacted_run(text.data, text.len, NULL);
        assert_true(done.ok);
        assert_false(has(&done, "hunter22"));
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_secret_across_the_end_of_a_window_is_seen),
};

UNIT_MAIN(tests)

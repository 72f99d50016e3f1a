/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "lib/redact/example.h"

static void assert_form(enum example_form form, size_t kept, const char *expected)
{
    OPL_CLEANUP(example_close) struct example example = {0};
    OPL_CLEANUP(opl_buf_close) struct opl_buf out = {0};

    assert_ok(example_parse("k=<<a\tb1>> z", &example, err));
    example_write(&example, form, kept, &out);
    if (!strstr(opl_buf_text(&out), expected))
        fail_msg("%s is not in %s", expected, opl_buf_text(&out));
}

static void each_form_is_what_a_trace_would_show(void **state)
{
    (void)state;
    assert_form(EXAMPLE_PLAIN, 4, "k=a\tb1 z\n");
    assert_form(EXAMPLE_QUOTED, 4, ":\"k=a\\tb1 z\"");
    assert_form(EXAMPLE_ESCAPED, 4, "\"\\nk=a\\tb1 z\", 8) = 8\n");
    assert_form(EXAMPLE_HEX, 4, "\"\\x6b\\x3d\\x61\\x09");
    assert_form(EXAMPLE_CUT, 2, "\"\\nk=a\\t\"..., 4) = 4\n");
    assert_form(EXAMPLE_SPLIT, 4, "{iov_base=\"k=a\\t\", iov_len=4}, {iov_base=\"b1 z\"");
}

static void marks_stand_once(void **state)
{
    static const char *const wrong[] = {"none", "<<open", "<<>>", "<<a>> <<b>>", "a>> <<"};

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        OPL_CLEANUP(example_close) struct example example = {0};

        assert_fails(example_parse(wrong[i], &example, err), OPL_E_INVALID);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(each_form_is_what_a_trace_would_show),
    cmocka_unit_test(marks_stand_once),
};

UNIT_MAIN(tests)

/* SPDX-License-Identifier: Apache-2.0 */
#include "filtered.h"

#include "lib/redact/candidate.h"

/* What of a text is looked at to learn from. */
static void view_of(const char *text, struct view *view)
{
    OPL_CLEANUP(candidates_close)
    struct candidates candidates = {.bytes = text, .len = strlen(text)};
    struct scanner scanner = {0};
    struct opl_err err = {0};

    assert_true(scanner_open(&scanner, redacted_rules(), ~0u, &err));
    assert_true(candidates_view(&candidates, &scanner, OPL_FORMAT_STRACE, view, &err));
    scanner_close(&scanner);
}

static void assert_view(const char *text, const char *wanted)
{
    OPL_CLEANUP(view_close) struct view view = {0};

    view_of(text, &view);
    assert_int_equal(view.len, strlen(wanted));
    if (view.len)
        assert_memory_equal(view.bytes, wanted, view.len);
}

static void only_lines_with_an_anchor_are_looked_at(void **state)
{
    (void)state;
    assert_view("one\nuser=alice x user=bob\nthree\nfrom user=carol", "user=alice x user=bob\n"
                                                                      "from user=carol\n");
    assert_view("nothing\nhere\n", "");
}

static void a_line_with_hexadecimal_bytes_is_looked_at_decoded(void **state)
{
    (void)state;
    assert_view("one\nread(3, \"\\x75\\x73er=alice\")\nthree\n", "read(3, \"user=alice\")\n");
}

/* The anchors of hosts files are scanned apart from the others, after them. */
static void lines_come_in_their_order_whatever_set_finds_them(void **state)
{
    (void)state;
    assert_view("10.0.0.5 mgmt05 x\nother\nuser=alice\n", "10.0.0.5 mgmt05 x\nuser=alice\n");
}

static void an_escaped_tab_hides_no_host(void **state)
{
    (void)state;
    assert_view("1 read(3, \"10.0.0.5\\tmgmt05\\n\", 9) = 9\n2 close(3) = 0\n",
                "1 read(3, \"10.0.0.5\tmgmt05\n\", 9) = 9\n");
}

static void a_host_is_learned_before_a_user_in_the_same_window(void **state)
{
    OPL_CLEANUP(redacted_close)
    struct redacted done = run("10.0.0.5 mgmt05 mgmt05.cluster.example.edu\nping mgmt05\n"
                               "UserId=zed(1234)\nread mgmt05\n");

    (void)state;
    assert_null(strstr(opl_buf_text(&done.out), "mgmt"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_lines_with_an_anchor_are_looked_at),
        cmocka_unit_test(a_line_with_hexadecimal_bytes_is_looked_at_decoded),
        cmocka_unit_test(lines_come_in_their_order_whatever_set_finds_them),
        cmocka_unit_test(an_escaped_tab_hides_no_host),
        cmocka_unit_test(a_host_is_learned_before_a_user_in_the_same_window),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "filtered.h"

static void name_and_uid_have_the_same_letters(void **state)
{
    OPL_CLEANUP(redacted_close) struct redacted done = run("UserId=zed(1234) uid=1234\n");
    const char *user = strstr(opl_buf_text(&done.out), "user_");
    const char *uid = strstr(opl_buf_text(&done.out), "uid_");

    (void)state;
    assert_non_null(user);
    assert_non_null(uid);
    assert_memory_equal(user + 5, uid + 4, 14);
}

static void short_name_and_fqdn_have_one_token(void **state)
{
    OPL_CLEANUP(redacted_close)
    struct redacted done = run("10.0.0.5 mgmt05.cluster.example.edu mgmt05\nping mgmt05\nssh "
                               "mgmt05.cluster.example.edu\n");
    const char *text = opl_buf_text(&done.out);
    const char *first = strstr(text, "ping ") + 5, *second = strstr(text, "ssh ") + 4;

    (void)state;
    assert_memory_equal(first, "host_", 5);
    assert_memory_equal(first, second, 21);
}

static void a_hostlist_keeps_its_digits_and_ranges(void **state)
{
    OPL_CLEANUP(redacted_close)
    struct redacted done = run("NodeList=rack[0-63]_blade[001-041,7] x\n");

    (void)state;
    assert_true(has(&done, "[0-63]"));
    assert_true(has(&done, "[001-041,7] x"));
    assert_false(has(&done, "blade"));
}

static void addresses_of_one_network_share_a_token(void **state)
{
    OPL_CLEANUP(redacted_close) struct redacted done = run("192.0.2.1 192.0.2.9 198.51.100.1\n");
    const char *text = opl_buf_text(&done.out);
    const char *second = strstr(text + 1, " net_") + 1, *third = strstr(second, " net_") + 1;

    (void)state;
    assert_memory_equal(text, second, 18);
    assert_memory_not_equal(text, second, 36);
    assert_memory_not_equal(text, third, 18);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(name_and_uid_have_the_same_letters),
    cmocka_unit_test(short_name_and_fqdn_have_one_token),
    cmocka_unit_test(a_hostlist_keeps_its_digits_and_ranges),
    cmocka_unit_test(addresses_of_one_network_share_a_token),
};

UNIT_MAIN(tests)

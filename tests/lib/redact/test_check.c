/* SPDX-License-Identifier: Apache-2.0 */
#include "filtered.h"

static void loopback_netmasks_and_versions_stay(void **state)
{
    (void)state;
    assert_kept(
        "127.0.0.1:6817 0.0.0.0 255.255.255.0 v4.18.0.30 ::1 std::vector 04:43:43.630618\n");
}

static void numbers_that_are_no_uids_stay(void **state)
{
    (void)state;
    assert_kept("JobId=1001 pid=1002 uid=0 gid=33 size=1001\n");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(loopback_netmasks_and_versions_stay),
    cmocka_unit_test(numbers_that_are_no_uids_stay),
};

UNIT_MAIN(tests)

/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "lib/redact/names.h"

static void add_hosts(struct names *names, const char *text)
{
    names_add_hosts(names, text, strlen(text), true);
}

static void a_hostlist_teaches_each_of_its_families(void **state)
{
    OPL_CLEANUP(names_close) struct names names = {0};

    (void)state;
    add_hosts(&names, "mgmt01,blade[001-128],phoebe.cluster.example.edu,10.0.0.1");
    assert_int_equal(names.count, 4);
    assert_string_equal(names.list[0].text, "mgmt");
    assert_true(names.list[0].digits);
    assert_string_equal(names.list[2].text, "phoebe");
    assert_false(names.list[2].digits);
    assert_string_equal(names.list[3].text, "cluster.example.edu");
    assert_int_equal(names.list[3].kind, NAME_DOMAIN);
}

static void ordinary_words_are_weak(void **state)
{
    OPL_CLEANUP(names_close) struct names names = {0};

    (void)state;
    names_add_user(&names, "write", 5, 1001);
    add_hosts(&names, "node[01-99]");
    assert_int_equal(names.count, 0);
    assert_int_equal(names.weak, 2);
}

static void a_user_is_found_by_uid(void **state)
{
    OPL_CLEANUP(names_close) struct names names = {0};

    (void)state;
    names_add_user(&names, "zed", 3, 0);
    names_add_user(&names, "zed", 3, 1234);
    assert_int_equal(names.count, 1);
    assert_string_equal(names_user(&names, 1234)->text, "zed");
    assert_null(names_user(&names, 0));
}

static void many_names_are_all_found_again(void **state)
{
    OPL_CLEANUP(names_close) struct names names = {0};
    char text[32];

    (void)state;
    for (int i = 0; i < 5000; i++) {
        snprintf(text, sizeof text, "user%dx", i % 2500);
        names_add_user(&names, text, strlen(text), (uint32_t)(1000 + i % 2500));
    }
    assert_int_equal(names.count, 2500);
    assert_string_equal(names_user(&names, 3499)->text, "user2499x");
}

static bool place(const char *learned, const char *text, const char *found, struct name_place *out)
{
    OPL_CLEANUP(names_close) struct names names = {0};

    add_hosts(&names, learned);
    return names_place(&names, &names.list[0], text, strlen(text),
                       (size_t)(strstr(text, found) - text) + names.list[0].len, out);
}

static void a_host_takes_its_digits_ranges_and_domain_along(void **state)
{
    struct name_place out;

    (void)state;
    assert_true(place("mgmt01.x.example.edu", "on mgmt07.x.example.edu.", "mgmt", &out));
    assert_int_equal(out.from, 3);
    assert_int_equal(out.to, 23);
    assert_true(place("blade1", "blade[1-3]-ib0 x", "blade", &out));
    assert_int_equal(out.to, 14);
}

static void a_part_of_another_word_is_no_host(void **state)
{
    struct name_place out;

    (void)state;
    assert_false(place("mgmt01", "management", "m", &out));
    assert_false(place("mgmt01", "xmgmt01", "mgmt", &out));
    assert_false(place("phoebe", "phoebes", "phoebe", &out));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_hostlist_teaches_each_of_its_families),
    cmocka_unit_test(ordinary_words_are_weak),
    cmocka_unit_test(a_user_is_found_by_uid),
    cmocka_unit_test(many_names_are_all_found_again),
    cmocka_unit_test(a_host_takes_its_digits_ranges_and_domain_along),
    cmocka_unit_test(a_part_of_another_word_is_no_host),
};

UNIT_MAIN(tests)

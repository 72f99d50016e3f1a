/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "lib/redact/account.h"

static void add(struct account *account, uint64_t from, uint64_t to, uint64_t out, uint64_t out_to)
{
    struct account_span span = {from, to, out, out_to, 1};

    account_add(account, &span);
}

static void a_further_round_is_told_in_terms_of_the_source(void **state)
{
    OPL_CLEANUP(account_close) struct account account = {0};

    (void)state;
    assert_ok(account_open(&account, 3, err));
    add(&account, 10, 20, 10, 31); /* eleven longer */
    add(&account, 50, 60, 61, 82);
    account_round(&account);
    add(&account, 41, 45, 41, 62); /* of the first output: 30 to 34 of the source */
    account_settle(&account);
    assert_int_equal(account.count, 3);
    assert_int_equal(account.list[1].from, 30);
    assert_int_equal(account.list[1].to, 34);
    assert_int_equal(account.list[1].out_to, 62);
    assert_int_equal(account.list[2].from, 50);
    assert_int_equal(account.list[2].out_from, 78);
    assert_int_equal(account.hits[1], 3);
}

static void beyond_the_limit_spans_are_counted(void **state)
{
    OPL_CLEANUP(account_close) struct account account = {0};

    (void)state;
    assert_ok(account_open(&account, 3, err));
    for (uint64_t i = 0; i < ACCOUNT_SPANS + 5; i++)
        add(&account, i, i + 1, i, i + 1);
    assert_int_equal(account.count, ACCOUNT_SPANS);
    assert_int_equal(account.spans, ACCOUNT_SPANS + 5);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_further_round_is_told_in_terms_of_the_source),
    cmocka_unit_test(beyond_the_limit_spans_are_counted),
};

UNIT_MAIN(tests)

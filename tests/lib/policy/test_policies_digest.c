/* SPDX-License-Identifier: Apache-2.0 */
#include "play.h"

#include <opledger/encode.h>

static const struct opl_hash models = {{1}};
static const struct opl_named_hash two[] = {
    {"b", {{2}}},
    {"a", {{3}}}
};

static void it_is_the_hash_of_the_contracts_json(void **state)
{
    static const char form[] =
        "{\"gate\":{\"a\":\"0300000000000000000000000000000000000000000000000000000000000000\","
        "\"b\":\"0200000000000000000000000000000000000000000000000000000000000000\"},"
        "\"models\":\"0100000000000000000000000000000000000000000000000000000000000000\","
        "\"vocabulary\":1}";
    struct opl_hash found, wanted;

    (void)state;
    opl_sha256(form, sizeof form - 1, &wanted);
    assert_ok(opl_policies_digest("gate", &models, two, 2, &found, err));
    assert_true(opl_hash_equal(&found, &wanted));
}

static void set_models_and_each_policy_change_it(void **state)
{
    struct opl_hash gate, redact, one, none;

    (void)state;
    assert_ok(opl_policies_digest("gate", &models, two, 2, &gate, err));
    assert_ok(opl_policies_digest("redact", &models, two, 2, &redact, err));
    assert_ok(opl_policies_digest("gate", &models, two, 1, &one, err));
    assert_ok(opl_policies_digest("gate", NULL, two, 2, &none, err));
    assert_false(opl_hash_equal(&gate, &redact));
    assert_false(opl_hash_equal(&gate, &one));
    assert_false(opl_hash_equal(&gate, &none));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_the_hash_of_the_contracts_json),
        cmocka_unit_test(set_models_and_each_policy_change_it),
    };

    return cmocka_run_group_tests(tests, unit_start, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "client/policy_file.h"

#include "unit.h"

static void assert_sorted(const char *path, const char *text, const char *what, const char *name)
{
    OPL_CLEANUP(policy_file_close) struct policy_file policy = {0};

    assert_ok(policy_file_sort(path, text, strlen(text), &policy, err));
    assert_string_equal(policy.what, what);
    assert_string_equal(policy.name, name);
}

static void a_policy_is_sorted_by_what_it_holds(void **state)
{
    (void)state;
    assert_sorted("p/gate/x.yaml", "v: 1\nname: slurm-config\nrequire: []\n", "gate",
                  "slurm-config");
    assert_sorted("models.yaml", "v: 1\ndestinations: []\n", "models", "models");
    assert_sorted("a/b.yaml", "v: 1\nrules: []\n", "redact", "b");
}

static void rules_are_named_by_their_place(void **state)
{
    (void)state;
    assert_sorted("/x/policies/redact/site/slurm.yaml", "rules: []\n", "redact", "site/slurm");
}

static void what_is_none_of_them_is_refused(void **state)
{
    OPL_CLEANUP(policy_file_close) struct policy_file policy = {0};

    (void)state;
    assert_fails(policy_file_sort("x", "a: b\n", 5, &policy, err), OPL_E_CONFIG);
}

static void what_is_no_yaml_is_refused(void **state)
{
    OPL_CLEANUP(policy_file_close) struct policy_file policy = {0};

    (void)state;
    assert_false(policy_file_sort("x", "a: [", 4, &policy, NULL));
    assert_false(policy_file_read("/nonexistent", &policy, NULL));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_policy_is_sorted_by_what_it_holds),
    cmocka_unit_test(rules_are_named_by_their_place),
    cmocka_unit_test(what_is_none_of_them_is_refused),
    cmocka_unit_test(what_is_no_yaml_is_refused),
};

UNIT_MAIN(tests)

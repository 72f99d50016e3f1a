/* SPDX-License-Identifier: Apache-2.0 */
#include "play.h"

#define POLICY                                                                                     \
    "v: 1\nname: p\napplies: {class: [config], target: [\"*/slurm\"]}\nrequire:\n"                 \
    "  - hypothesis: {status: [vendor-confirmed]}\n"
#define TESTS(situation) "v: 1\npolicy: p\nsituations:\n  - " situation "\n"

static char *read_file(const char *path, size_t *len)
{
    FILE *file = fopen(path, "r");
    char *text = calloc(1, 65536);

    assert_non_null(file);
    assert_non_null(text);
    *len = fread(text, 1, 65535, file);
    assert_int_equal(fclose(file), 0);
    return text;
}

static void the_shipped_policy_passes_its_tests(void **state)
{
    size_t len, tests_len, count = 0;
    char *yaml = read_file(SOURCE_DIR "/policies/gate/slurm-config.yaml", &len);
    char *tests = read_file(SOURCE_DIR "/policies/gate/slurm-config.tests.yaml", &tests_len);

    (void)state;
    assert_ok(opl_gate_policy_lint(yaml, len, tests, tests_len, &count, err));
    assert_true(count >= 20);
    free(yaml);
    free(tests);
}

static void refuse(const char *tests, const char *field, const char *text)
{
    struct opl_err err = {0};
    size_t count = 0;

    assert_false(opl_gate_policy_lint(POLICY, strlen(POLICY), tests, strlen(tests), &count, &err));
    assert_int_equal(err.code, OPL_E_CONFIG);
    assert_string_equal(err.field, field);
    assert_has(err.text, text);
}

static void a_situation_that_comes_out_otherwise_is_named(void **state)
{
    (void)state;
    refuse(TESTS("{name: hopeful, target: a/slurm, expect: allowed}"), "/situations/0",
           "\"hopeful\": denied, not allowed: hypothesis");
    refuse(TESTS("{name: w, target: a/slurm, expect: denied, unmet: [window],"
                 " facts: [vendor-confirmed]}"),
           "/situations/0", "allowed, not denied");
}

static void a_denial_for_another_reason_is_refused(void **state)
{
    (void)state;
    refuse(TESTS("{name: w, target: a/slurm, expect: denied, unmet: [approvals]}"), "/situations/0",
           "hypothesis is UNSATISFIED too");
    refuse(TESTS("{name: w, target: a/slurm, expect: denied, unmet: [hypothesis, window]}"),
           "/situations/0", "only 1 of 2");
}

static void a_denial_that_names_no_reason_is_refused(void **state)
{
    (void)state;
    refuse(TESTS("{name: w, target: a/slurm, expect: denied}"), "/situations/0", "unmet");
}

static void a_policy_that_applies_is_not_called_inapplicable(void **state)
{
    (void)state;
    refuse(TESTS("{name: w, target: a/slurm, expect: not-applicable, facts: [vendor-confirmed]}"),
           "/situations/0", "the policy applies");
}

static void an_act_that_nobody_knows_is_refused(void **state)
{
    (void)state;
    refuse(TESTS("{name: w, expect: allowed, facts: [prayed]}"), "/situations/0", "prayed");
}

static void unknown_keys_and_empty_files_are_refused(void **state)
{
    (void)state;
    refuse(TESTS("{name: w, expect: allowed, colour: red}"), "/situations/0/colour", "no such key");
    refuse("v: 1\npolicy: p\nsituations: []\n", "/situations", "proves nothing");
    refuse("v: 1\npolicy: other\nsituations: [{name: w, expect: allowed}]\n", "/policy", "another");
    refuse("", "", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_shipped_policy_passes_its_tests),
        cmocka_unit_test(a_situation_that_comes_out_otherwise_is_named),
        cmocka_unit_test(a_denial_for_another_reason_is_refused),
        cmocka_unit_test(a_denial_that_names_no_reason_is_refused),
        cmocka_unit_test(a_policy_that_applies_is_not_called_inapplicable),
        cmocka_unit_test(an_act_that_nobody_knows_is_refused),
        cmocka_unit_test(unknown_keys_and_empty_files_are_refused),
    };

    return cmocka_run_group_tests(tests, unit_start, NULL);
}

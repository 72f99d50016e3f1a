/* SPDX-License-Identifier: Apache-2.0 */
#include "play.h"

#define HEAD "v: 1\nname: p\napplies: {class: [config], target: [\"*/slurm\"]}\n"
#define REQUIRE "require: [{approvals: {min: 1, roles: [slurm]}}]\n"

static void parse(const char *yaml, struct opl_gate_policy *policy)
{
    assert_ok(opl_gate_policy_parse(yaml, strlen(yaml), policy, err));
}

static void refuse(const char *yaml, const char *field, const char *text)
{
    struct opl_gate_policy policy;
    struct opl_err err = {0};

    if (opl_gate_policy_parse(yaml, strlen(yaml), &policy, &err))
        fail_msg("accepted: %s", yaml);
    assert_int_equal(err.code, OPL_E_CONFIG);
    assert_string_equal(err.field, field);
    assert_has(err.text, text);
    assert_null(policy.root);
}

static void a_policy_is_read_whole(void **state)
{
    struct opl_gate_policy policy;

    (void)state;
    parse(HEAD REQUIRE "override: {roles: [lead], max: 4h, hardware-key: shown}\nhold: 2h\n",
          &policy);
    assert_string_equal(policy.name, "p");
    assert_int_equal(policy.require_count, 1);
    assert_int_equal(policy.require[0].kind, OPL_REQ_approvals);
    assert_non_null(policy.override);
    assert_null(policy.paths);
    assert_int_equal(policy.hold_s, 7200);
    opl_gate_policy_close(&policy);
}

static void unknown_keys_are_refused_wherever_they_stand(void **state)
{
    (void)state;
    refuse(HEAD REQUIRE "colour: red\n", "/colour", "no such key");
    refuse("v: 1\nname: p\napplies: {class: [config], target: [a], host: [b]}\n" REQUIRE,
           "/applies/host", "no such key");
    refuse(HEAD "require: [{approvals: {min: 1, roles: [slurm], hardware: shown}}]\n",
           "/require/0/approvals/hardware", "no such key");
    refuse(HEAD REQUIRE "override: {roles: [lead], max: 4h, reason: none}\n", "/override/reason",
           "no such key");
}

static void unknown_requirements_are_refused(void **state)
{
    (void)state;
    refuse(HEAD "require: [{aprovals: {min: 1, roles: [slurm]}}]\n", "/require/0",
           "no such requirement: aprovals");
    refuse(HEAD "require: [{change: {}}]\n", "/require/0", "no such requirement");
    refuse(HEAD "require: [{vendor: {}, window: {}}]\n", "/require/0", "one requirement");
    refuse(HEAD "require: [vendor]\n", "/require/0", "one requirement");
}

static void a_policy_without_requirements_is_refused(void **state)
{
    (void)state;
    refuse(HEAD, "/require", "missing");
    refuse(HEAD "require: []\n", "/require", "1 to 16 requirements");
    refuse(HEAD "require: {}\n", "/require", "a list is wanted");
}

static void words_numbers_and_durations_are_checked(void **state)
{
    (void)state;
    refuse(HEAD "require: [{hypothesis: {status: [confirmed]}}]\n", "/require/0/hypothesis/status",
           "not one of the words");
    refuse(HEAD "require: [{hypothesis: {status: [none], max-age: soon}}]\n",
           "/require/0/hypothesis/max-age", "not a duration");
    refuse(HEAD "require: [{approvals: {min: 0, roles: [slurm]}}]\n", "/require/0/approvals/min",
           "not a number");
    refuse(HEAD "require: [{approvals: {min: 01, roles: [slurm]}}]\n", "/require/0/approvals/min",
           "not a number");
    refuse(HEAD "require: [{approvals: {min: 1, roles: []}}]\n", "/require/0/approvals/roles",
           "empty");
    refuse(HEAD "require: [{approvals: {min: 1, roles: [SLURM]}}]\n", "/require/0/approvals/roles",
           "not a name");
    refuse(HEAD "require: [{cross-check: {min: 1, family: any}}]\n",
           "/require/0/cross-check/family", "not one of the words");
    refuse(HEAD "require: [{hypothesis: {status: reproduced}}]\n", "/require/0/hypothesis/status",
           "a list is wanted");
}

/* What YAML calls true is the word true, and no word of ours. */
static void no_key_takes_a_truth_value(void **state)
{
    (void)state;
    refuse(HEAD "require: [{cross-check: {min: 1, mode: true}}]\n", "/require/0/cross-check/mode",
           "not one of the words");
    refuse(HEAD "require: [{vendor: yes}]\n", "/require/0/vendor", "a mapping is wanted");
}

static void missing_keys_are_named(void **state)
{
    (void)state;
    refuse(HEAD "require: [{approvals: {min: 1}}]\n", "/require/0/approvals/roles", "missing");
    refuse("name: p\napplies: {class: [config], target: [a]}\n" REQUIRE, "/v", "missing");
    refuse("v: 2\nname: p\napplies: {class: [config], target: [a]}\n" REQUIRE, "/v", "not one");
    refuse("v: 1\nname: p\napplies: {class: [config]}\n" REQUIRE, "/applies", "neither target");
    refuse("v: 1\nname: p\napplies: {target: [a]}\n" REQUIRE, "/applies/class", "missing");
}

static void overrides_and_kept_decisions_have_their_limits(void **state)
{
    (void)state;
    refuse(HEAD REQUIRE "override: {roles: [lead], max: 25h}\n", "/override/max",
           "longer than 24h");
    refuse(HEAD REQUIRE "hold: 5h\n", "/hold", "longer than 4h");
}

static void what_is_no_yaml_names_its_line(void **state)
{
    (void)state;
    refuse("v: 1\nname: [\n", "", "line");
    refuse(HEAD REQUIRE "v: 1\n", "", "line");
    refuse("just words", "", "");
}

static bool is_for(const char *applies, const char *class, const char *target, const char *path)
{
    struct opl_manifest_file file = {.path = (char *)path};
    struct opl_manifest manifest = {.files = &file, .file_count = 1, .target = "declared/nowhere"};
    struct opl_gate_policy policy;
    char yaml[512];
    bool yes;

    (void)snprintf(yaml, sizeof yaml, "v: 1\nname: p\napplies: %s\n" REQUIRE, applies);
    parse(yaml, &policy);
    yes = opl_gate_policy_applies(&policy, class, target, &manifest);
    opl_gate_policy_close(&policy);
    return yes;
}

static void class_and_any_of_target_and_path_decide(void **state)
{
    const char *both =
        "{class: [config, script], target: [\"*/slurm\"], path: [\"/etc/slurm/**\"]}";

    (void)state;
    assert_true(is_for(both, "config", "engaging/slurm", "/tmp/x"));
    assert_true(is_for(both, "script", "other/dhcp", "/etc/slurm/a/b"));
    assert_false(is_for(both, "upgrade", "engaging/slurm", "/etc/slurm/a"));
    assert_false(is_for(both, "config", "a/b/slurm", "/etc/slurmX"));
    assert_false(is_for(both, NULL, NULL, "/etc/slurm/a"));
}

/* What a change touches decides, not what its author calls it. */
static void the_target_of_the_manifest_decides_too(void **state)
{
    (void)state;
    assert_true(is_for("{class: [config], target: [\"declared/*\"]}", "config", "harmless", "/x"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_policy_is_read_whole),
        cmocka_unit_test(unknown_keys_are_refused_wherever_they_stand),
        cmocka_unit_test(unknown_requirements_are_refused),
        cmocka_unit_test(a_policy_without_requirements_is_refused),
        cmocka_unit_test(words_numbers_and_durations_are_checked),
        cmocka_unit_test(no_key_takes_a_truth_value),
        cmocka_unit_test(missing_keys_are_named),
        cmocka_unit_test(overrides_and_kept_decisions_have_their_limits),
        cmocka_unit_test(what_is_no_yaml_names_its_line),
        cmocka_unit_test(class_and_any_of_target_and_path_decide),
        cmocka_unit_test(the_target_of_the_manifest_decides_too),
    };

    return cmocka_run_group_tests(tests, unit_start, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "play.h"

static const char models[] = "families:\n"
                             "  - {name: one, match: [\"first/**\", \"reseller/first-*\"]}\n"
                             "  - {name: two, match: [\"second/**\"]}\n"
                             "  - {name: three, match: [\"second/odd\"]}\n"
                             "destinations: []\n";

static void check(const char *model, const char *family)
{
    struct families *families = families_parse(models, sizeof models - 1, NULL);
    struct opl_model parsed;

    assert_non_null(families);
    assert_ok(opl_model_parse(model, &parsed, err));
    if (family)
        assert_string_equal(families_of(families, &parsed), family);
    else
        assert_null(families_of(families, &parsed));
    families_free(families);
}

static void provider_and_name_decide_the_version_does_not(void **state)
{
    (void)state;
    check("first/guesser@2026", "one");
    check("first/a/b", "one");
    check("reseller/first-guesser", "one");
}

static void nobodys_and_two_families_models_are_of_unknown_family(void **state)
{
    (void)state;
    check("third/guesser", NULL);
    check("second/odd", NULL);
    check("second/even", "two");
}

static void what_is_no_list_of_families_is_refused(void **state)
{
    static const char *const wrong[] = {"families: x\n",
                                        "families: [{name: a}]\n",
                                        "families: [{name: a, match: [b], kin: c}]\n",
                                        "destinations: []\n",
                                        "",
                                        "- a\n"};

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct opl_err err = {0};

        assert_null(families_parse(wrong[i], strlen(wrong[i]), &err));
        assert_int_equal(err.code, OPL_E_CONFIG);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(provider_and_name_decide_the_version_does_not),
        cmocka_unit_test(nobodys_and_two_families_models_are_of_unknown_family),
        cmocka_unit_test(what_is_no_list_of_families_is_refused),
    };

    return cmocka_run_group_tests(tests, unit_start, NULL);
}

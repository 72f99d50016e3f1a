/* SPDX-License-Identifier: Apache-2.0 */
#include "play.h"

static void every_requirement_of_the_contract_is_in_the_table_under_its_name(void **state)
{
#define NAME(name) #name,
    static const char *const names[] = {OPL_REQUIREMENTS(NAME)};
#undef NAME

    (void)state;
    for (size_t i = 0; i < OPL_REQ_COUNT; i++) {
        char wanted[32];

        (void)snprintf(wanted, sizeof wanted, "%s", names[i]);
        for (char *byte = wanted; *byte; byte++)
            *byte = *byte == '_' ? '-' : *byte;
        assert_string_equal(requirements[i].name, wanted);
        assert_ptr_equal(requirement_find(wanted), &requirements[i]);
        assert_string_equal(opl_requirement_name((enum opl_requirement_kind)i), wanted);
    }
}

static void the_gates_own_row_can_be_asked_by_no_policy(void **state)
{
    (void)state;
    assert_string_equal(opl_requirement_name(OPL_REQ_CHANGE), "change");
    assert_null(requirement_find("change"));
    assert_null(requirement_find("cross_check"));
    assert_null(requirement_find(""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_requirement_of_the_contract_is_in_the_table_under_its_name),
        cmocka_unit_test(the_gates_own_row_can_be_asked_by_no_policy),
    };

    return cmocka_run_group_tests(tests, unit_start, NULL);
}

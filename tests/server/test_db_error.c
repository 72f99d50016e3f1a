/* SPDX-License-Identifier: Apache-2.0 */
#include "server/db_error.h"
#include "unit.h"

static void every_state_has_the_code_that_callers_act_on(void **state)
{
    static const struct {
        const char *sqlstate;
        enum opl_code code;
    } cases[] = {
        {"",      OPL_E_UNAVAILABLE},
        {"08006", OPL_E_UNAVAILABLE},
        {"57P01", OPL_E_UNAVAILABLE},
        {"57014", OPL_E_TIMED_OUT  },
        {"55P03", OPL_E_TIMED_OUT  },
        {"40P01", OPL_E_TIMED_OUT  },
        {"53100", OPL_E_STORAGE    },
        {"53300", OPL_E_UNAVAILABLE},
        {"25006", OPL_E_UNAVAILABLE},
        {"23505", OPL_E_INTERNAL   },
        {"42601", OPL_E_INTERNAL   },
        {"99999", OPL_E_INTERNAL   },
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
        assert_int_equal(db_error_code(cases[i].sqlstate), cases[i].code);
}

static void the_exact_state_wins_over_its_class(void **state)
{
    (void)state;
    assert_string_equal(db_error_text("53100"), "the database's disk is full");
    assert_string_equal(db_error_text("53999"), "the database lacks resources");
    assert_string_equal(db_error_text("99999"), "the database refused the statement");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_state_has_the_code_that_callers_act_on),
    cmocka_unit_test(the_exact_state_wins_over_its_class),
};

UNIT_MAIN(tests)

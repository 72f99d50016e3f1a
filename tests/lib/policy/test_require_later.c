/* SPDX-License-Identifier: Apache-2.0 */
#include "play.h"

/* Even beside a satisfied requirement: what cannot be judged yet never opens the gate. */
static void a_requirement_of_a_later_version_is_an_error(void **state)
{
    static const char *const later[][2] = {
        {"reproduction", "{}"      },
        {"baseline",     "{}"      },
        {"evidence",     "{}"      },
        {"testrun",      "{}"      },
        {"rehearsal",    "{}"      },
        {"restore",      "{}"      },
        {"scrubbed",     "{min: 1}"},
        {"egress",       "{}"      },
        {"window",       "{}"      },
    };

    (void)state;
    for (size_t i = 0; i < sizeof later / sizeof later[0]; i++) {
        char require[160], detail[80];

        (void)snprintf(require, sizeof require, PLAY_HYPOTHESIS "  - %s: %s\n", later[i][0],
                       later[i][1]);
        (void)snprintf(detail, sizeof detail, "this version cannot judge %s yet", later[i][0]);
        struct play *play = play_judged(require, "facts: [vendor-confirmed]");

        assert_row(play, "hypothesis", OPL_SATISFIED, "", "");
        assert_row(play, later[i][0], OPL_ERROR, detail, NULL);
        assert_int_equal(play->result->outcome, OPL_GATE_DENIED);
        play_close(play);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_requirement_of_a_later_version_is_an_error),
    };

    return cmocka_run_group_tests(tests, unit_start, NULL);
}

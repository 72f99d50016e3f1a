/* SPDX-License-Identifier: Apache-2.0 */
/* unit - what every cmocka program of ours begins with. */
#ifndef OPLEDGER_TESTS_UNIT_H
#define OPLEDGER_TESTS_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <opledger/crypto.h>

/* A call that must succeed; its error is shown when it does not. */
#define assert_ok(call)                                                                            \
    do {                                                                                           \
        struct opl_err unit_err = {0};                                                             \
        struct opl_err *err = &unit_err;                                                           \
        if (!(call))                                                                               \
            fail_msg("%s: %s (%s)", #call, unit_err.text, unit_err.field);                         \
        (void)err;                                                                                 \
    } while (0)

/* A call that must fail with this code; the call names its error `err`. */
#define assert_fails(call, want)                                                                   \
    do {                                                                                           \
        struct opl_err unit_err = {0};                                                             \
        struct opl_err *err = &unit_err;                                                           \
        if (call)                                                                                  \
            fail_msg("%s succeeded", #call);                                                       \
        if (unit_err.code != (want))                                                               \
            fail_msg("%s: %s, not %s: %s", #call, opl_code_slug(unit_err.code),                    \
                     opl_code_slug(want), unit_err.text);                                          \
        (void)err;                                                                                 \
    } while (0)

static inline int unit_start(void **state)
{
    (void)state;
    return opl_crypto_init(NULL) ? 0 : -1;
}

/* Runs the tests of an array `tests` under the program's name. */
#define UNIT_MAIN(tests)                                                                           \
    int main(void)                                                                                 \
    {                                                                                              \
        return cmocka_run_group_tests(tests, unit_start, NULL);                                    \
    }

#endif

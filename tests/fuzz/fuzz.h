/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz - the one function of every target, and checks that stay when assertions are compiled out.
 */
#ifndef OPLEDGER_TESTS_FUZZ_H
#define OPLEDGER_TESTS_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A property that no input may break. */
#define FUZZ_CHECK(condition)                                                                      \
    do {                                                                                           \
        if (!(condition))                                                                          \
            abort();                                                                               \
    } while (0)

#endif

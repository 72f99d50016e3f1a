/* SPDX-License-Identifier: Apache-2.0 */
/* The entries that were read, written again, are the bytes that they were read from. */
#include "fuzz.h"

#include <opledger/tile.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct opl_bundle walk = {.bytes = (const char *)data, .left = size};
    OPL_CLEANUP(opl_buf_close) struct opl_buf again = {0};
    struct opl_err err = {0};

    while (opl_bundle_next(&walk, &err))
        FUZZ_CHECK(opl_bundle_add(&again, walk.entry, walk.len, NULL));
    FUZZ_CHECK(err.code == OPL_OK ? again.len == size : again.len < size);
    FUZZ_CHECK(again.len == 0 || memcmp(again.data, data, again.len) == 0);
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* What a body says, written again, is the beginning of that body. */
#include "fuzz.h"

#include <opledger/checkpoint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf body = {0};
    struct opl_head head;

    if (!opl_checkpoint_parse((const char *)data, size, &head, NULL))
        return 0;
    FUZZ_CHECK(opl_checkpoint_format(&head, &body, NULL));
    FUZZ_CHECK(body.len <= size && memcmp(body.data, data, body.len) == 0);
    return 0;
}

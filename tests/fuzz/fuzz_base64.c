/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes have one spelling: what decodes encodes to the same text. */
#include "fuzz.h"

#include <opledger/encode.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};
    size_t max = size / 4 * 3, len = 0;
    uint8_t *out = malloc(max > 0 ? max : 1);

    FUZZ_CHECK(out != NULL);
    if (opl_base64_decode((const char *)data, size, out, max, &len, NULL)) {
        opl_buf_base64(&text, out, len);
        FUZZ_CHECK(text.len == size && memcmp(opl_buf_text(&text), data, size) == 0);
    }
    free(out);
    return 0;
}

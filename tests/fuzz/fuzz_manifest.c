/* SPDX-License-Identifier: Apache-2.0 */
/* Whatever is read as a manifest is written with the same bytes. */
#include "fuzz.h"

#include <opledger/manifest.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    OPL_CLEANUP(opl_manifest_close) struct opl_manifest manifest = {0};
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};
    struct opl_err err = {0};
    struct opl_hash base;

    if (!opl_manifest_parse((const char *)data, size, &manifest, &err)) {
        FUZZ_CHECK(err.code == OPL_E_INVALID && manifest.files == NULL);
        return 0;
    }
    FUZZ_CHECK(opl_manifest_write(&manifest, &text, NULL));
    FUZZ_CHECK(text.len == size && memcmp(text.data, data, size) == 0);
    FUZZ_CHECK(opl_manifest_base(&manifest, &base, NULL));
    return 0;
}

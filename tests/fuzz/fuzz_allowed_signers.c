/* SPDX-License-Identifier: Apache-2.0 */
/* Whatever is accepted names its principals and its namespaces, without patterns. */
#include "fuzz.h"

#include "client/allowed_signers.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    OPL_CLEANUP(allowed_signers_close) struct allowed_signers signers = {0};
    struct opl_err err = {0};

    if (!allowed_signers_parse("input", (const char *)data, size, &signers, &err)) {
        FUZZ_CHECK(err.code == OPL_E_CONFIG && signers.lines == NULL);
        return 0;
    }
    for (size_t i = 0; i < signers.count; i++) {
        const struct allowed_signer *line = &signers.lines[i];

        FUZZ_CHECK(line->principals[0] != '\0' && line->namespaces[0] != '\0');
        FUZZ_CHECK(strpbrk(line->principals, "*?!") == NULL);
        FUZZ_CHECK(strpbrk(line->namespaces, "*?!") == NULL);
        FUZZ_CHECK(!allowed_signers_has(&signers, "", "", &line->key, 0));
    }
    return 0;
}

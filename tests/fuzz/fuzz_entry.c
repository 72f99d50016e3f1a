/* SPDX-License-Identifier: Apache-2.0 */
/* Whatever is read as an entry has exactly one form, and its strings are what its grammars say. */
#include "fuzz.h"

#include <opledger/entry.h>
#include <opledger/json.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    OPL_CLEANUP(opl_entry_close) struct opl_entry entry = {0};
    OPL_CLEANUP(opl_buf_close) struct opl_buf form = {0};
    struct opl_err err = {0};

    if (!opl_entry_parse((const char *)data, size, 100, &entry, &err)) {
        FUZZ_CHECK(err.code == OPL_E_VERIFY && entry.root == NULL);
        return 0;
    }
    FUZZ_CHECK(opl_json_canonical(entry.root, &form, NULL));
    FUZZ_CHECK(form.len == size && memcmp(form.data, data, size) == 0);
    FUZZ_CHECK(opl_is_principal(entry.actor) && entry.at >= 0 && entry.prev < 100);
    FUZZ_CHECK(entry.kind == NULL || (entry.id != NULL) == (entry.kind->creates != OPL_ID_NONE));
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* What the fast reader takes, jansson reads the same. */
#include "fuzz.h"

#include <lib/json_read.h>
#include <opledger/json.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    OPL_CLEANUP(opl_json_freep) json_t *mine = opl_json_read((const char *)data, size);
    OPL_CLEANUP(opl_json_freep) json_t *theirs = NULL;

    if (mine == NULL)
        return 0;
    theirs = json_loadb((const char *)data, size, JSON_REJECT_DUPLICATES, NULL);
    FUZZ_CHECK(theirs != NULL && json_equal(mine, theirs));
    return 0;
}

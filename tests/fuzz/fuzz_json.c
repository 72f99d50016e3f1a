/* SPDX-License-Identifier: Apache-2.0 */
/* What parses has a canonical form, and that form is its own. */
#include "fuzz.h"

#include <opledger/json.h>

static void check_form(const json_t *root)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf form = {0};
    OPL_CLEANUP(opl_json_freep) json_t *again = NULL;

    FUZZ_CHECK(opl_json_canonical(root, &form, NULL));
    again = opl_json_parse_canonical(form.data, form.len, NULL);
    FUZZ_CHECK(again != NULL && json_equal(root, again));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct opl_err err = {0};
    OPL_CLEANUP(opl_json_freep) json_t *root = opl_json_parse((const char *)data, size, &err);

    if (root != NULL)
        check_form(root);
    else
        FUZZ_CHECK(err.code != OPL_OK);
    return 0;
}

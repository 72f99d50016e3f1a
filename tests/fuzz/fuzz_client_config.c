/* SPDX-License-Identifier: Apache-2.0 */
/* client/config.c: whatever a file holds is settings or an error that names a line. */
#include "fuzz.h"

#include <opledger/buf.h>

#include "client/config.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};
    struct config config = {0};
    struct opl_err err = {0};

    opl_buf_add(&text, data, size);
    if (!config_parse(&config, "f", opl_buf_text(&text), &err) && err.code != OPL_E_CONFIG)
        abort();
    config_close(&config);
    return 0;
}

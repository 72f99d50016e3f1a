/* SPDX-License-Identifier: Apache-2.0 */
/* What is accepted is complete; what is refused leaves nothing behind. */
#include "fuzz.h"

#include "client/gate_conf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    OPL_CLEANUP(gate_conf_close) struct gate_conf conf = {0};
    struct opl_err err = {0};

    if (!gate_conf_parse("input", (const char *)data, size, &conf, &err)) {
        FUZZ_CHECK(err.code == OPL_E_CONFIG && conf.url == NULL && conf.paths == NULL);
        return 0;
    }
    FUZZ_CHECK(conf.url != NULL && conf.origin != NULL);
    FUZZ_CHECK(strcmp(conf.origin, conf.log_key.name) == 0);
    FUZZ_CHECK((conf.signers != NULL) == (conf.signers_min > 0));
    FUZZ_CHECK(gate_conf_target(&conf, "relative") == NULL);
    return 0;
}

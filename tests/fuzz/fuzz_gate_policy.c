/* SPDX-License-Identifier: Apache-2.0 */
/* A policy that is read has a name and requirements, and answers to which changes it applies. */
#include "fuzz.h"

#include <opledger/gate_policy.h>
#include <opledger/manifest.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    OPL_CLEANUP(opl_gate_policy_close) struct opl_gate_policy policy = {0};
    char path[] = "/etc/slurm/slurm.conf";
    struct opl_manifest_file file = {.path = path};
    const struct opl_manifest manifest = {
        .target = "engaging/slurm", .files = &file, .file_count = 1};
    struct opl_err err = {0};

    if (opl_gate_policy_parse((const char *)data, size, &policy, &err)) {
        FUZZ_CHECK(policy.name != NULL && policy.require_count > 0);
        FUZZ_CHECK(policy.require_count <= OPL_POLICY_REQUIREMENTS_MAX && policy.hold_s >= 0);
        (void)opl_gate_policy_applies(&policy, "config", "engaging/slurm", &manifest);
    } else {
        FUZZ_CHECK(err.code != OPL_OK && policy.root == NULL);
    }
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Armoured or not; what parses survives armouring, and nobody signed this other message. */
#include "fuzz.h"

#include <opledger/sshsig.h>

static void check_blob(const void *blob, size_t len)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf armor = {0};
    OPL_CLEANUP(opl_buf_close) struct opl_buf again = {0};
    struct opl_sshsig sig;

    if (!opl_sshsig_parse(blob, len, &sig, NULL))
        return;
    FUZZ_CHECK(!opl_sshsig_verify(&sig, "never signed", 12, sig.ssh_namespace, NULL));
    opl_sshsig_armor(blob, len, &armor);
    FUZZ_CHECK(opl_sshsig_dearmor(armor.data, armor.len, &again, NULL));
    FUZZ_CHECK(again.len == len && memcmp(again.data, blob, len) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf blob = {0};

    check_blob(data, size);
    if (opl_sshsig_dearmor((const char *)data, size, &blob, NULL))
        check_blob(opl_buf_text(&blob), blob.len);
    return 0;
}

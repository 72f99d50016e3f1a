/* SPDX-License-Identifier: Apache-2.0 */
/* A key that is read and written again is the same key, as a line and as a blob. */
#include "fuzz.h"

#include <opledger/sshkey.h>

static void check_key(const struct opl_sshkey *key)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf line = {0};
    OPL_CLEANUP(opl_buf_close) struct opl_buf blob = {0};
    char fingerprint[OPL_FINGERPRINT_SIZE];
    struct opl_sshkey again;

    opl_sshkey_line(key, &line);
    FUZZ_CHECK(opl_sshkey_parse(opl_buf_text(&line), &again, NULL));
    FUZZ_CHECK(opl_sshkey_equal(key, &again));
    opl_sshkey_write(key, &blob);
    FUZZ_CHECK(opl_sshkey_read(blob.data, blob.len, &again, NULL));
    FUZZ_CHECK(opl_sshkey_equal(key, &again));
    opl_sshkey_fingerprint(key, fingerprint);
    FUZZ_CHECK(strlen(fingerprint) == OPL_FINGERPRINT_SIZE - 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf line = {0};
    struct opl_sshkey key;

    opl_buf_add(&line, data, size);
    if (opl_sshkey_parse(opl_buf_text(&line), &key, NULL))
        check_key(&key);
    if (opl_sshkey_read(data, size, &key, NULL))
        check_key(&key);
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* A Statement and, after a line feed, its signature: a changed Statement never verifies. */
#include "fuzz.h"

#include <opledger/statement.h>

static void check_signature(const struct opl_statement *statement, const char *text, size_t len,
                            const char *sshsig)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf other = {0};
    char fingerprint[64];

    if (!opl_statement_verify(statement, text, sshsig, fingerprint, NULL))
        return;
    opl_buf_add(&other, text, len);
    other.data[len / 2] ^= 1;
    FUZZ_CHECK(!opl_statement_verify(statement, other.data, sshsig, fingerprint, NULL));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    OPL_CLEANUP(opl_statement_close) struct opl_statement statement = {0};
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};
    const char *end = size > 0 ? memchr(data, '\n', size) : NULL;
    size_t len = end != NULL ? (size_t)(end - (const char *)data) : size;
    struct opl_err err = {0};

    opl_buf_add(&text, data, size);
    if (!opl_statement_parse(opl_buf_text(&text), len, &statement, &err)) {
        FUZZ_CHECK(err.code == OPL_E_INVALID && statement.root == NULL);
        return 0;
    }
    FUZZ_CHECK(statement.expires > statement.issued);
    if (end != NULL) {
        text.data[len] = '\0';
        check_signature(&statement, text.data, len, text.data + len + 1);
    }
    return 0;
}

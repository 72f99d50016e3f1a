/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes around a secret: whatever stands before and after, it does not get out. */
#include "fuzz.h"

#include "redacted.h"

#define SECRET "AKIAIOSFODNN7EXAMPLE"

/* On a line of its own, as a string that a call writes, or in a value: by the first byte. */
static void plant(struct opl_buf *text, uint8_t how)
{
    static const char *const forms[] = {
        "\nkey " SECRET " end\n",
        "\n7 04:43:43.1 write(1, \"\\n" SECRET "\\0\", 22) = 22\n",
        "\n{\"token\":\"" SECRET "\"}\n",
    };

    opl_buf_str(text, forms[how % 3]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};
    OPL_CLEANUP(redacted_close) struct redacted once = {0};
    size_t middle = size / 2;

    if (size == 0 || size > 65536)
        return 0;
    opl_buf_add(&text, data, middle);
    plant(&text, data[0]);
    opl_buf_add(&text, data + middle, size - middle);
    once = redacted_run(text.data, text.len, NULL);
    if (!once.ok) {
        FUZZ_CHECK((once.err.code == OPL_E_VERIFY || once.err.code == OPL_E_WRONG_STATE) &&
                   once.out.len == 0);
        return 0;
    }
    FUZZ_CHECK(!memmem(opl_buf_text(&once.out), once.out.len, "IOSFODNN", 8));
    return 0;
}

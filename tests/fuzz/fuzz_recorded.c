/* SPDX-License-Identifier: Apache-2.0 */
/* client/output.c: no byte of a recorded text reaches a terminal as a command. */
#include "fuzz.h"

#include <opledger/buf.h>

#include "client/output.h"

static void check(const struct opl_buf *out, enum output_form form)
{
    for (size_t i = 0; i < out->len; i++) {
        unsigned char byte = (unsigned char)out->data[i];

        if (byte == 0x7f || (byte < ' ' && !(byte == '\n' && form == OUTPUT_BLOCK)))
            abort();
        if (byte == 0xc2 && i + 1 < out->len && (unsigned char)out->data[i + 1] < 0xa0)
            abort(); /* C1, such as CSI */
        if (byte == '\n' && i + 1 < out->len && strncmp(out->data + i, "\n    | ", 7) != 0)
            abort(); /* a line without its gutter */
    }
    if (form == OUTPUT_CELL && out->len > 0 && strchr("=+-@", out->data[0]) != NULL)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (int form = OUTPUT_INLINE; form <= OUTPUT_CELL; form++) {
        OPL_CLEANUP(opl_buf_close) struct opl_buf out = {0};

        output_recorded(&out, (const char *)data, size, (enum output_form)form);
        check(&out, (enum output_form)form);
    }
    return 0;
}

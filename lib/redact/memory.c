/* SPDX-License-Identifier: Apache-2.0 */
/* Input and spools in memory, for texts that are known to be small. */
#include "run.h"

struct memory {
    const char *text;
    size_t len;
    struct opl_buf spools[2];
};

static void memory_close(struct memory *memory)
{
    opl_buf_wipe(&memory->spools[0]);
    opl_buf_wipe(&memory->spools[1]);
}

static bool read_input(void *ctx, uint64_t at, void *bytes, size_t len, struct opl_err *err)
{
    struct memory *memory = ctx;

    if (at > memory->len || len > memory->len - at)
        return opl_fail(err, OPL_E_INTERNAL, "a read beyond the input");
    memcpy(bytes, memory->text + at, len);
    return true;
}

static bool reset(void *ctx, int spool, struct opl_err *err)
{
    struct memory *memory = ctx;

    (void)err;
    opl_buf_reset(&memory->spools[spool]);
    return true;
}

static bool write_spool(void *ctx, int spool, const void *bytes, size_t len, struct opl_err *err)
{
    struct memory *memory = ctx;

    opl_buf_add(&memory->spools[spool], bytes, len);
    return opl_buf_ok(&memory->spools[spool], err);
}

static bool read_spool(void *ctx, int spool, uint64_t at, void *bytes, size_t len,
                       struct opl_err *err)
{
    struct memory *memory = ctx;

    if (at > memory->spools[spool].len || len > memory->spools[spool].len - at)
        return opl_fail(err, OPL_E_INTERNAL, "a read beyond the spool");
    memcpy(bytes, memory->spools[spool].data + at, len);
    return true;
}

bool opl_redact_text(struct opl_redact *redact, const char *text, size_t len, struct opl_buf *out,
                     struct opl_redact_result *result, struct opl_err *err)
{
    OPL_CLEANUP(memory_close) struct memory memory = {.text = text, .len = len};
    const struct opl_redact_io io = {.ctx = &memory,
                                     .size = len,
                                     .read = read_input,
                                     .out_reset = reset,
                                     .out_write = write_spool,
                                     .out_read = read_spool};

    if (!opl_redact_run(redact, &io, result, err))
        return false;
    opl_buf_add(out, opl_buf_text(&memory.spools[result->spool]), memory.spools[result->spool].len);
    return opl_buf_ok(out, err);
}

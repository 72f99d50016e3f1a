/* SPDX-License-Identifier: Apache-2.0 */
#include "filtered.h"

/* Counts down to a write that fails, as on a full disk. */
struct failing {
    const char *text;
    int writes;
};

static bool read_text(void *ctx, uint64_t at, void *bytes, size_t len, struct opl_err *err)
{
    (void)err;
    memset(bytes, 'a', len);
    memcpy(bytes, ((struct failing *)ctx)->text + at % 7, 8);
    ((char *)bytes)[len - 1] = '\n';
    return true;
}

static bool reset(void *ctx, int spool, struct opl_err *err)
{
    (void)ctx;
    (void)spool;
    (void)err;
    return true;
}

static bool write_some(void *ctx, int spool, const void *bytes, size_t len, struct opl_err *err)
{
    struct failing *failing = ctx;

    (void)spool;
    (void)bytes;
    (void)len;
    return --failing->writes > 0 || opl_fail(err, OPL_E_STORAGE, "the disk is full");
}

static void a_write_that_fails_in_the_middle_fails_the_run(void **state)
{
    for (int writes = 1; writes < 6; writes++) {
        const struct opl_redact_options options = {.context = "test"};
        struct failing failing = {"plain text of some length", writes};
        const struct opl_redact_io io = {.ctx = &failing,
                                         .size = 6u << 20,
                                         .read = read_text,
                                         .out_reset = reset,
                                         .out_write = write_some};
        struct opl_redact_result result;
        OPL_CLEANUP(opl_redact_freep)
        struct opl_redact *redact = opl_redact_new(redacted_rules(), &options, NULL);

        (void)state;
        assert_fails(opl_redact_run(redact, &io, &result, err), OPL_E_STORAGE);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_write_that_fails_in_the_middle_fails_the_run),
};

UNIT_MAIN(tests)

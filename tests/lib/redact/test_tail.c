/* SPDX-License-Identifier: Apache-2.0 */
#include "filtered.h"

#include <unistd.h>

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

/* A text in memory, and a disk that now and then takes its time. */
struct paced {
    const char *text;
    struct opl_buf out;
    unsigned pause_us, writes;
};

static bool read_paced(void *ctx, uint64_t at, void *bytes, size_t len, struct opl_err *err)
{
    struct paced *paced = ctx;

    (void)err;
    memcpy(bytes, paced->text + at, len);
    return true;
}

static bool write_paced(void *ctx, int spool, const void *bytes, size_t len, struct opl_err *err)
{
    struct paced *paced = ctx;

    (void)spool;
    if (paced->writes++ % 2 == 0)
        usleep(paced->pause_us);
    opl_buf_add(&paced->out, bytes, len);
    return opl_buf_ok(&paced->out, err);
}

static void run_paced(struct paced *paced, size_t len, struct opl_redact_result *result)
{
    const struct opl_redact_options options = {.context = "test"};
    const struct opl_redact_io io = {.ctx = paced,
                                     .size = len,
                                     .read = read_paced,
                                     .out_reset = reset,
                                     .out_write = write_paced};
    OPL_CLEANUP(opl_redact_freep)
    struct opl_redact *redact = opl_redact_new(redacted_rules(), &options, NULL);
    struct opl_err err = {0};

    assert_non_null(redact);
    assert_true(opl_redact_run(redact, &io, result, &err));
}

static void neither_output_nor_digests_depend_on_which_thread_waits(void **state)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};
    struct opl_redact_result fast, slow;
    struct paced paced[2] = {{.pause_us = 0}, {.pause_us = 30000}};
    struct opl_hash whole;

    (void)state;
    for (int i = 0; i < 60000; i++)
        opl_buf_fmt(&text, "%d UserId=user%d(%d) from 10.%d.2.3 mail a%d@cluster.example.edu\n", i,
                    i % 977, 1000 + i % 977, i % 256, i % 31);
    for (int i = 0; i < 2; i++)
        paced[i].text = opl_buf_text(&text);
    run_paced(&paced[0], text.len, &fast);
    run_paced(&paced[1], text.len, &slow);
    opl_sha256(text.data, text.len, &whole);
    assert_memory_equal(&fast.source_sha256, &whole, sizeof(whole));
    assert_memory_equal(&slow.source_sha256, &whole, sizeof(whole));
    assert_memory_equal(&fast.sha256, &slow.sha256, sizeof(whole));
    assert_int_equal(fast.spans, slow.spans);
    assert_int_equal(paced[0].out.len, paced[1].out.len);
    assert_memory_equal(paced[0].out.data, paced[1].out.data, paced[0].out.len);
    for (int i = 0; i < 2; i++)
        opl_buf_close(&paced[i].out);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(neither_output_nor_digests_depend_on_which_thread_waits),
    cmocka_unit_test(a_write_that_fails_in_the_middle_fails_the_run),
};

UNIT_MAIN(tests)

/* SPDX-License-Identifier: Apache-2.0 */
#include "filtered.h"

struct text {
    const char *bytes;
};

static bool read_text(void *ctx, uint64_t at, void *bytes, size_t len, struct opl_err *err)
{
    (void)err;
    memcpy(bytes, ((struct text *)ctx)->bytes + at, len);
    return true;
}

static void the_verify_pass_alone_finds_what_was_not_masked(void **state)
{
    struct text good = {"password=secret_bcdfghjklmnpqr x\n"},
                bad = {"ok\nkey AKIAIOSFODNN7EXAMPLE\n"};
    struct opl_redact_finding finding;

    (void)state;
    assert_true(
        opl_redact_verify(redacted_rules(), 0, read_text, &bad, strlen(bad.bytes), &finding, NULL));
    assert_int_equal(finding.count, 1);
    assert_int_equal(finding.at, 7);
    assert_string_equal(finding.rule, "aws-key-id");
    assert_true(opl_redact_verify(redacted_rules(), 0, read_text, &good, 3, &finding, NULL));
    assert_int_equal(finding.count, 0);
}

static void the_verify_pass_alone_agrees_with_the_filter(void **state)
{
    OPL_CLEANUP(redacted_close) struct redacted done = sample("slurmctld.strace");
    struct text out = {opl_buf_text(&done.out)};
    struct opl_redact_finding finding;

    (void)state;
    assert_true(
        opl_redact_verify(redacted_rules(), 0, read_text, &out, done.out.len, &finding, NULL));
    if (finding.count)
        fail_msg("%s at %llu", finding.rule, (unsigned long long)finding.at);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_verify_pass_alone_finds_what_was_not_masked),
    cmocka_unit_test(the_verify_pass_alone_agrees_with_the_filter),
};

UNIT_MAIN(tests)

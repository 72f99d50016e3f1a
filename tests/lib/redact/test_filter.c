/* SPDX-License-Identifier: Apache-2.0 */
/* The samples, whole. */
#include "filtered.h"

#include <opledger/encode.h>

static void escaped(const char *value, const char *format, struct opl_buf *out)
{
    for (; *value; value++)
        opl_buf_fmt(out,
                    *format == 'o'   ? "\\%o"
                    : *format == 'x' ? "\\x%02x"
                                     : "%02x",
                    (unsigned)(unsigned char)*value);
}

static void assert_no_encoding(const struct redacted *done, const char *value)
{
    static const char *const formats[] = {"o", "x", "h"};
    OPL_CLEANUP(opl_buf_close) struct opl_buf base64 = {0};

    for (size_t i = 0; i < 3; i++) {
        OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};

        escaped(value, formats[i], &text);
        assert_false(has(done, opl_buf_text(&text)));
    }
    for (size_t shift = 0; shift < 3; shift++) {
        char padded[512] = "\0\0\0", *text;

        memcpy(padded + shift, value, strlen(value));
        opl_buf_reset(&base64);
        opl_buf_base64(&base64, padded, strlen(value) + shift);
        text = base64.data + (shift ? shift + 1 : 0);
        text[(strlen(value) - 2) * 4 / 3 - 2] = 0;
        assert_false(has(done, text));
    }
}

static void no_secret_of_the_sample_survives_in_any_encoding(void **state)
{
    OPL_CLEANUP(redacted_close) struct redacted done = sample("slurmctld.strace");
    OPL_CLEANUP(opl_buf_close) struct opl_buf secrets = redacted_file(SAMPLES "secrets.txt");
    char *rest = secrets.data, *line;

    (void)state;
    assert_true(done.ok);
    while ((line = strsep(&rest, "\n")) && *line) {
        char part[16] = "";

        assert_no_encoding(&done, line);
        for (size_t at = 0; at + 8 <= strlen(line); at++) {
            memcpy(part, line + at, 8);
            if (has(&done, part))
                fail_msg("eight bytes of %s survive", line);
        }
    }
}

static void no_identity_of_the_samples_survives(void **state)
{
    static const char *const files[] = {"slurmctld.strace", "slurmctld.log", "slurm.conf"};
    static const char *const names[] = {"alice", "bkim",    "mgmt01",   "db01",  "cluster.example",
                                        "1001",  "MUNGE:A", "169.254.", "10.88."};

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        OPL_CLEANUP(redacted_close) struct redacted done = sample(files[i]);

        assert_true(done.ok);
        for (size_t j = 0; j < sizeof(names) / sizeof(names[0]); j++) {
            bool number = names[j][0] == '1' && names[j][3] == '1';

            if (number ? has(&done, "UID=1001") || has(&done, "uid=1001") || has(&done, ":1001:")
                       : has(&done, names[j]))
                fail_msg("%s survives in %s", names[j], files[i]);
        }
    }
}

static void the_structure_of_the_sample_stays(void **state)
{
    static const char *const kept[] = {"\n",       ") = 0\n",   "futex(",      "= 4096\n",
                                       "iov_len=", "recvfrom(", "<unfinished", "resumed>",
                                       "2466",     "04:43:4",   "= -1 EAGAIN", "127.0.0.1:"};
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = redacted_file(SAMPLES "slurmctld.strace");
    OPL_CLEANUP(redacted_close) struct redacted done = sample("slurmctld.strace");

    (void)state;
    for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++)
        assert_int_equal(count(&done.out, kept[i]), count(&text, kept[i]));
}

static void a_second_pass_over_the_samples_changes_nothing(void **state)
{
    static const char *const files[] = {"slurmctld.strace", "slurmctld.log", "slurm.conf"};

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        OPL_CLEANUP(redacted_close) struct redacted once = sample(files[i]);
        OPL_CLEANUP(redacted_close)
        struct redacted twice = redacted_run(once.out.data, once.out.len, NULL);

        assert_true(twice.ok);
        assert_string_equal(opl_buf_text(&twice.out), opl_buf_text(&once.out));
    }
}

static void users_text_may_pass_where_the_destination_says_so(void **state)
{
    static const char text[] =
        LINE("execve(\"/usr/bin/mysql\", [\"mysql\", \"-phunter22\", \"plain\"], 0x7) = 0");
    const struct opl_redact_options options = {.context = "test",
                                               .unmasked = OPL_RULES_BIT(OPL_RULES_USERTEXT)};
    OPL_CLEANUP(redacted_close)
    struct redacted done = redacted_run(text, strlen(text), &options);

    (void)state;
    assert_true(done.ok);
    assert_true(has(&done, "plain"));
    assert_false(has(&done, "hunter22"));
}

static void secrets_pass_nowhere(void **state)
{
    static const char text[] = "password=hunter22\n";
    const struct opl_redact_options options = {.context = "test", .unmasked = ~0u};
    OPL_CLEANUP(redacted_close)
    struct redacted done = redacted_run(text, strlen(text), &options);

    (void)state;
    assert_true(done.ok);
    assert_false(has(&done, "hunter22"));
}

static void another_context_has_other_tokens(void **state)
{
    static const char text[] = "UserId=zed(1234)\n";
    const struct opl_redact_options other = {.context = "incident:inc-2"};
    OPL_CLEANUP(redacted_close) struct redacted here = run(text);
    OPL_CLEANUP(redacted_close) struct redacted there = redacted_run(text, strlen(text), &other);

    (void)state;
    assert_string_not_equal(opl_buf_text(&here.out), opl_buf_text(&there.out));
}

static void when_verify_keeps_finding_nothing_is_released(void **state)
{
    static const char text[] = "anything\n";
    const struct opl_redact_options options = {.context = "test", .fault = OPL_FAULT_VERIFY};
    OPL_CLEANUP(redacted_close)
    struct redacted done = redacted_run(text, strlen(text), &options);

    (void)state;
    assert_false(done.ok);
    assert_int_equal(done.err.code, OPL_E_VERIFY);
    assert_int_equal(done.out.len, 0);
}

static void an_engine_error_masks_instead_of_passing(void **state)
{
    static const char text[] = "x password=hunter22\n";
    const struct opl_redact_options options = {.context = "test", .fault = OPL_FAULT_ENGINE};
    OPL_CLEANUP(redacted_close)
    struct redacted done = redacted_run(text, strlen(text), &options);

    (void)state;
    assert_false(has(&done, "hunter22"));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(no_secret_of_the_sample_survives_in_any_encoding),
    cmocka_unit_test(no_identity_of_the_samples_survives),
    cmocka_unit_test(the_structure_of_the_sample_stays),
    cmocka_unit_test(a_second_pass_over_the_samples_changes_nothing),
    cmocka_unit_test(users_text_may_pass_where_the_destination_says_so),
    cmocka_unit_test(secrets_pass_nowhere),
    cmocka_unit_test(another_context_has_other_tokens),
    cmocka_unit_test(when_verify_keeps_finding_nothing_is_released),
    cmocka_unit_test(an_engine_error_masks_instead_of_passing),
};

UNIT_MAIN(tests)

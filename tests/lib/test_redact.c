/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <opledger/encode.h>
#include <opledger/json.h>

#include "redacted.h"

#define SAMPLES SOURCE_DIR "/tests/e2e/samples/"
#define LINE(call) "77 04:43:43.630618 " call "\n"

static struct redacted run(const char *text)
{
    return redacted_run(text, strlen(text), NULL);
}

static bool has(const struct redacted *redacted, const char *text)
{
    return strstr(opl_buf_text(&redacted->out), text) != NULL;
}

static void assert_gone(const char *text, const char *value)
{
    OPL_CLEANUP(redacted_close) struct redacted done = run(text);

    assert_true(done.ok);
    if (has(&done, value))
        fail_msg("%s survives in %s", value, opl_buf_text(&done.out));
}

static void assert_kept(const char *text)
{
    OPL_CLEANUP(redacted_close) struct redacted done = run(text);

    assert_true(done.ok);
    assert_string_equal(opl_buf_text(&done.out), text);
}

/* ---- the sample ---- */

static struct redacted sample(const char *name)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};
    OPL_CLEANUP(opl_buf_close) struct opl_buf path = {0};

    opl_buf_fmt(&path, SAMPLES "%s", name);
    text = redacted_file(opl_buf_text(&path));
    assert_true(text.len > 0);
    return redacted_run(text.data, text.len, NULL);
}

/* Every byte as an escape of the width that a format gives it. */
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

static size_t count(const struct opl_buf *text, const char *what)
{
    size_t n = 0;

    for (const char *at = text->data; (at = strstr(at, what)); at++)
        n++;
    return n;
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

/* ---- decoding ---- */

static void a_token_after_an_escape_is_seen(void **state)
{
    (void)state;
    assert_gone(LINE("write(1, \"\\nAKIAIOSFODNN7EXAMPLE\\0\", 22) = 22"), "AKIAIOSFODNN");
    assert_gone(LINE("write(1, \"\\tAKIAIOSFODNN7EXAMPLE\"..., 4096) = 4096"), "AKIAIOSFODNN");
}

static void a_token_in_hexadecimal_escapes_is_seen(void **state)
{
    (void)state;
    assert_gone(LINE("write(1, \"\\x41\\x4b\\x49\\x41\\x49\\x4f\\x53\\x46\\x4f\\x44\\x4e\\x4e\\x37"
                     "\\x45\\x58\\x41\\x4d\\x50\\x4c\\x45\", 20) = 20"),
                "\\x4f\\x53\\x46\\x4f\\x44\\x4e\\x4e");
}

static void a_secret_over_two_vectors_is_seen(void **state)
{
    (void)state;
    assert_gone(
        LINE("writev(1, [{iov_base=\"pass\", iov_len=4}, {iov_base=\"word=hun\", iov_len=8},"
             " {iov_base=\"ter22 x\", iov_len=7}], 3) = 19"),
        "hun");
}

static void a_secret_read_byte_by_byte_is_seen(void **state)
{
    static const char secret[] = "token=s3cr3tv4lue ";
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};
    OPL_CLEANUP(redacted_close) struct redacted done = {0};

    (void)state;
    for (const char *byte = secret; *byte; byte++)
        opl_buf_fmt(&text, LINE("read(0, \"%c\", 1) = 1"), *byte);
    done = run(opl_buf_text(&text));
    assert_true(done.ok);
    assert_false(has(&done, "read(0, \"3\", 1)"));
    assert_true(has(&done, "read(0, \"t\", 1)"));
}

static void strings_of_a_line_that_resumes_are_taken_by_pid(void **state)
{
    (void)state;
    assert_gone("5 04:43:43.630618 read(9<TCP:[10.0.0.1:40000->10.0.0.2:6817]>,  <unfinished ...>\n"
                "6 04:43:43.630619 getpid() = 6\n"
                "5 04:43:43.630620 <... read resumed>\"\\0\\1job of zed\", 4096) = 12\n",
                "job of zed");
}

static void a_resumed_read_of_nobody_knows_what_is_masked(void **state)
{
    (void)state;
    assert_gone("5 04:43:43.630620 <... read resumed>\"private\", 4096) = 7\n", "private");
}

static void lines_that_are_no_calls_are_plain(void **state)
{
    (void)state;
    assert_gone(LINE("getpid() = 77") LINE("getpid() = 77") "error: password=hunter22 refused\n",
                "hunter22");
}

static void the_hexadecimal_dump_of_a_read_is_masked(void **state)
{
    (void)state;
    assert_gone(LINE("read(0, \"x\", 16) = 16") " | 00000  68 75 6e 74 65 72 32 32  0a             "
                                                "          hunter22.        |\n",
                "hunter22");
}

/* ---- payloads and users' text ---- */

static void payloads_of_binary_protocols_are_masked_whole(void **state)
{
    static const char *const ports[] = {"88", "389", "636", "3306", "5432", "6817", "6818", "6819"};

    (void)state;
    for (size_t i = 0; i < sizeof(ports) / sizeof(ports[0]); i++) {
        OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};

        opl_buf_fmt(&text,
                    LINE("sendto(3<TCP:[127.0.0.1:40000->127.0.0.1:%s]>, \"private\", 7, 0, "
                         "NULL, 0) = 7"),
                    ports[i]);
        assert_gone(opl_buf_text(&text), "private");
    }
}

static void a_munge_socket_is_known_by_its_connect(void **state)
{
    (void)state;
    assert_gone(LINE("connect(11<UNIX-STREAM:[78810]>, {sa_family=AF_UNIX, "
                     "sun_path=\"/run/munge/munge.socket.2\"}, 110) = 0")
                    LINE("write(11<UNIX-STREAM:[78810->78802]>, \"private\", 7) = 7"),
                "private");
    assert_gone(LINE("connect(11, {sa_family=AF_UNIX, sun_path=\"/run/munge/munge.socket.2\"}, 110)"
                     " = 0") LINE("write(11, \"private\", 7) = 7"),
                "private");
}

static void job_scripts_and_arguments_are_replaced_whole(void **state)
{
    (void)state;
    assert_gone(LINE("write(3</var/spool/hash.1/job.1/script>, \"echo private\", 12) = 12"),
                "private");
    assert_gone(LINE("execve(\"/bin/echo\", [\"echo\", \"private\"], 0x7ff /* 3 vars */) = 0"),
                "private");
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

/* ---- identity ---- */

static void a_learned_name_is_masked_everywhere(void **state)
{
    (void)state;
    assert_gone("zed was here\nUserId=zed(1234) GroupId=zed(1234)\n", "zed");
}

static void a_name_that_is_a_word_is_masked_in_its_place_only(void **state)
{
    OPL_CLEANUP(redacted_close) struct redacted done = run("UserId=write(1234) write failed\n");

    (void)state;
    assert_true(has(&done, " write failed"));
    assert_false(has(&done, "=write("));
    assert_true(done.result.weak > 0);
}

static void name_and_uid_have_the_same_letters(void **state)
{
    OPL_CLEANUP(redacted_close) struct redacted done = run("UserId=zed(1234) uid=1234\n");
    const char *user = strstr(opl_buf_text(&done.out), "user_");
    const char *uid = strstr(opl_buf_text(&done.out), "uid_");

    (void)state;
    assert_non_null(user);
    assert_non_null(uid);
    assert_memory_equal(user + 5, uid + 4, 14);
}

static void short_name_and_fqdn_have_one_token(void **state)
{
    OPL_CLEANUP(redacted_close)
    struct redacted done = run("10.0.0.5 mgmt05.cluster.example.edu mgmt05\nping mgmt05\nssh "
                               "mgmt05.cluster.example.edu\n");
    const char *text = opl_buf_text(&done.out);
    const char *first = strstr(text, "ping ") + 5, *second = strstr(text, "ssh ") + 4;

    (void)state;
    assert_memory_equal(first, "host_", 5);
    assert_memory_equal(first, second, 21);
}

static void a_hostlist_keeps_its_digits_and_ranges(void **state)
{
    OPL_CLEANUP(redacted_close)
    struct redacted done = run("NodeList=rack[0-63]_blade[001-041,7] x\n");

    (void)state;
    assert_true(has(&done, "[0-63]"));
    assert_true(has(&done, "[001-041,7] x"));
    assert_false(has(&done, "blade"));
}

static void loopback_netmasks_and_versions_stay(void **state)
{
    (void)state;
    assert_kept(
        "127.0.0.1:6817 0.0.0.0 255.255.255.0 v4.18.0.30 ::1 std::vector 04:43:43.630618\n");
}

static void addresses_of_one_network_share_a_token(void **state)
{
    OPL_CLEANUP(redacted_close) struct redacted done = run("192.0.2.1 192.0.2.9 198.51.100.1\n");
    const char *text = opl_buf_text(&done.out);
    const char *second = strstr(text + 1, " net_") + 1, *third = strstr(second, " net_") + 1;

    (void)state;
    assert_memory_equal(text, second, 18);
    assert_memory_not_equal(text, second, 36);
    assert_memory_not_equal(text, third, 18);
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

static void numbers_that_are_no_uids_stay(void **state)
{
    (void)state;
    assert_kept("JobId=1001 pid=1002 uid=0 gid=33 size=1001\n");
}

/* ---- failing closed ---- */

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

static void a_failing_self_test_stops_the_run(void **state)
{
    const struct opl_redact_options options = {.context = "test", .fault = OPL_FAULT_SELFTEST};
    OPL_CLEANUP(redacted_close) struct redacted done = redacted_run("x\n", 2, &options);

    (void)state;
    assert_false(done.ok);
    assert_int_equal(done.err.code, OPL_E_INTERNAL);
}

static void a_value_seen_later_in_another_encoding_is_mended(void **state)
{
    OPL_CLEANUP(redacted_close)
    struct redacted done = run("x 68756e74657232322173616665 y\npassword=hunter22!safe\n");

    (void)state;
    assert_true(done.ok);
    assert_int_equal(done.result.rounds, 2);
    assert_false(has(&done, "68756e7465"));
}

static void a_record_longer_than_a_window_is_masked_whole(void **state)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};
    OPL_CLEANUP(redacted_close) struct redacted done = {0};
    const struct opl_redact_options options = {.context = "test", .format = OPL_FORMAT_STRACE};

    (void)state;
    opl_buf_str(&text, "77 04:43:43.630618 write(1, \"");
    for (int i = 0; i < 300000; i++)
        opl_buf_str(&text, "abcdefgh");
    opl_buf_str(&text, "\", 9) = 9\n");
    opl_buf_str(&text, LINE("getpid() = 77"));
    done = redacted_run(text.data, text.len, &options);
    assert_true(done.ok);
    assert_false(has(&done, "abcdefgh"));
    assert_true(has(&done, LINE("getpid() = 77")));
    assert_true(done.result.unscannable > 0);
}

static void a_secret_across_the_end_of_a_window_is_seen(void **state)
{
    (void)state;
    for (size_t before = 1048576 - 70000; before < 1048576 + 40; before += 6007) {
        OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};
        OPL_CLEANUP(redacted_close) struct redacted done = {0};

        while (text.len < before)
            opl_buf_str(&text, "lorem ipsum ");
        opl_buf_str(&text, "password=hunter22hunter22 ");
        while (text.len < 1300000)
            opl_buf_str(&text, "dolor sit ");
        done = redacted_run(text.data, text.len, NULL);
        assert_true(done.ok);
        assert_false(has(&done, "hunter22"));
    }
}

static void a_key_without_its_end_is_masked(void **state)
{
    OPL_CLEANUP(redacted_close)
    struct redacted done = run("-----BEGIN RSA PRIVATE KEY-----\n"
                               "MIIEowIBAAKCAQEAxhqcG6qvH0b3Xv2m6kq3dZg0kq3dZg0kq3dZg0kq3dZg0abc\n"
                               "qvH0b3Xv2m6kq3dZg0kq3dZg0kq3dZg0kq3dZg0abcMIIEowIBAAKCAQEAxhqcG6\n"
                               "[2026-12-01] plain words go on here\n");

    (void)state;
    assert_false(has(&done, "kq3dZg0"));
    assert_true(has(&done, "plain words go on here"));
    assert_int_equal(count(&done.out, "\n"), 4);
}

/* ---- the account ---- */

static void the_manifest_has_the_fields_of_the_contract(void **state)
{
    static const char *const fields[] = {"type",    "v",       "rules",     "engine",      "key_id",
                                         "context", "format",  "source",    "output",      "hits",
                                         "spans",   "decoded", "truncated", "unscannable", "weak",
                                         "verify",  "started", "finished"};
    OPL_CLEANUP(redacted_close) struct redacted done = run("a password=hunter22 b\n");
    OPL_CLEANUP(opl_buf_close) struct opl_buf canonical = {0};
    json_t *span = json_array_get(json_object_get(done.manifest, "spans"), 0);

    (void)state;
    assert_int_equal(json_object_size(done.manifest), sizeof(fields) / sizeof(fields[0]));
    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
        assert_non_null(json_object_get(done.manifest, fields[i]));
    assert_true(opl_json_canonical(done.manifest, &canonical, NULL));
    assert_null(strstr(opl_buf_text(&canonical), "hunter22"));
    assert_int_equal(json_integer_value(json_array_get(span, 0)), 11);
    assert_int_equal(json_integer_value(json_array_get(span, 1)), 19);
    assert_int_equal(json_integer_value(json_array_get(span, 2)), 11);
    assert_int_equal(json_integer_value(json_array_get(span, 3)), 32);
}

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_secret_of_the_sample_survives_in_any_encoding),
        cmocka_unit_test(no_identity_of_the_samples_survives),
        cmocka_unit_test(the_structure_of_the_sample_stays),
        cmocka_unit_test(a_second_pass_over_the_samples_changes_nothing),
        cmocka_unit_test(a_token_after_an_escape_is_seen),
        cmocka_unit_test(a_token_in_hexadecimal_escapes_is_seen),
        cmocka_unit_test(a_secret_over_two_vectors_is_seen),
        cmocka_unit_test(a_secret_read_byte_by_byte_is_seen),
        cmocka_unit_test(strings_of_a_line_that_resumes_are_taken_by_pid),
        cmocka_unit_test(a_resumed_read_of_nobody_knows_what_is_masked),
        cmocka_unit_test(lines_that_are_no_calls_are_plain),
        cmocka_unit_test(the_hexadecimal_dump_of_a_read_is_masked),
        cmocka_unit_test(payloads_of_binary_protocols_are_masked_whole),
        cmocka_unit_test(a_munge_socket_is_known_by_its_connect),
        cmocka_unit_test(job_scripts_and_arguments_are_replaced_whole),
        cmocka_unit_test(users_text_may_pass_where_the_destination_says_so),
        cmocka_unit_test(secrets_pass_nowhere),
        cmocka_unit_test(a_learned_name_is_masked_everywhere),
        cmocka_unit_test(a_name_that_is_a_word_is_masked_in_its_place_only),
        cmocka_unit_test(name_and_uid_have_the_same_letters),
        cmocka_unit_test(short_name_and_fqdn_have_one_token),
        cmocka_unit_test(a_hostlist_keeps_its_digits_and_ranges),
        cmocka_unit_test(loopback_netmasks_and_versions_stay),
        cmocka_unit_test(addresses_of_one_network_share_a_token),
        cmocka_unit_test(another_context_has_other_tokens),
        cmocka_unit_test(numbers_that_are_no_uids_stay),
        cmocka_unit_test(when_verify_keeps_finding_nothing_is_released),
        cmocka_unit_test(an_engine_error_masks_instead_of_passing),
        cmocka_unit_test(a_failing_self_test_stops_the_run),
        cmocka_unit_test(a_value_seen_later_in_another_encoding_is_mended),
        cmocka_unit_test(a_record_longer_than_a_window_is_masked_whole),
        cmocka_unit_test(a_secret_across_the_end_of_a_window_is_seen),
        cmocka_unit_test(a_key_without_its_end_is_masked),
        cmocka_unit_test(the_manifest_has_the_fields_of_the_contract),
        cmocka_unit_test(the_verify_pass_alone_finds_what_was_not_masked),
        cmocka_unit_test(the_verify_pass_alone_agrees_with_the_filter),
    };
    return opl_crypto_init(NULL) ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include <opledger/encode.h>
#include <opledger/sshkey.h>

#define ED "AAAAC3NzaC1lZDI1NTE5AAAAIEsZp8ZEx37omlmIeani6y/nDud9A7xItr6CUr29M6cx"
#define CERT                                                                                       \
    "AAAAIHNzaC1lZDI1NTE5LWNlcnQtdjAxQG9wZW5zc2guY29tAAAAIAIIqDyQ6T3JEv4BAnlUTCJNSQFQ"             \
    "CelsiFj3aLq1sHBBAAAAIEm4ShLOXzHBFHbjtodfgqx5HmVQiknOl1RgR+407kmFAAAAAAAAAAAAAAAB"             \
    "AAAAAmlkAAAABgAAAAJtZQAAAAAAAAAA//////////8AAAAAAAAAggAAABVwZXJtaXQtWDExLWZvcndh"             \
    "cmRpbmcAAAAAAAAAF3Blcm1pdC1hZ2VudC1mb3J3YXJkaW5nAAAAAAAAABZwZXJtaXQtcG9ydC1mb3J3"             \
    "YXJkaW5nAAAAAAAAAApwZXJtaXQtcHR5AAAAAAAAAA5wZXJtaXQtdXNlci1yYwAAAAAAAAAAAAAAMwAA"             \
    "AAtzc2gtZWQyNTUxOQAAACBJuEoSzl8xwRR247aHX4KseR5lUIpJzpdUYEfuNO5JhQAAAFMAAAALc3No"             \
    "LWVkMjU1MTkAAABAwVHWBURX6kcIk6eIfbE1pBUBxNUnvImxs9aV7MwjoIoYWiudh9rSbiIhCmximnR3"             \
    "n5PbXMxivMo5hNkoIj57DQ=="
#define SK                                                                                         \
    "AAAAGnNrLXNzaC1lZDI1NTE5QG9wZW5zc2guY29tAAAAIOpKbGPinFIKvvVQexMuxfmVR3auvr57kkIe6mkURtIsAAAA" \
    "BHNzaDo="

static struct opl_sshkey key_of(const char *line)
{
    struct opl_sshkey key = {0};

    assert_ok(opl_sshkey_parse(line, &key, err));
    return key;
}

static void a_software_key_is_read_as_ssh_keygen_shows_it(void **state)
{
    struct opl_sshkey key = key_of("ssh-ed25519 " ED " alice@login1 of the cluster\n");
    OPL_CLEANUP(opl_buf_close) struct opl_buf line = {0};
    char fingerprint[OPL_FINGERPRINT_SIZE];

    (void)state;
    assert_int_equal(key.type, OPL_SSHKEY_ED25519);
    assert_string_equal(key.application, "");
    opl_sshkey_fingerprint(&key, fingerprint);
    assert_string_equal(fingerprint, "SHA256:IeWg30MoMHNRXvnEyhtWxGkjelscE1CnvLmzIo6GTCY");
    opl_sshkey_line(&key, &line);
    assert_string_equal(opl_buf_text(&line), "ssh-ed25519 " ED);
}

static void a_token_key_is_read_with_its_application(void **state)
{
    struct opl_sshkey key = key_of("sk-ssh-ed25519@openssh.com\t" SK);
    OPL_CLEANUP(opl_buf_close) struct opl_buf line = {0};
    char fingerprint[OPL_FINGERPRINT_SIZE];

    (void)state;
    assert_int_equal(key.type, OPL_SSHKEY_SK_ED25519);
    assert_string_equal(key.application, "ssh:");
    opl_sshkey_fingerprint(&key, fingerprint);
    assert_string_equal(fingerprint, "SHA256:u3XYI8FD0iAKicuev894GMPS487mPAsIuB8xtsnAOWA");
    opl_sshkey_line(&key, &line);
    assert_string_equal(opl_buf_text(&line), "sk-ssh-ed25519@openssh.com " SK);
}

static void the_wire_form_survives_the_round_trip(void **state)
{
    struct opl_sshkey key = key_of("sk-ssh-ed25519@openssh.com " SK), again;
    OPL_CLEANUP(opl_buf_close) struct opl_buf blob = {0};

    (void)state;
    opl_sshkey_write(&key, &blob);
    assert_int_equal(blob.len, 74);
    assert_ok(opl_sshkey_read(blob.data, blob.len, &again, err));
    assert_true(opl_sshkey_equal(&key, &again));
    for (size_t len = 0; len < blob.len; len++)
        assert_fails(opl_sshkey_read(blob.data, len, &again, err), OPL_E_INVALID);
    opl_buf_chr(&blob, 0);
    assert_fails(opl_sshkey_read(blob.data, blob.len, &again, err), OPL_E_INVALID);
}

static void assert_says(const char *line, const char *word)
{
    struct opl_sshkey key;
    struct opl_err err = {0};

    assert_false(opl_sshkey_parse(line, &key, &err));
    assert_int_equal(err.code, OPL_E_INVALID);
    if (strstr(err.text, word) == NULL)
        fail_msg("\"%s\" does not say %s", err.text, word);
}

static void other_types_are_refused_by_name(void **state)
{
    (void)state;
    assert_says("ssh-rsa AAAAB3NzaC1yc2E= bob", "ssh-rsa");
    assert_says("ecdsa-sha2-nistp256 AAAA", "ecdsa-sha2-nistp256");
    assert_says("sk-ecdsa-sha2-nistp256@openssh.com AAAA", "sk-ecdsa");
    assert_says("ssh-dss AAAA", "ssh-dss");
    assert_says("ssh-ed25519-cert-v01@openssh.com " CERT, "certificates");
    assert_says("ssh-ed25519 " CERT, "certificates");
}

static void malformed_lines_are_refused(void **state)
{
    static const char *const bad[] = {
        "",
        "\n",
        "ssh-ed25519",
        "ssh-ed25519 ",
        " ssh-ed25519 " ED,
        "ssh-ed25519 " SK,
        "sk-ssh-ed25519@openssh.com " ED,
        "ssh-ed25519 " ED "\nssh-ed25519 " ED,
        "ssh-ed25519 " ED "\n\n",
        "ssh-ed25519 " ED "=",
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAH0sZp8ZEx37omlmIeani6y/nDud9A7xItr6CUr29M6==",
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5",
        "ssh-ed25519 ////////",
        "cert-authority ssh-ed25519 " ED,
        "namespaces=\"x\" ssh-ed25519 " ED,
    };
    struct opl_sshkey key;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct opl_err err = {0};

        if (opl_sshkey_parse(bad[i], &key, &err))
            fail_msg("row %zu is accepted", i);
        assert_int_equal(err.code, OPL_E_INVALID);
    }
}

static void a_line_too_long_is_refused(void **state)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf line = {0};
    struct opl_sshkey key;

    (void)state;
    opl_buf_str(&line, "ssh-ed25519 " ED " ");
    while (line.len < OPL_SSHKEY_LINE_MAX)
        opl_buf_chr(&line, 'c');
    assert_ok(opl_sshkey_parse(line.data, &key, err));
    opl_buf_chr(&line, 'c');
    assert_fails(opl_sshkey_parse(line.data, &key, err), OPL_E_INVALID);
}

static void keys_of_one_token_and_two_applications_differ(void **state)
{
    struct opl_sshkey a = key_of("sk-ssh-ed25519@openssh.com " SK), b = a, c = a;

    (void)state;
    (void)snprintf(b.application, sizeof b.application, "ssh:opledger");
    c.type = OPL_SSHKEY_ED25519;
    assert_false(opl_sshkey_equal(&a, &b));
    assert_false(opl_sshkey_equal(&a, &c));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_software_key_is_read_as_ssh_keygen_shows_it),
    cmocka_unit_test(a_token_key_is_read_with_its_application),
    cmocka_unit_test(the_wire_form_survives_the_round_trip),
    cmocka_unit_test(other_types_are_refused_by_name),
    cmocka_unit_test(malformed_lines_are_refused),
    cmocka_unit_test(a_line_too_long_is_refused),
    cmocka_unit_test(keys_of_one_token_and_two_applications_differ),
};

UNIT_MAIN(tests)

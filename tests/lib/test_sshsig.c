/* SPDX-License-Identifier: Apache-2.0 */
#include "vectors.h"

#include <opledger/sshsig.h>

#include "lib/ssh_wire.h"

#define SIG_HEADER "-----BEGIN SSH SIGNATURE-----\n"
#define SIG_FOOTER "-----END SSH SIGNATURE-----"

/* A signature of the vectors, taken apart so that single parts can be changed. */
struct parts {
    char bytes[1024];
    size_t len;
    uint32_t version;
    struct ssh_wire key, ssh_namespace, reserved, hash, sig;
};

static void load(const char *name, struct parts *out)
{
    OPL_CLEANUP(opl_json_freep) json_t *vectors = vectors_load("sshsig.json");
    const char *blob = vectors_str(json_object_get(vectors, name), "blob");
    struct ssh_wire wire;

    assert_ok(opl_base64_decode(blob, strlen(blob), out->bytes, sizeof out->bytes, &out->len, err));
    wire = (struct ssh_wire){(const uint8_t *)out->bytes + 6, out->len - 6};
    assert_true(ssh_wire_u32(&wire, &out->version) && ssh_wire_string(&wire, &out->key) &&
                ssh_wire_string(&wire, &out->ssh_namespace) &&
                ssh_wire_string(&wire, &out->reserved) && ssh_wire_string(&wire, &out->hash) &&
                ssh_wire_string(&wire, &out->sig));
}

static struct ssh_wire text(const char *text)
{
    return (struct ssh_wire){(const uint8_t *)text, strlen(text)};
}

static void write_parts(const struct parts *parts, struct opl_buf *out)
{
    opl_buf_reset(out);
    opl_buf_add(out, "SSHSIG", 6);
    opl_buf_u32(out, parts->version);
    ssh_wire_put(out, parts->key.at, parts->key.left);
    ssh_wire_put(out, parts->ssh_namespace.at, parts->ssh_namespace.left);
    ssh_wire_put(out, parts->reserved.at, parts->reserved.left);
    ssh_wire_put(out, parts->hash.at, parts->hash.left);
    ssh_wire_put(out, parts->sig.at, parts->sig.left);
}

static bool accepts(const void *blob, size_t len, const char *message, const char *ssh_namespace,
                    struct opl_err *err)
{
    struct opl_sshsig sig;

    return opl_sshsig_parse(blob, len, &sig, err) &&
           opl_sshsig_verify(&sig, message, strlen(message), ssh_namespace, err);
}

static void assert_refused(const struct parts *parts, enum opl_code code)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf blob = {0};

    write_parts(parts, &blob);
    assert_fails(accepts(blob.data, blob.len, "hello approval\n", "oplg-approval", err), code);
}

static void the_vector_of_a_software_key_verifies(void **state)
{
    OPL_CLEANUP(opl_json_freep) json_t *vectors = vectors_load("sshsig.json");
    struct opl_sshkey want;
    struct opl_sshsig sig;
    struct parts parts;

    (void)state;
    load("ed25519", &parts);
    assert_ok(opl_sshsig_parse(parts.bytes, parts.len, &sig, err));
    assert_ok(opl_sshsig_verify(&sig, "hello approval\n", 15, "oplg-approval", err));
    assert_ok(
        opl_sshkey_parse(vectors_str(json_object_get(vectors, "ed25519"), "key"), &want, err));
    assert_true(opl_sshkey_equal(&sig.key, &want));
    assert_string_equal(sig.hash_name, "sha512");
}

static void a_touched_token_s_signature_verifies(void **state)
{
    struct opl_sshsig sig;
    struct parts parts;

    (void)state;
    load("sk_touched", &parts);
    assert_ok(opl_sshsig_parse(parts.bytes, parts.len, &sig, err));
    assert_int_equal(sig.flags, OPL_SK_TOUCHED | OPL_SK_VERIFIED);
    assert_int_equal(sig.counter, 9);
    assert_string_equal(sig.key.application, "ssh:");
    assert_ok(opl_sshsig_verify(&sig, "hello approval\n", 15, "oplg-approval", err));
}

/* ssh-keygen accepts this one; a token that nobody touched proves no presence */
static void an_untouched_token_s_signature_is_refused(void **state)
{
    struct parts parts;

    (void)state;
    load("sk_untouched", &parts);
    assert_refused(&parts, OPL_E_SIGNATURE);
}

static void a_token_cannot_claim_to_have_been_touched(void **state)
{
    struct opl_sshsig sig;
    struct parts parts;

    (void)state;
    load("sk_untouched", &parts);
    assert_ok(opl_sshsig_parse(parts.bytes, parts.len, &sig, err));
    sig.flags = OPL_SK_TOUCHED;
    assert_fails(opl_sshsig_verify(&sig, "hello approval\n", 15, "oplg-approval", err),
                 OPL_E_SIGNATURE);
    sig.flags = OPL_SK_TOUCHED | 0x40;
    assert_fails(opl_sshsig_verify(&sig, "hello approval\n", 15, "oplg-approval", err),
                 OPL_E_SIGNATURE);
    sig.flags = OPL_SK_TOUCHED | 0x80;
    assert_fails(opl_sshsig_verify(&sig, "hello approval\n", 15, "oplg-approval", err),
                 OPL_E_SIGNATURE);
}

static void another_message_or_namespace_is_refused(void **state)
{
    struct parts parts;

    (void)state;
    load("ed25519", &parts);
    assert_fails(accepts(parts.bytes, parts.len, "hello approval", "oplg-approval", err),
                 OPL_E_SIGNATURE);
    assert_fails(accepts(parts.bytes, parts.len, "hello approval\n", "oplg-approva", err),
                 OPL_E_SIGNATURE);
    assert_fails(accepts(parts.bytes, parts.len, "hello approval\n", "file", err), OPL_E_SIGNATURE);
    assert_fails(accepts(parts.bytes, parts.len, "hello approval\n", "", err), OPL_E_SIGNATURE);
}

static void every_changed_byte_is_noticed(void **state)
{
    struct parts parts;

    (void)state;
    load("sk_touched", &parts);
    for (size_t i = 0; i < parts.len; i++) {
        parts.bytes[i] ^= 1;
        assert_false(accepts(parts.bytes, parts.len, "hello approval\n", "oplg-approval", NULL));
        parts.bytes[i] ^= 1;
    }
}

static void every_cut_is_noticed(void **state)
{
    struct parts parts;
    struct opl_sshsig sig;

    (void)state;
    load("sk_touched", &parts);
    for (size_t len = 0; len < parts.len; len++)
        assert_false(opl_sshsig_parse(parts.bytes, len, &sig, NULL));
}

static void versions_other_than_one_are_refused(void **state)
{
    struct parts parts;

    (void)state;
    load("ed25519", &parts);
    parts.version = 0;
    assert_refused(&parts, OPL_E_MALFORMED);
    parts.version = 2;
    assert_refused(&parts, OPL_E_MALFORMED);
}

static void a_namespace_put_in_its_place_is_refused(void **state)
{
    struct parts parts;

    (void)state;
    load("ed25519", &parts);
    parts.ssh_namespace = text("oplg-approvaL");
    assert_refused(&parts, OPL_E_SIGNATURE);
    parts.ssh_namespace = text("");
    assert_refused(&parts, OPL_E_MALFORMED);
}

static void a_reserved_field_in_use_is_refused(void **state)
{
    struct parts parts;

    (void)state;
    load("ed25519", &parts);
    parts.reserved = text("x");
    assert_refused(&parts, OPL_E_MALFORMED);
}

static void weak_or_other_hashes_are_refused(void **state)
{
    struct parts parts;

    (void)state;
    load("ed25519", &parts);
    parts.hash = text("sha1");
    assert_refused(&parts, OPL_E_SIGNATURE);
    parts.hash = text("sha256"); /* known, but not what was signed */
    assert_refused(&parts, OPL_E_SIGNATURE);
}

static void bytes_left_over_anywhere_are_refused(void **state)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf blob = {0};
    struct parts parts, longer;
    char copy[256];

    (void)state;
    load("ed25519", &parts);
    write_parts(&parts, &blob);
    opl_buf_chr(&blob, 0);
    assert_fails(accepts(blob.data, blob.len, "hello approval\n", "oplg-approval", err),
                 OPL_E_MALFORMED);

    longer = parts;
    memcpy(copy, parts.key.at, parts.key.left);
    copy[parts.key.left] = 0;
    longer.key = (struct ssh_wire){(const uint8_t *)copy, parts.key.left + 1};
    assert_refused(&longer, OPL_E_SIGNATURE);

    longer = parts;
    memcpy(copy, parts.sig.at, parts.sig.left);
    copy[parts.sig.left] = 0;
    longer.sig = (struct ssh_wire){(const uint8_t *)copy, parts.sig.left + 1};
    assert_refused(&longer, OPL_E_MALFORMED);
}

static void a_signature_of_63_bytes_is_refused(void **state)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf sig = {0};
    struct parts parts;

    (void)state;
    load("ed25519", &parts);
    ssh_wire_put(&sig, "ssh-ed25519", 11);
    ssh_wire_put(&sig, parts.sig.at + parts.sig.left - 64, 63);
    parts.sig = (struct ssh_wire){(const uint8_t *)sig.data, sig.len};
    assert_refused(&parts, OPL_E_MALFORMED);
}

static void key_and_signature_have_one_type(void **state)
{
    struct parts software, token;

    (void)state;
    load("ed25519", &software);
    load("sk_touched", &token);
    software.sig = token.sig;
    assert_refused(&software, OPL_E_MALFORMED);
}

static void keys_of_other_types_are_refused(void **state)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf key = {0};
    struct parts parts;

    (void)state;
    load("ed25519", &parts);
    ssh_wire_put(&key, "ssh-ed25519-cert-v01@openssh.com", 32);
    parts.key = (struct ssh_wire){(const uint8_t *)key.data, key.len};
    assert_refused(&parts, OPL_E_SIGNATURE);
}

static void armour_survives_the_round_trip(void **state)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf armor = {0};
    OPL_CLEANUP(opl_buf_close) struct opl_buf blob = {0};
    struct parts parts;

    (void)state;
    load("ed25519", &parts);
    opl_sshsig_armor(parts.bytes, parts.len, &armor);
    assert_ok(opl_sshsig_dearmor(armor.data, armor.len, &blob, err));
    assert_int_equal(blob.len, parts.len);
    assert_memory_equal(blob.data, parts.bytes, parts.len);
    opl_buf_reset(&blob);
    assert_ok(opl_sshsig_dearmor(armor.data, armor.len - 1, &blob, err)); /* no last newline */
}

static void malformed_armour_is_refused(void **state)
{
    static const char *const bad[] = {
        "",
        SIG_HEADER,
        SIG_HEADER SIG_FOOTER,
        " " SIG_HEADER "AAAA\n" SIG_FOOTER "\n",
        "text\n" SIG_HEADER "AAAA\n" SIG_FOOTER "\n",
        SIG_HEADER "AAAA" SIG_FOOTER "\n",
        SIG_HEADER "AAAA\n" SIG_FOOTER "\ntext\n",
        SIG_HEADER "AAAA\n" SIG_FOOTER "\n\n",
        SIG_HEADER "AA AA\n" SIG_FOOTER "\n",
        SIG_HEADER "AAAA\r\n" SIG_FOOTER "\r\n",
        SIG_HEADER "AAA\n" SIG_FOOTER "\n",
        SIG_HEADER "AAAA\n-----END SSH SIGNATURE----\n",
        "-----BEGIN SSH SIGNATURE-----\r\nAAAA\r\n" SIG_FOOTER "\r\n",
    };
    OPL_CLEANUP(opl_buf_close) struct opl_buf blob = {0};

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct opl_err err = {0};

        if (opl_sshsig_dearmor(bad[i], strlen(bad[i]), &blob, &err))
            fail_msg("row %zu is accepted", i);
        assert_int_equal(err.code, OPL_E_MALFORMED);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_vector_of_a_software_key_verifies),
    cmocka_unit_test(a_touched_token_s_signature_verifies),
    cmocka_unit_test(an_untouched_token_s_signature_is_refused),
    cmocka_unit_test(a_token_cannot_claim_to_have_been_touched),
    cmocka_unit_test(another_message_or_namespace_is_refused),
    cmocka_unit_test(every_changed_byte_is_noticed),
    cmocka_unit_test(every_cut_is_noticed),
    cmocka_unit_test(versions_other_than_one_are_refused),
    cmocka_unit_test(a_namespace_put_in_its_place_is_refused),
    cmocka_unit_test(a_reserved_field_in_use_is_refused),
    cmocka_unit_test(weak_or_other_hashes_are_refused),
    cmocka_unit_test(bytes_left_over_anywhere_are_refused),
    cmocka_unit_test(a_signature_of_63_bytes_is_refused),
    cmocka_unit_test(key_and_signature_have_one_type),
    cmocka_unit_test(keys_of_other_types_are_refused),
    cmocka_unit_test(armour_survives_the_round_trip),
    cmocka_unit_test(malformed_armour_is_refused),
};

UNIT_MAIN(tests)

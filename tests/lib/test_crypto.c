/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include <opledger/encode.h>

static void assert_hex(const void *bytes, size_t len, const char *want)
{
    char hex[129];

    opl_hex_encode(bytes, len, hex);
    assert_string_equal(hex, want);
}

static void sha256_agrees_with_fips_180(void **state)
{
    struct opl_hash hash;

    (void)state;
    opl_sha256("", 0, &hash);
    assert_hex(hash.b, 32, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    opl_sha256("abc", 3, &hash);
    assert_hex(hash.b, 32, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

static void sha256_in_pieces_is_the_same_and_reusable(void **state)
{
    OPL_CLEANUP(opl_sha256_freep) struct opl_sha256_ctx *ctx = opl_sha256_new();
    struct opl_hash whole, pieces;

    (void)state;
    opl_sha256("abc", 3, &whole);
    for (int i = 0; i < 2; i++) {
        opl_sha256_update(ctx, "a", 1);
        opl_sha256_update(ctx, "bc", 2);
        opl_sha256_final(ctx, &pieces);
        assert_true(opl_hash_equal(&whole, &pieces));
    }
}

static void sha512_agrees_with_fips_180(void **state)
{
    struct opl_sha512 hash;

    (void)state;
    opl_sha512("abc", 3, &hash);
    assert_hex(hash.b, 64,
               "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
               "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f");
}

static void ed25519_agrees_with_rfc_8032(void **state)
{
    struct opl_sign_seed seed;
    struct opl_sign_public key;
    struct opl_signature sig;

    (void)state;
    assert_ok(opl_hex_decode("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
                             seed.b, 32, err));
    opl_sign_public_from_seed(&seed, &key);
    assert_hex(key.b, 32, "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c");
    opl_sign(&seed, "\x72", 1, &sig);
    assert_hex(sig.b, 64,
               "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
               "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00");
    assert_true(opl_sign_verify(&key, "\x72", 1, &sig));
    assert_false(opl_sign_verify(&key, "\x73", 1, &sig));
    sig.b[0] ^= 1;
    assert_false(opl_sign_verify(&key, "\x72", 1, &sig));
}

static void sealed_bytes_open_only_unchanged_and_with_their_key(void **state)
{
    struct opl_key key, other;
    uint8_t sealed[OPL_SEAL_EXTRA + 5], plain[5] = {9, 9, 9, 9, 9};

    (void)state;
    opl_random(&key, sizeof key);
    opl_random(&other, sizeof other);
    opl_secret_seal(&key, "hello", 5, sealed);
    assert_fails(opl_secret_open(&other, sealed, sizeof sealed, plain, err), OPL_E_VERIFY);
    for (size_t i = 0; i < sizeof sealed; i++) {
        sealed[i] ^= 1;
        assert_fails(opl_secret_open(&key, sealed, sizeof sealed, plain, err), OPL_E_VERIFY);
        sealed[i] ^= 1;
    }
    assert_memory_equal(plain, "\11\11\11\11\11", 5);
    assert_fails(opl_secret_open(&key, sealed, OPL_SEAL_EXTRA - 1, plain, err), OPL_E_VERIFY);
    assert_ok(opl_secret_open(&key, sealed, sizeof sealed, plain, err));
    assert_memory_equal(plain, "hello", 5);
}

static void the_stream_is_its_own_inverse_and_differs_by_block(void **state)
{
    struct opl_key key;
    char one[] = "the same text", two[] = "the same text";

    (void)state;
    opl_random(&key, sizeof key);
    assert_ok(opl_stream_xor(&key, 0, one, sizeof one, err));
    assert_ok(opl_stream_xor(&key, 1, two, sizeof two, err));
    assert_memory_not_equal(one, two, sizeof one);
    assert_ok(opl_stream_xor(&key, 0, one, sizeof one, err));
    assert_string_equal(one, "the same text");
}

/* NIST SP 800-38A, F.5.5, has a counter that does not start at zero; the first block of a zero key
 * and counter is AES-256 of zeros. */
static void the_stream_is_aes_256_ctr(void **state)
{
    static const uint8_t zeros_encrypted[16] = {0xdc, 0x95, 0xc0, 0x78, 0xa2, 0x40, 0x89, 0x89,
                                                0xad, 0x48, 0xa2, 0x14, 0x92, 0x84, 0x20, 0x87};
    const struct opl_key key = {{0}};
    uint8_t bytes[16] = {0};

    (void)state;
    assert_ok(opl_stream_xor(&key, 0, bytes, sizeof bytes, err));
    assert_memory_equal(bytes, zeros_encrypted, sizeof bytes);
}

static void derived_keys_differ_by_label(void **state)
{
    struct opl_key key = {{1}}, a, b, again;

    (void)state;
    opl_key_derive(&key, "a", &a);
    opl_key_derive(&key, "b", &b);
    opl_key_derive(&key, "a", &again);
    assert_memory_not_equal(&a, &b, sizeof a);
    assert_true(opl_equal_ct(&a, &again, sizeof a));
}

static void secret_memory_can_be_had_and_freed(void **state)
{
    char *secret = opl_secret_alloc(32);

    (void)state;
    assert_non_null(secret);
    memset(secret, 1, 32);
    opl_wipe(secret, 32);
    assert_int_equal(secret[31], 0);
    opl_secret_free(secret);
    opl_secret_free(NULL);
    opl_sha256_free(NULL);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(sha256_agrees_with_fips_180),
    cmocka_unit_test(sha256_in_pieces_is_the_same_and_reusable),
    cmocka_unit_test(sha512_agrees_with_fips_180),
    cmocka_unit_test(ed25519_agrees_with_rfc_8032),
    cmocka_unit_test(sealed_bytes_open_only_unchanged_and_with_their_key),
    cmocka_unit_test(the_stream_is_its_own_inverse_and_differs_by_block),
    cmocka_unit_test(the_stream_is_aes_256_ctr),
    cmocka_unit_test(derived_keys_differ_by_label),
    cmocka_unit_test(secret_memory_can_be_had_and_freed),
};

UNIT_MAIN(tests)

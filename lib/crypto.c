/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SHA-256 goes through libcrypto's plain functions, not EVP: they need no memory, cannot fail and
 * do not look the algorithm up for each 64-byte tree node; the block function, with the processor's
 * SHA instructions, is the same.
 */
#include <opledger/crypto.h>

#include <assert.h>

#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/evp.h>
#include <openssl/sha.h>
#include <sodium.h>

#define STREAM_MAX (64u << 20)

struct opl_sha256_ctx {
    SHA256_CTX state;
};

bool opl_crypto_init(struct opl_err *err)
{
    if (sodium_init() < 0)
        return opl_fail(err, OPL_E_INTERNAL, "libsodium does not start");
    return true;
}

void opl_sha256(const void *bytes, size_t len, struct opl_hash *out)
{
    SHA256_CTX state;

    SHA256_Init(&state);
    SHA256_Update(&state, bytes, len);
    SHA256_Final(out->b, &state);
}

void opl_sha256_pair(const void *a, size_t a_len, const void *b, size_t b_len, struct opl_hash *out)
{
    SHA256_CTX state;

    SHA256_Init(&state);
    SHA256_Update(&state, a, a_len);
    SHA256_Update(&state, b, b_len);
    SHA256_Final(out->b, &state);
}

void opl_sha256_joined(const void *first, size_t first_len, const void *second, size_t second_len,
                       struct opl_hash *out)
{
    SHA256_CTX state;

    SHA256_Init(&state);
    SHA256_Update(&state, first, first_len);
    SHA256_Update(&state, second, second_len);
    SHA256_Final(out->b, &state);
}

struct opl_sha256_ctx *opl_sha256_new(void)
{
    struct opl_sha256_ctx *ctx = malloc(sizeof *ctx);

    if (ctx != NULL)
        SHA256_Init(&ctx->state);
    return ctx;
}

void opl_sha256_update(struct opl_sha256_ctx *ctx, const void *bytes, size_t len)
{
    SHA256_Update(&ctx->state, bytes, len);
}

void opl_sha256_final(struct opl_sha256_ctx *ctx, struct opl_hash *out)
{
    SHA256_Final(out->b, &ctx->state);
    SHA256_Init(&ctx->state);
}

void opl_sha256_free(struct opl_sha256_ctx *ctx)
{
    if (ctx == NULL)
        return;
    sodium_memzero(ctx, sizeof *ctx);
    free(ctx);
}

void opl_sha256_freep(struct opl_sha256_ctx **ctx)
{
    opl_sha256_free(*ctx);
    *ctx = NULL;
}

void opl_sha512(const void *bytes, size_t len, struct opl_sha512 *out)
{
    crypto_hash_sha512(out->b, bytes, len);
}

bool opl_hash_equal(const struct opl_hash *a, const struct opl_hash *b)
{
    return memcmp(a->b, b->b, sizeof a->b) == 0;
}

bool opl_equal_ct(const void *a, const void *b, size_t len)
{
    return sodium_memcmp(a, b, len) == 0;
}

void opl_sign_public_from_seed(const struct opl_sign_seed *seed, struct opl_sign_public *out)
{
    uint8_t secret[crypto_sign_SECRETKEYBYTES];

    crypto_sign_seed_keypair(out->b, secret, seed->b);
    sodium_memzero(secret, sizeof secret);
}

void opl_sign(const struct opl_sign_seed *seed, const void *msg, size_t len,
              struct opl_signature *out)
{
    uint8_t secret[crypto_sign_SECRETKEYBYTES];
    struct opl_sign_public key;

    crypto_sign_seed_keypair(key.b, secret, seed->b);
    crypto_sign_detached(out->b, NULL, msg, len, secret);
    sodium_memzero(secret, sizeof secret);
}

bool opl_sign_verify(const struct opl_sign_public *key, const void *msg, size_t len,
                     const struct opl_signature *sig)
{
    return crypto_sign_verify_detached(sig->b, msg, len, key->b) == 0;
}

void opl_keyed_hash(const struct opl_key *key, const void *bytes, size_t len, void *out,
                    size_t out_len)
{
    assert(out_len >= crypto_generichash_BYTES_MIN && out_len <= crypto_generichash_BYTES_MAX);
    (void)crypto_generichash(out, out_len, bytes, len, key->b, sizeof key->b);
}

void opl_key_derive(const struct opl_key *key, const char *label, struct opl_key *out)
{
    opl_keyed_hash(key, label, strlen(label), out->b, sizeof out->b);
}

void opl_random(void *out, size_t len)
{
    randombytes_buf(out, len);
}

_Static_assert(OPL_SEAL_EXTRA == crypto_secretbox_NONCEBYTES + crypto_secretbox_MACBYTES,
               "nonce and tag");

void opl_secret_seal(const struct opl_key *key, const void *plain, size_t len, uint8_t *out)
{
    randombytes_buf(out, crypto_secretbox_NONCEBYTES);
    crypto_secretbox_easy(out + crypto_secretbox_NONCEBYTES, plain, len, out, key->b);
}

bool opl_secret_open(const struct opl_key *key, const uint8_t *sealed, size_t len, uint8_t *out,
                     struct opl_err *err)
{
    if (len < OPL_SEAL_EXTRA)
        return opl_fail(err, OPL_E_VERIFY, "sealed bytes are too short: %zu", len);
    if (crypto_secretbox_open_easy(out, sealed + crypto_secretbox_NONCEBYTES,
                                   len - crypto_secretbox_NONCEBYTES, sealed, key->b) != 0)
        return opl_fail(err, OPL_E_VERIFY, "sealed bytes do not open: changed, or another key");
    return true;
}

static void cipher_freep(EVP_CIPHER_CTX **cipher)
{
    EVP_CIPHER_CTX_free(*cipher);
}

/* libcrypto's, since it uses the processor's AES instructions: three times libsodium's stream. */
bool opl_stream_xor(const struct opl_key *key, uint64_t index, void *bytes, size_t len,
                    struct opl_err *err)
{
    OPL_CLEANUP(cipher_freep) EVP_CIPHER_CTX *cipher = EVP_CIPHER_CTX_new();
    uint8_t counter[16] = {0}; /* the low half counts inside a block, the high half blocks */
    int done = 0;

    memcpy(counter, &index, sizeof index); /* never leaves this process: byte order is free */
    if (cipher != NULL && len <= STREAM_MAX &&
        EVP_EncryptInit_ex(cipher, EVP_aes_256_ctr(), NULL, key->b, counter) == 1 &&
        EVP_EncryptUpdate(cipher, bytes, &done, bytes, (int)len) == 1 && done == (int)len)
        return true;
    return opl_fail(err, OPL_E_INTERNAL, "the stream cipher failed");
}

void *opl_secret_alloc(size_t len)
{
    return sodium_malloc(len);
}

void opl_secret_free(void *secret)
{
    sodium_free(secret);
}

void opl_wipe(void *bytes, size_t len)
{
    sodium_memzero(bytes, len);
}

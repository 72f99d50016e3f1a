/* SPDX-License-Identifier: Apache-2.0 */
/*
 * crypto - the only door to libsodium and libcrypto.
 *
 * Bulk SHA-256 and the spools' AES come from libcrypto, which uses the processor's instructions for
 * them; everything else comes from libsodium. Every fixed-size value is a struct so that the compiler
 * checks its size.
 */
#ifndef OPLEDGER_CRYPTO_H
#define OPLEDGER_CRYPTO_H

#include <stdint.h>

#include <opledger/err.h>

struct opl_hash { /* a SHA-256 digest */
    uint8_t b[32];
};

struct opl_sha512 {
    uint8_t b[64];
};

struct opl_sign_public { /* Ed25519 public key, RFC 8032 */
    uint8_t b[32];
};

struct opl_sign_seed { /* Ed25519 private key as its 32-byte seed: secret */
    uint8_t b[32];
};

struct opl_signature { /* Ed25519 signature */
    uint8_t b[64];
};

struct opl_key { /* a symmetric key: secret */
    uint8_t b[32];
};

/* Must be called once before any other function here; OPL_E_INTERNAL when the library fails. */
OPL_MUST_CHECK bool opl_crypto_init(struct opl_err *err);

/* SHA-256 (FIPS 180-4), in one go and in pieces. */
void opl_sha256(const void *bytes, size_t len, struct opl_hash *out);

/* SHA-256 of one after the other; needs no memory. */
void opl_sha256_joined(const void *first, size_t first_len, const void *second, size_t second_len,
                       struct opl_hash *out);

/* Of two byte strings, one after the other. */
void opl_sha256_pair(const void *a, size_t a_len, const void *b, size_t b_len,
                     struct opl_hash *out);

struct opl_sha256_ctx;
struct opl_sha256_ctx *opl_sha256_new(void); /* NULL: no memory */
void opl_sha256_update(struct opl_sha256_ctx *ctx, const void *bytes, size_t len);
void opl_sha256_final(struct opl_sha256_ctx *ctx,
                      struct opl_hash *out); /* ctx can be reused after */
void opl_sha256_free(struct opl_sha256_ctx *ctx);
void opl_sha256_freep(struct opl_sha256_ctx **ctx);

void opl_sha512(const void *bytes, size_t len, struct opl_sha512 *out);

bool opl_hash_equal(const struct opl_hash *a, const struct opl_hash *b);

/* Compares in time that does not depend on the content. */
bool opl_equal_ct(const void *a, const void *b, size_t len);

/* Ed25519 (RFC 8032). */
void opl_sign_public_from_seed(const struct opl_sign_seed *seed, struct opl_sign_public *out);
void opl_sign(const struct opl_sign_seed *seed, const void *msg, size_t len,
              struct opl_signature *out);
bool opl_sign_verify(const struct opl_sign_public *key, const void *msg, size_t len,
                     const struct opl_signature *sig);

/* BLAKE2b with a 32-byte key and `out_len` (16 to 64) bytes of output. */
void opl_keyed_hash(const struct opl_key *key, const void *bytes, size_t len, void *out,
                    size_t out_len);

/* A key of its own for one purpose: BLAKE2b of the label under `key`. */
void opl_key_derive(const struct opl_key *key, const char *label, struct opl_key *out);

/* Bytes from the system's random source. */
void opl_random(void *out, size_t len);

/*
 * Authenticated encryption (XSalsa20-Poly1305). `out` of seal holds 24 + 16 + len bytes: nonce,
 * tag, ciphertext. open fails with OPL_E_VERIFY when one bit differs; then *out is untouched.
 */
#define OPL_SEAL_EXTRA 40
void opl_secret_seal(const struct opl_key *key, const void *plain, size_t len, uint8_t *out);
OPL_MUST_CHECK bool opl_secret_open(const struct opl_key *key, const uint8_t *sealed, size_t len,
                                    uint8_t *out, struct opl_err *err);

/*
 * AES-256-CTR keystream in place, for spools: block `index` of a file under one key, at most 64
 * MiB; its own inverse. On failure (OPL_E_INTERNAL) the bytes may be anything: do not use them.
 */
OPL_MUST_CHECK bool opl_stream_xor(const struct opl_key *key, uint64_t index, void *bytes,
                                   size_t len, struct opl_err *err);

/* Memory for secrets: locked, guarded, wiped when freed. NULL when there is none. */
void *opl_secret_alloc(size_t len);
void opl_secret_free(void *secret);

/* Overwrites, in a way that the compiler keeps. */
void opl_wipe(void *bytes, size_t len);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * encode - hexadecimal and base64, strict in both directions, and digests as text.
 *
 * Hexadecimal is lower case only. base64 is the standard alphabet with padding (RFC 4648 section
 * 4); bad padding, non-zero trailing bits and stray bytes are refused.
 */
#ifndef OPLEDGER_ENCODE_H
#define OPLEDGER_ENCODE_H

#include <opledger/buf.h>
#include <opledger/crypto.h>

#define OPL_HEX_LEN 64     /* hexadecimal digits of a digest */
#define OPL_HEX_SIZE 65    /* with the NUL */
#define OPL_DIGEST_SIZE 72 /* "sha256:" and 64 digits, with the NUL */

void opl_hex_encode(const void *bytes, size_t len, char *out); /* out: 2 * len + 1 */

/* Exactly `len` bytes from 2 * len digits and a NUL; OPL_E_MALFORMED otherwise. */
OPL_MUST_CHECK bool opl_hex_decode(const char *text, void *out, size_t len, struct opl_err *err);

/* Bytes that base64 of len bytes needs, with the NUL. */
#define OPL_BASE64_SIZE(len) (((len) + 2) / 3 * 4 + 1)

void opl_base64_encode(const void *bytes, size_t len, char *out);
void opl_buf_base64(struct opl_buf *buf, const void *bytes, size_t len);

/* Decodes text_len characters into at most max bytes; *len says how many. OPL_E_MALFORMED. */
OPL_MUST_CHECK bool opl_base64_decode(const char *text, size_t text_len, void *out, size_t max,
                                      size_t *len, struct opl_err *err);

/* A digest as 64 digits ("h" fields) and as "sha256:" and 64 digits ("d" fields). */
void opl_hash_hex(const struct opl_hash *hash, char out[static OPL_HEX_SIZE]);
void opl_hash_digest(const struct opl_hash *hash, char out[static OPL_DIGEST_SIZE]);
OPL_MUST_CHECK bool opl_hash_from_hex(const char *text, struct opl_hash *out, struct opl_err *err);
OPL_MUST_CHECK bool opl_hash_from_digest(const char *text, struct opl_hash *out,
                                         struct opl_err *err);

#endif

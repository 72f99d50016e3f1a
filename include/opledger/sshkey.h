/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sshkey - OpenSSH public keys of the two Ed25519 kinds: in software, and in a hardware token (sk).
 *
 * RSA, ECDSA, DSA and certificates are refused by name.
 */
#ifndef OPLEDGER_SSHKEY_H
#define OPLEDGER_SSHKEY_H

#include <opledger/buf.h>
#include <opledger/crypto.h>

#define OPL_FINGERPRINT_SIZE 51 /* "SHA256:" and 43 characters, with the NUL */
#define OPL_SSHKEY_LINE_MAX 2048

enum opl_sshkey_type { OPL_SSHKEY_ED25519, OPL_SSHKEY_SK_ED25519 };

struct opl_sshkey {
    enum opl_sshkey_type type;
    struct opl_sign_public key;
    char application[64]; /* of a token's key, usually "ssh:"; "" otherwise */
};

const char *opl_sshkey_type_name(enum opl_sshkey_type type); /* "ssh-ed25519" */

/* Reads `TYPE BASE64 [comment]`, the form of a .pub file; one LF may end it. OPL_E_INVALID. */
OPL_MUST_CHECK bool opl_sshkey_parse(const char *line, struct opl_sshkey *out, struct opl_err *err);

/* Reads the wire form, all of it; OPL_E_INVALID. */
OPL_MUST_CHECK bool opl_sshkey_read(const void *blob, size_t len, struct opl_sshkey *out,
                                    struct opl_err *err);

/* Appends the wire form, and `TYPE BASE64` without a comment. */
void opl_sshkey_write(const struct opl_sshkey *key, struct opl_buf *out);
void opl_sshkey_line(const struct opl_sshkey *key, struct opl_buf *out);

/* "SHA256:..." as ssh-keygen -l prints it. */
void opl_sshkey_fingerprint(const struct opl_sshkey *key, char out[static OPL_FINGERPRINT_SIZE]);

bool opl_sshkey_equal(const struct opl_sshkey *a, const struct opl_sshkey *b);

#endif

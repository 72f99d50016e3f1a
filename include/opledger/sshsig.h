/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sshsig - signatures of `ssh-keygen -Y sign` (OpenSSH PROTOCOL.sshsig, PROTOCOL.u2f).
 *
 * Stricter than ssh-keygen: version 1 only, an empty reserved field, no bytes left over anywhere,
 * and a token's signature must show that it was touched.
 */
#ifndef OPLEDGER_SSHSIG_H
#define OPLEDGER_SSHSIG_H

#include <opledger/sshkey.h>

#define OPL_SSHSIG_MAX 8192 /* bytes of a blob, and of its armour */

#define OPL_SK_TOUCHED 0x01  /* somebody was present */
#define OPL_SK_VERIFIED 0x04 /* PIN or biometric */

struct opl_sshsig {
    struct opl_sshkey key;
    char ssh_namespace[64];
    char hash_name[8]; /* "sha512" or "sha256" */
    struct opl_signature sig;
    uint8_t flags;    /* a token's; 0 otherwise */
    uint32_t counter; /* a token's */
};

/* The blob in `-----BEGIN SSH SIGNATURE-----` armour; nothing may stand around it. OPL_E_MALFORMED.
 */
OPL_MUST_CHECK bool opl_sshsig_dearmor(const char *text, size_t len, struct opl_buf *blob,
                                       struct opl_err *err);
void opl_sshsig_armor(const void *blob, size_t len, struct opl_buf *out);

/* Reads a blob whole; OPL_E_MALFORMED, or OPL_E_SIGNATURE for a key or hash that we do not take. */
OPL_MUST_CHECK bool opl_sshsig_parse(const void *blob, size_t len, struct opl_sshsig *out,
                                     struct opl_err *err);

/* OPL_E_SIGNATURE unless sig->key signed these bytes in exactly this namespace. */
OPL_MUST_CHECK bool opl_sshsig_verify(const struct opl_sshsig *sig, const void *message, size_t len,
                                      const char *ssh_namespace, struct opl_err *err);

#endif

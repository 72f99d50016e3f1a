/* SPDX-License-Identifier: Apache-2.0 */
/*
 * allowed_signers - whose approvals this host accepts, in the file format of ssh-keygen(1).
 *
 * Stricter than ssh-keygen: names are whole names (no patterns, no negation), every line must say
 * `namespaces=`, certificate authorities and keys other than Ed25519 are refused, and one line that
 * cannot be read spoils the file. With it a host need not believe the ledger about approvals.
 */
#ifndef OPLEDGER_CLIENT_ALLOWED_SIGNERS_H
#define OPLEDGER_CLIENT_ALLOWED_SIGNERS_H

#include <jansson.h>

#include <opledger/checkpoint.h>
#include <opledger/sshkey.h>

#define ALLOWED_SIGNERS_MAX ((size_t)1 << 20) /* bytes of a file */

struct allowed_signer {
    char *principals; /* owned, as here: names separated by commas */
    char *namespaces;
    int64_t valid_after;  /* INT64_MIN when open */
    int64_t valid_before; /* INT64_MAX when open */
    struct opl_sshkey key;
};

struct allowed_signers {
    struct allowed_signer *lines;
    size_t count;
};

/* OPL_E_CONFIG with the line. On failure *out is empty. */
OPL_MUST_CHECK bool allowed_signers_parse(const char *name, const char *text, size_t len,
                                          struct allowed_signers *out, struct opl_err *err);
void allowed_signers_close(struct allowed_signers *signers);

/* Reads a file that nobody but root (for `given` files: or the caller) can write. */
OPL_MUST_CHECK bool allowed_signers_load(const char *path, bool given, struct allowed_signers *out,
                                         struct opl_err *err);

/* Whether a key may sign for a principal in a namespace at a moment. */
bool allowed_signers_has(const struct allowed_signers *signers, const char *principal,
                         const char *ssh_namespace, const struct opl_sshkey *key, int64_t at);

/* What an approval must be about to count on this host. */
struct approval_scope {
    const char *change;
    const struct opl_hash *manifest;
    const struct opl_hash *base;
    const struct opl_hash *policy;
    const char *proposer;        /* does not approve its own change; NULL: not known here */
    const struct opl_head *head; /* the verified head of the log */
    int64_t now;
};

/* An approval that holds. */
struct approval_found {
    char principal[65];
    char fingerprint[64]; /* of the key that signed */
    struct opl_head log;  /* that the signer saw: still to be found in the history */
};

/*
 * Whether one {statement, sshsig} approves exactly this: type, namespace, signature, key, expiry,
 * change, manifest, base, policy and log. OPL_E_VERIFY says what does not hold.
 */
OPL_MUST_CHECK bool allowed_signers_check(const struct allowed_signers *signers,
                                          const json_t *approval,
                                          const struct approval_scope *scope,
                                          struct approval_found *out, struct opl_err *err);

#endif

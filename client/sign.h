/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sign - a person's signature under a Statement, made by the real `ssh-keygen -Y sign`.
 *
 * The key may be a private key file, or a public one whose private half an agent or a token holds.
 * What comes back is verified before anybody sends it.
 */
#ifndef OPLEDGER_CLIENT_SIGN_H
#define OPLEDGER_CLIENT_SIGN_H

#include <jansson.h>

#include <opledger/buf.h>

struct client;
struct opl_head;

struct signed_statement {
    char *text;           /* owned: the Statement without its LF */
    char *sshsig;         /* owned: base64 of the signature, one line */
    char fingerprint[64]; /* of the key that signed */
};

void signed_statement_close(struct signed_statement *signed_statement);

/* What is to be signed. */
struct sign_request {
    const char *type;            /* "opledger/approval" */
    json_t *about;               /* borrowed */
    int64_t life_s;              /* 0: the default of the type */
    const char *key;             /* --key, or NULL */
    const char *signer;          /* NULL: the principal that the token names */
    const struct opl_head *head; /* NULL: the newest, verified now */
};

/* Builds the Statement, signs it with ssh-keygen, verifies the signature, keeps both for ever. */
OPL_MUST_CHECK bool sign_statement(struct client *client, const struct sign_request *request,
                                   struct signed_statement *out, struct opl_err *err);

/* The key file that will sign: `given`, OPLEDGER_SSH_KEY, ~/.ssh/id_ed25519; for free(). */
OPL_MUST_CHECK bool sign_key_file(struct client *client, const char *given, char **path,
                                  struct opl_err *err);

/* base64 of the signature over `text` and a LF, by ssh-keygen with one key in one namespace. */
OPL_MUST_CHECK bool sign_text(const char *key, const char *ssh_namespace, const char *text,
                              char **sshsig, struct opl_err *err);

#endif

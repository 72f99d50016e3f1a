/* SPDX-License-Identifier: Apache-2.0 */
/*
 * evidence - files become evidence: uploaded, attached, then named by digest.
 */
#ifndef OPLEDGER_CLIENT_EVIDENCE_H
#define OPLEDGER_CLIENT_EVIDENCE_H

#include <jansson.h>

#include <opledger/crypto.h>

struct client;

/*
 * The digests that the --evidence values mean: a digest is itself, a file is uploaded and attached
 * to `on` first. Puts the list into body["evidence"].
 */
OPL_MUST_CHECK bool evidence_add(struct client *client, const char *on, json_t *body,
                                 struct opl_err *err);

/* Uploads a file and fills the fields that its bytes decide: sha256, size, media_type, name. */
OPL_MUST_CHECK bool evidence_upload(struct client *client, const char *path, json_t *body,
                                    struct opl_err *err);

/* SHA-256 in hex of a file's bytes, "-" for stdin, into body[name]; nothing is uploaded. */
OPL_MUST_CHECK bool evidence_hash_file(struct client *client, const char *path, const char *name,
                                       json_t *body, struct opl_err *err);

#endif

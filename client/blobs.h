/* SPDX-License-Identifier: Apache-2.0 */
/*
 * blobs - larger things, kept by digest: what goes up, and what comes back for us to read.
 */
#ifndef OPLEDGER_CLIENT_BLOBS_H
#define OPLEDGER_CLIENT_BLOBS_H

#include <opledger/buf.h>
#include <opledger/crypto.h>

struct client;

/* A file as it was stored. */
struct blob {
    struct opl_hash sha256;
    int64_t size;
    bool text; /* the beginning is UTF-8 without NUL */
};

/* Uploads a file, "-" for stdin. */
OPL_MUST_CHECK bool blobs_put_file(struct client *client, const char *path, struct blob *out,
                                   struct opl_err *err);
OPL_MUST_CHECK bool blobs_put_bytes(struct client *client, const void *bytes, size_t len,
                                    struct opl_hash *out, struct opl_err *err);

/* Appends a blob, digest checked; at most out->max bytes. */
OPL_MUST_CHECK bool blobs_get(struct client *client, const struct opl_hash *sha256,
                              struct opl_buf *out, struct opl_err *err);

/* An open regular file with the bytes of a path, or of stdin in a temporary one; -1 on failure. */
OPL_MUST_CHECK int blobs_open(struct client *client, const char *path, struct opl_err *err);

#endif

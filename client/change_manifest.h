/* SPDX-License-Identifier: Apache-2.0 */
/*
 * change_manifest - the manifest of a change: built from what is staged, stored, fetched, checked.
 */
#ifndef OPLEDGER_CLIENT_CHANGE_MANIFEST_H
#define OPLEDGER_CLIENT_CHANGE_MANIFEST_H

#include <jansson.h>

#include <opledger/encode.h>
#include <opledger/manifest.h>

struct client;

/*
 * Builds the manifest of --file, --from, --base-dir and `-- CMD` over `out->target`, which is set;
 * parts that no option gives keep what `out` already holds. Says in `digest` what it is called.
 */
OPL_MUST_CHECK bool change_manifest_build(struct client *client, struct opl_manifest *out,
                                          struct opl_buf *bytes, struct opl_err *err);

/* Uploads files and manifest, and puts manifest and files into the body. */
OPL_MUST_CHECK bool change_manifest_store(struct client *client,
                                          const struct opl_manifest *manifest,
                                          const struct opl_buf *bytes, json_t *body,
                                          struct opl_err *err);

/* The manifest with this digest, as the ledger keeps it: checked by its digest, and parsed. */
OPL_MUST_CHECK bool change_manifest_fetch(struct client *client, const char *digest,
                                          struct opl_manifest *out, struct opl_err *err);

/* Files with old and new digests, base and command: what a signer is about to stand for. */
void change_manifest_print(struct client *client, const struct opl_manifest *manifest);

#endif

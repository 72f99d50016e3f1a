/* SPDX-License-Identifier: Apache-2.0 */
/*
 * secrets - the secret rules look at the files of a change before anything is uploaded.
 *
 * A ledger is read by many and never forgets: a password in a configuration stays out of it. Texts
 * and evidence are only warned of: what is seen there may be what is reported.
 */
#ifndef OPLEDGER_CLIENT_SECRETS_H
#define OPLEDGER_CLIENT_SECRETS_H

#include <jansson.h>

#include <opledger/manifest.h>

struct client;

/* Both sides of every staged file; OPL_E_WRONG_STATE, exit 1, names file, place and rule. */
OPL_MUST_CHECK bool secrets_absent(struct client *client, const struct opl_manifest *manifest,
                                   struct opl_err *err);

/* What looks like a secret in the texts of a body, or in the first bytes of a file, is said on
 * stderr before anything is sent. */
struct opl_kind;
void secrets_warn_texts(struct client *client, const struct opl_kind *kind, const json_t *body);
void secrets_warn_file(struct client *client, const char *path);

#endif

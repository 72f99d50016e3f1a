/* SPDX-License-Identifier: Apache-2.0 */
/*
 * api - requests to the ledger, and the only user of libcurl.
 *
 * A problem document becomes the error, with field and hint. No answer, or one that breaks off, is
 * OPL_E_UNAVAILABLE or OPL_E_TIMED_OUT and says so: nothing here guesses.
 */
#ifndef OPLEDGER_CLIENT_API_H
#define OPLEDGER_CLIENT_API_H

#include <stdio.h>

#include <jansson.h>

#include <opledger/buf.h>
#include <opledger/crypto.h>

struct api;

struct api_settings {
    const char *url;     /* without a slash at its end */
    const char *token;   /* NULL or "": none is sent */
    const char *ca_file; /* "" for the system's */
    int64_t timeout_s;
};

/* Copies the settings; nothing is sent. NULL on failure. */
struct api *api_new(const struct api_settings *settings, struct opl_err *err);
void api_free(struct api *api); /* NULL is fine */

const char *api_url(const struct api *api);

/* The token for requests from now on; NULL: none. */
OPL_MUST_CHECK bool api_set_token(struct api *api, const char *token, struct opl_err *err);

/* GET a JSON object; a new reference in *out. */
OPL_MUST_CHECK bool api_get(struct api *api, const char *path, json_t **out, struct opl_err *err);

/* The same of a list: *items is its array, borrowed from *out. */
OPL_MUST_CHECK bool api_get_items(struct api *api, const char *path, json_t **out,
                                  const json_t **items, struct opl_err *err);

/* GET bytes that are no JSON (checkpoint, tiles), at most out->max. */
OPL_MUST_CHECK bool api_get_bytes(struct api *api, const char *path, struct opl_buf *out,
                                  struct opl_err *err);

/* POST a JSON document; the key may be NULL on routes that take none. */
OPL_MUST_CHECK bool api_post(struct api *api, const char *path, const json_t *body,
                             const char *idempotency_key, json_t **out, struct opl_err *err);

/* When the last answer was given, by the ledger's clock; -1 when it did not say. */
int64_t api_date(const struct api *api);

/* The problem document of the last failure, NULL when it was none of the server's; a new ref. */
json_t *api_take_problem(struct api *api);

/* Uploads what an open regular file holds from its beginning, under its digest. */
OPL_MUST_CHECK bool api_put_blob(struct api *api, const struct opl_hash *sha256, int fd,
                                 int64_t size, struct opl_err *err);

/* Downloads a blob into a file descriptor; OPL_E_DIGEST when the bytes are others. */
OPL_MUST_CHECK bool api_get_blob(struct api *api, const struct opl_hash *sha256, int fd,
                                 struct opl_err *err);

/* Appends a percent-encoded query or path part. */
void api_escape(struct opl_buf *path, const char *text);

#endif

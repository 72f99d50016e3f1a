/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reply - what goes back: status, media type, body, a few headers; problems by RFC 9457.
 */
#ifndef OPLEDGER_SERVER_REPLY_H
#define OPLEDGER_SERVER_REPLY_H

#include <jansson.h>

#include <opledger/buf.h>

struct db;

#define REPLY_HEADERS 5

struct reply_header {
    const char *name; /* static */
    char value[160];
};

/* Gives a body in pieces, on workers. *len 0 is the end; *bytes is borrowed until the next call. */
struct reply_source {
    void *ctx; /* NULL: the body stands in `body` */
    bool (*next)(void *ctx, struct db *db, const void **bytes, size_t *len, struct opl_err *err);
    void (*release)(void *ctx);
    uint64_t size;
    const void *piece; /* what next gave, and how far it is sent */
    size_t piece_len, piece_at;
};

struct reply {
    int status;        /* 0: none yet */
    const char *media; /* static */
    struct opl_buf body;
    struct reply_header headers[REPLY_HEADERS];
    size_t header_count;
    struct reply_source source;
};

void reply_close(struct reply *reply);

/* Adds a header; beyond REPLY_HEADERS it is dropped. */
void reply_header(struct reply *reply, const char *name, const char *fmt, ...) OPL_PRINTF(3, 4);

/* The JSON of `value`, which is taken over (NULL: OPL_E_NOMEM). */
OPL_MUST_CHECK bool reply_json(struct reply *reply, int status, json_t *value, struct opl_err *err);

/* Appends a JSON string, quoted and escaped. */
void reply_add_string(struct opl_buf *out, const char *text);

/* Replaces whatever the reply holds by a problem; errors (borrowed) may be NULL. */
void reply_problem(struct reply *reply, const struct opl_err *err, const char *request_id,
                   json_t *errors);

/* What the page /problems/SLUG says; false when there is no such slug. */
bool reply_problem_page(const char *slug, struct opl_buf *out);

#endif

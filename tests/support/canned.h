/* SPDX-License-Identifier: Apache-2.0 */
/*
 * canned - an HTTP server of a few lines, so that a client can be told anything.
 *
 * One thread, one connection at a time, one request per connection. The handler may also hang up
 * in the middle of its answer.
 */
#ifndef OPLEDGER_TESTS_CANNED_H
#define OPLEDGER_TESTS_CANNED_H

#include <opledger/buf.h>

struct canned_request {
    char method[8];
    char path[2048]; /* with the query */
    char head[8192]; /* request line and headers */
    const char *body;
    size_t body_len;
};

struct canned_reply {
    int status;
    const char *media; /* NULL: application/json */
    const char *date;  /* NULL: none is told */
    struct opl_buf body;
    size_t cut;  /* hang up before so many bytes of the body; 0: after all */
    bool silent; /* hang up without a word */
};

typedef void canned_fn(void *ctx, const struct canned_request *request, struct canned_reply *reply);

struct canned;

/* Listens on a free port of loopback; ends the test program when it cannot. */
struct canned *canned_start(canned_fn *handler, void *ctx);
const char *canned_url(const struct canned *canned);
void canned_stop(struct canned *canned);

#endif

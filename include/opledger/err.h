/* SPDX-License-Identifier: Apache-2.0 */
/*
 * err - how every function of opledger says what went wrong.
 *
 * A function that can fail returns bool, takes `struct opl_err *err` last and is OPL_MUST_CHECK.
 * The first error wins: a later opl_fail on the same object changes nothing. The codes, their
 * problem slug, HTTP status and CLI exit code stand once, in OPL_ERRORS.
 */
#ifndef OPLEDGER_ERR_H
#define OPLEDGER_ERR_H

#include <stdbool.h>
#include <stddef.h>

#define OPL_MUST_CHECK __attribute__((warn_unused_result))
#define OPL_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#define OPL_CLEANUP(fn) __attribute__((cleanup(fn)))

/* code, slug (problem type), HTTP status, CLI exit status */
#define OPL_ERRORS(X)                                                                              \
    X(OPL_E_MALFORMED, "malformed", 400, 2)                                                        \
    X(OPL_E_UNAUTHENTICATED, "unauthenticated", 401, 3)                                            \
    X(OPL_E_FORBIDDEN, "forbidden", 403, 3)                                                        \
    X(OPL_E_NOT_FOUND, "not-found", 404, 2)                                                        \
    X(OPL_E_METHOD, "method-not-allowed", 405, 2)                                                  \
    X(OPL_E_REQUEST_TIMEOUT, "request-timeout", 408, 3)                                            \
    X(OPL_E_WRONG_STATE, "wrong-state", 409, 1)                                                    \
    X(OPL_E_GATE_DENIED, "gate-denied", 409, 1)                                                    \
    X(OPL_E_CONFLICT, "idempotency-conflict", 409, 2)                                              \
    X(OPL_E_STALE, "stale-statement", 409, 1)                                                      \
    X(OPL_E_TOO_LARGE, "too-large", 413, 2)                                                        \
    X(OPL_E_MEDIA_TYPE, "unsupported-media-type", 415, 2)                                          \
    X(OPL_E_RANGE, "range-not-satisfiable", 416, 2)                                                \
    X(OPL_E_INVALID, "invalid-entry", 422, 2)                                                      \
    X(OPL_E_SIGNATURE, "bad-signature", 422, 4)                                                    \
    X(OPL_E_DIGEST, "digest-mismatch", 422, 4)                                                     \
    X(OPL_E_RATE, "rate-limited", 429, 3)                                                          \
    X(OPL_E_INTERNAL, "internal", 500, 3)                                                          \
    X(OPL_E_NOMEM, "internal", 500, 3)                                                             \
    X(OPL_E_UNAVAILABLE, "unavailable", 503, 3)                                                    \
    X(OPL_E_LOG, "log-inconsistent", 503, 4)                                                       \
    X(OPL_E_TIMED_OUT, "timed-out", 504, 3)                                                        \
    X(OPL_E_STORAGE, "storage-full", 507, 3)                                                       \
    /* the programs' own, never sent over HTTP by a correct server */                              \
    X(OPL_E_USAGE, "usage", 400, 2)                                                                \
    X(OPL_E_CONFIG, "configuration", 500, 2)                                                       \
    X(OPL_E_IO, "input-output", 500, 3)                                                            \
    X(OPL_E_VERIFY, "not-verified", 500, 4)

enum opl_code {
    OPL_OK = 0,

#define OPL_ERR_ENUM(code, slug, http, exit) code,
    OPL_ERRORS(OPL_ERR_ENUM)
#undef OPL_ERR_ENUM
};

struct opl_err {
    enum opl_code code;
    char text[512];  /* what failed, with which value; never a secret */
    char field[160]; /* JSON pointer into the offending document, or "" */
    char hint[256];  /* the next command or value to try, or "" */
};

/* What the table says of a code. */
const char *opl_code_slug(enum opl_code code);
int opl_code_http(enum opl_code code);
int opl_code_exit(enum opl_code code);

/* The code whose slug this is; OPL_E_INTERNAL when there is none. */
enum opl_code opl_code_from_slug(const char *slug);

/*
 * Records an error unless err already holds one, and returns false, so that callers write
 * `return opl_fail(err, OPL_E_INVALID, "...")`. err may be NULL.
 */
bool opl_fail(struct opl_err *err, enum opl_code code, const char *fmt, ...) OPL_PRINTF(3, 4);

/* The same, naming the field by JSON pointer. */
bool opl_fail_at(struct opl_err *err, enum opl_code code, const char *field, const char *fmt, ...)
    OPL_PRINTF(4, 5);

/* Adds the next command or value to try to an error just recorded; an earlier hint stays. False. */
bool opl_hint(struct opl_err *err, const char *fmt, ...) OPL_PRINTF(2, 3);

/* Puts `prefix` before the recorded field, as an outer parser does for an inner one's error. */
void opl_err_prefix(struct opl_err *err, const char *prefix);

#endif

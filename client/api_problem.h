/* SPDX-License-Identifier: Apache-2.0 */
/*
 * api_problem - an RFC 9457 problem document as an error.
 */
#ifndef OPLEDGER_CLIENT_API_PROBLEM_H
#define OPLEDGER_CLIENT_API_PROBLEM_H

#include <jansson.h>

#include <opledger/err.h>

/*
 * Records the error that a failed answer means: its slug decides, else the HTTP status. Returns the
 * document for --json, or NULL when the answer held none.
 */
json_t *problem_read(const char *text, size_t len, int status, struct opl_err *err);

#endif

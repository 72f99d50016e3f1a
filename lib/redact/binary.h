/* SPDX-License-Identifier: Apache-2.0 */
/*
 * binary - bytes that no rule can read: compressed, encoded wider than a byte, or no text at all.
 *
 * A whole input of such bytes is refused; such lines between text are masked whole.
 */
#ifndef OPLEDGER_LIB_REDACT_BINARY_H
#define OPLEDGER_LIB_REDACT_BINARY_H

#include <opledger/err.h>

/* What an input is that begins so, "gzip" or the like; NULL for text. */
const char *binary_kind(const char *bytes, size_t len);

/* OPL_E_WRONG_STATE, with what to do about it, when an input that begins so is no text. */
OPL_MUST_CHECK bool binary_refuse(const char *bytes, size_t len, struct opl_err *err);

/* Whether these bytes, a line or more, are no text. */
bool binary_is(const char *bytes, size_t len);

/* The next run of lines in [*from, len) that are no text; false when there is none. */
bool binary_next(const char *bytes, size_t len, size_t *from, size_t *to);

#endif

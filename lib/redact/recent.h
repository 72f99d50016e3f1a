/* SPDX-License-Identifier: Apache-2.0 */
/*
 * recent - tokens lately made, since a trace names few things often and a keyed hash takes longer
 * than a look. It holds values that are masked: its memory is locked and wiped.
 */
#ifndef OPLEDGER_LIB_REDACT_RECENT_H
#define OPLEDGER_LIB_REDACT_RECENT_H

#include "token.h"

#define RECENT_VALUE 40 /* longer ones are made anew each time */

struct recent;

/* Of one key, which must outlive it. NULL on failure. */
OPL_MUST_CHECK struct recent *recent_new(const struct opl_key *key, struct opl_err *err);
void recent_free(struct recent *recent); /* accepts NULL */

/* What token_make makes. */
void recent_token(struct recent *recent, enum token_kind kind, const char *space, const void *value,
                  size_t len, char out[static TOKEN_MAX]);

#endif

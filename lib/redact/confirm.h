/* SPDX-License-Identifier: Apache-2.0 */
/*
 * confirm - PCRE2 on bytes, with its own JIT stack and limits.
 *
 * Any error of the engine is a third answer besides yes and no: the default JIT stack is too small
 * for an ordinary 10 kB key, and taking "error" for "no" is how filters leak.
 */
#ifndef OPLEDGER_LIB_REDACT_CONFIRM_H
#define OPLEDGER_LIB_REDACT_CONFIRM_H

#include <opledger/err.h>

#define CONFIRM_GROUPS 5

struct confirm_match {
    size_t from, to;
    size_t group_from[CONFIRM_GROUPS], group_to[CONFIRM_GROUPS]; /* [1..]; from > to: not set */
};

enum confirm_answer { CONFIRM_NO, CONFIRM_YES, CONFIRM_ERROR };

/* One thread's memory. */
struct confirm {
    void *data, *context, *stack;
};

OPL_MUST_CHECK bool confirm_open(struct confirm *confirm, struct opl_err *err);
void confirm_close(struct confirm *confirm);

/* A compiled expression, or NULL. */
OPL_MUST_CHECK void *confirm_compile(const char *expression, struct opl_err *err);
void confirm_code_free(void *code);

/* Where to search: matches begin in [from, last] and end by len; look-behind sees all before. */
struct confirm_place {
    const char *bytes;
    size_t len, from, last;
};

enum confirm_answer confirm_search(struct confirm *confirm, const void *code,
                                   const struct confirm_place *place, struct confirm_match *out);

void confirm_engine(char *out, size_t size); /* its version */

#endif

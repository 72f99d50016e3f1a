/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vault - the secrets of a run, for as long as it lasts, to look for them in its output in every
 * encoding. Values too short or too ordinary to look for are counted, not kept.
 */
#ifndef OPLEDGER_LIB_REDACT_VAULT_H
#define OPLEDGER_LIB_REDACT_VAULT_H

#include "anchors.h"
#include "names.h"

#define VAULT_MAX 16384
#define VAULT_VALUE 48 /* bytes kept of each: enough to know it again, cut or whole */
#define VAULT_SHORTEST 8

struct vault_value {
    unsigned char len;
    char bytes[VAULT_VALUE];
};

struct vault {
    struct vault_value *list; /* in memory that is wiped */
    size_t count;
    uint32_t *slots;
    uint64_t weak;
};

OPL_MUST_CHECK bool vault_open(struct vault *vault, struct opl_err *err);
void vault_close(struct vault *vault);
void vault_add(struct vault *vault, const char *value, size_t len);

/* A set of literals: every value and name as it is and in each encoding. NULL when all is empty. */
OPL_MUST_CHECK bool vault_compile(const struct vault *vault, const struct names *names,
                                  struct anchors **out, struct opl_err *err);

#endif

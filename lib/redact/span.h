/* SPDX-License-Identifier: Apache-2.0 */
/*
 * span - a part of a window that must not get out, and the sorted, merged list of them.
 */
#ifndef OPLEDGER_LIB_REDACT_SPAN_H
#define OPLEDGER_LIB_REDACT_SPAN_H

#include <stdint.h>

#include "rule.h"

/* Rules that are code, not YAML: the lexers' and the learned names'. */
enum builtin {
    BUILTIN_SLURM,
    BUILTIN_MUNGE,
    BUILTIN_PROTOCOL,
    BUILTIN_STATE,
    BUILTIN_UNPAIRED,
    BUILTIN_DUMP,
    BUILTIN_TERMINAL,
    BUILTIN_SCRIPT,
    BUILTIN_ENVIRONMENT,
    BUILTIN_ARGV,
    BUILTIN_USER,
    BUILTIN_HOST,
    BUILTIN_DOMAIN,
    BUILTIN_OVERSIZE,
    BUILTIN_BINARY,
    BUILTIN_ENGINE,
    BUILTIN_SURVIVOR,
    BUILTIN_COUNT
};

struct builtin_rule {
    const char *id;
    enum opl_rule_class class;
    enum rule_as as;
};

extern const struct builtin_rule builtin_rules[BUILTIN_COUNT];

struct span {
    uint32_t from, to;    /* in the window */
    uint32_t value, vlen; /* the decoded value in the view; vlen 0: the raw bytes themselves */
    uint16_t rule;        /* index of a rule, or the number of rules and a builtin */
    uint8_t class;
    uint8_t as;
};

struct spans {
    struct span *list;
    size_t count, size;
    bool failed; /* no memory: the window must not be used */
};

void spans_add(struct spans *spans, const struct span *span);
void spans_close(struct spans *spans);

/* Sorts and leaves no two that overlap: a secret wins, then the longest, then the class. */
void spans_merge(struct spans *spans);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* mask - what of one window must go: by rules, by learned names, by the values of the vault. */
#ifndef OPLEDGER_LIB_REDACT_MASK_H
#define OPLEDGER_LIB_REDACT_MASK_H

#include "names.h"
#include "scan.h"
#include "span.h"
#include "vault.h"
#include "view.h"

struct masking {
    struct scanner *scanner;
    const struct anchors *rules;   /* which set of the rules; or NULL */
    const struct names *names;     /* or NULL */
    const struct anchors *learned; /* names_compile; or NULL */
    const struct anchors *values;  /* vault_compile; or NULL */
    struct vault *vault;           /* gets the secrets found; or NULL */
    const struct view *view;
    struct spans *spans;
    size_t builtins;
    size_t covered; /* by the last survivor */
};

OPL_MUST_CHECK bool mask_view(struct masking *masking, struct opl_err *err);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* learn - the first pass: takes names from where a text says that they are names. */
#ifndef OPLEDGER_LIB_REDACT_LEARN_H
#define OPLEDGER_LIB_REDACT_LEARN_H

#include "names.h"
#include "scan.h"

OPL_MUST_CHECK bool learn_text(struct scanner *scanner, struct names *names, const char *text,
                               size_t len, struct opl_err *err);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* draft - what the two halves of the work on drafts share. */
#ifndef OPLEDGER_LIB_DRAFT_H
#define OPLEDGER_LIB_DRAFT_H

#include <opledger/entry.h>

/* Writes the canonical form of the body again. */
OPL_MUST_CHECK bool opl_draft_write_body(struct opl_draft *draft, struct opl_err *err);

#endif

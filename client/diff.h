/* SPDX-License-Identifier: Apache-2.0 */
/*
 * diff - two texts, line by line, as a reviewer reads them.
 *
 * Every line goes through output_recorded: a file may hold anything.
 */
#ifndef OPLEDGER_CLIENT_DIFF_H
#define OPLEDGER_CLIENT_DIFF_H

#include <opledger/buf.h>

/* Appends the changed lines with three around them; "  (no difference)" when there are none. */
OPL_MUST_CHECK bool diff_text(const struct opl_buf *before, const struct opl_buf *after,
                              struct opl_buf *out, struct opl_err *err);

#endif

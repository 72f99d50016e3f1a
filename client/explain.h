/* SPDX-License-Identifier: Apache-2.0 */
/*
 * explain - the page that a reviewer reads before signing: what changes, on which belief, and who
 * does not share it.
 */
#ifndef OPLEDGER_CLIENT_EXPLAIN_H
#define OPLEDGER_CLIENT_EXPLAIN_H

#include "gate_reply.h"

/*
 * Files as diffs, hypotheses with status, evidence, dissent and age, approvals and why they do not
 * count. An outcome that differs from this client's own fold is OPL_E_VERIFY.
 */
OPL_MUST_CHECK bool explain_print(struct client *client, const char *change,
                                  const struct gate_reply *reply, struct opl_err *err);

#endif

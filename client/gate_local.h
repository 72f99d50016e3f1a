/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gate_local - the gate's question answered by this client's own fold of the log.
 *
 * What acts relies on the decision entry; this is for people, who should not have to take a page
 * on trust.
 */
#ifndef OPLEDGER_CLIENT_GATE_LOCAL_H
#define OPLEDGER_CLIENT_GATE_LOCAL_H

#include <opledger/checkpoint.h>
#include <opledger/gate.h>

struct client;

/* On the heap; for free() before the world, from which it borrows. NULL on failure. */
OPL_MUST_CHECK struct opl_gate_result *gate_local(struct opl_world *world, const char *change,
                                                  const struct opl_head *head, struct opl_err *err);

/* The same as an answer of the gate, at the newest head. */
struct gate_reply;
OPL_MUST_CHECK bool gate_local_reply(struct client *client, const char *change,
                                     struct gate_reply *out, struct opl_err *err);

/*
 * Fails with OPL_E_VERIFY where the ledger allows what its own log, folded here, does not. What
 * this token may not read cannot be folded: that is said, and passes.
 */
struct gate_question;
OPL_MUST_CHECK bool gate_local_agrees(struct client *client, const struct gate_question *question,
                                      const struct gate_reply *reply, struct opl_err *err);

/* Each approval, whether it counts, and why not. */
void gate_local_print_approvals(struct client *client, const struct opl_gate_result *result);

#endif

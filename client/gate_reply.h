/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gate_reply - asking the gate, and believing no more of its answer than it proves.
 *
 * The note must verify with the pinned log key and continue what this client knows. Where a
 * decision entry is wanted, its bytes, inclusion, nonce, change, manifest, base, outcome and expiry
 * must all be the ones of this question. Anything else is an error, never an allowance.
 */
#ifndef OPLEDGER_CLIENT_GATE_REPLY_H
#define OPLEDGER_CLIENT_GATE_REPLY_H

#include <opledger/checkpoint.h>
#include <opledger/gate.h>

struct client;

struct gate_question {
    const char *change;
    const char *use;                 /* check, explain, apply, hook, start */
    bool record;                     /* a decision entry is wanted */
    const struct opl_hash *manifest; /* as found here; NULL: the change's own */
    const struct opl_hash *base;
    const char *host; /* NULL: none */
    const char *hold; /* a duration, or NULL */
};

struct gate_reply {
    json_t *root; /* owned: the whole answer */
    enum opl_gate_outcome outcome;
    struct opl_hash manifest;
    struct opl_hash base;
    struct opl_hash policy;
    bool bootstrap_closed;
    struct opl_head head; /* verified */
    bool decided;         /* the decision below was verified */
    uint64_t decision_seq;
    int64_t decision_expires;
};

OPL_MUST_CHECK bool gate_ask(struct client *client, const struct gate_question *question,
                             struct gate_reply *out, struct opl_err *err);
void gate_reply_close(struct gate_reply *reply);

/* The exit status that an outcome means (CONTRACT section 2). */
int gate_exit(enum opl_gate_outcome outcome, bool no_override);

/* Requirements with facts and next commands, approvals, bootstrap: for people. */
void gate_reply_print(struct client *client, const struct gate_reply *reply);

/* "gate check: denied (exit 1)", the last line. */
void gate_reply_last_line(struct client *client, const char *use, enum opl_gate_outcome outcome,
                          int exit_status);

#endif

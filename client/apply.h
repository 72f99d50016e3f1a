/* SPDX-License-Identifier: Apache-2.0 */
/*
 * apply - a change put into place on this host, as far as the gate allows it and no further.
 *
 * The steps stand in cmd_apply.c in their order. Up to `change.started` any failure leaves the host
 * as it was and the command not run; from then on the outcome is recorded whatever happens, and
 * where it cannot be recorded it is kept on this host and said.
 */
#ifndef OPLEDGER_CLIENT_APPLY_H
#define OPLEDGER_CLIENT_APPLY_H

#include <signal.h>

#include "apply_files.h"
#include "gate_conf.h"
#include "gate_reply.h"

#define APPLY_HOST_SIZE 254
#define APPLY_SIGNALS 4

enum apply_outcome { APPLY_APPLIED, APPLY_FAILED, APPLY_REVERTED };

struct apply {
    struct client *client;
    const char *change;
    struct gate_conf conf; /* file NULL: none, and --unpinned was given */
    struct opl_manifest manifest;
    struct opl_hash manifest_sha256;
    struct opl_hash base;
    char proposer[65];
    char host[APPLY_HOST_SIZE];
    char *program; /* owned: what the command's first word means here; NULL without a command */
    struct apply_files files;
    struct gate_reply reply;
    uint64_t started;      /* the entry */
    struct opl_buf report; /* what happened, for the evidence */
    int exit_status;       /* of the command; -1: it was not run */
    enum apply_outcome outcome;
    bool recorded;                           /* the outcome is in the log */
    struct sigaction signals[APPLY_SIGNALS]; /* as they were before apply_hold */
};

void apply_close(struct apply *apply);

/* apply_read.c: the manifest in force, this host's configuration, staged bytes and live base. */
OPL_MUST_CHECK bool apply_read(struct apply *apply, struct opl_err *err);

/*
 * apply_gate.c: asks the gate. True with reply.outcome; what an allowance needs beside, by this
 * host's own fold of the log and by gate.conf, is checked by apply_trust.
 */
OPL_MUST_CHECK bool apply_ask(struct apply *apply, struct opl_err *err);
OPL_MUST_CHECK bool apply_trust(struct apply *apply, struct opl_err *err);

/* apply_drift.c: whether the live base is one that no recorded change left so. */
bool apply_has_drifted(struct apply *apply);

/*
 * apply_run.c: holds the signals that would end us before the outcome is recorded; the command gets
 * them all the same.
 */
void apply_hold(struct apply *apply);
void apply_release(struct apply *apply);

/* Files, command, a second look. Sets outcome, exit_status and report. */
void apply_carry_out(struct apply *apply);
void apply_revert(struct apply *apply);

/* apply_record.c: the entries around it. */
OPL_MUST_CHECK bool apply_start(struct apply *apply, struct opl_err *err);
void apply_finish(struct apply *apply); /* sets recorded */

/* "applied", "failed", "reverted" */
const char *apply_outcome_name(enum apply_outcome outcome);

#endif

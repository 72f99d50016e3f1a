/* SPDX-License-Identifier: Apache-2.0 */
/*
 * doctor - what a check of `opledger doctor` found: one line of ours, and the next command.
 */
#ifndef OPLEDGER_CLIENT_DOCTOR_H
#define OPLEDGER_CLIENT_DOCTOR_H

#include <opledger/buf.h>

struct client;

struct finding {
    bool good;
    struct opl_buf says; /* one line */
    const char *remedy;  /* a command or a setting; NULL: none is needed */
};

/* It is bad, and the error says why. */
void finding_fail(struct finding *finding, const struct opl_err *err, const char *remedy);

/* The checks of this host, which need no ledger; doctor_rules asks it where it answers. */
typedef void doctor_check(struct client *client, struct finding *finding);
doctor_check doctor_rules, doctor_receipts, doctor_ssh_keygen, doctor_key_file, doctor_gate_conf;
doctor_check doctor_state;

#endif

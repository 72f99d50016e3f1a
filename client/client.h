/* SPDX-License-Identifier: Apache-2.0 */
/*
 * client - one run of `opledger`: the command, its arguments, and what it has opened so far.
 */
#ifndef OPLEDGER_CLIENT_CLIENT_H
#define OPLEDGER_CLIENT_CLIENT_H

#include <jansson.h>

#include <opledger/checkpoint.h>

#include "config.h"
#include "options.h"
#include "output.h"
#include "state.h"

struct api;

struct client {
    const struct command *command;
    struct args args;
    struct config config;
    struct state state;
    struct output out;
    struct api *api;  /* NULL until client_connect */
    int exit_status;  /* of a command that succeeded in saying no */
    bool stdin_taken; /* stdin is one text, not two */
    bool ledger_met;  /* it has named its key in this run, and it is the pinned one */
    bool log_key_known;
    struct opl_vkey log_key; /* pinned for this URL, once log_view_key has asked */
    bool head_known;
    struct opl_head head; /* verified in this run, for proofs */
};

/* Runs one command line; the result is the exit status. */
int client_main(int argc, char *const argv[]);

/* Opens what talking to the ledger needs; harmless when already done. No request is sent. */
OPL_MUST_CHECK bool client_connect(struct client *client, struct opl_err *err);

/* The nth argument, "" when it was not given. */
const char *client_arg(const struct client *client, size_t i);

/* The value of an option, NULL when it was not given. */
const char *client_option(const struct client *client, const char *name);

#endif

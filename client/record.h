/* SPDX-License-Identifier: Apache-2.0 */
/*
 * record - the one way in which this program writes an entry.
 *
 * It draws the salts itself, checks the draft by the kinds table, sends it with an idempotency key,
 * rebuilds the leaf from what it knows, follows the receipt's path to the checkpoint, verifies that
 * with the pinned log key, keeps the receipt for ever, and only then says "recorded".
 */
#ifndef OPLEDGER_CLIENT_RECORD_H
#define OPLEDGER_CLIENT_RECORD_H

#include <opledger/receipt.h>

struct client;

struct record {
    const char *kind;
    const char *on; /* NULL: about nothing */
    json_t *body;   /* borrowed; texts as strings */
};

/* Writes and verifies; says nothing. --observed-at of the command is sent along. */
OPL_MUST_CHECK bool record_entry(struct client *client, const struct record *record,
                                 struct opl_receipt *receipt, struct opl_err *err);

/* "recorded hyp-12 as entry 41 of 57". */
void record_say(struct client *client, const struct opl_receipt *receipt);

/* With --json: the receipt. */
OPL_MUST_CHECK bool record_json(struct client *client, const struct opl_receipt *receipt,
                                struct opl_err *err);

/*
 * The whole of most commands: fills the body from the options by the command's kind, writes, says
 * so, prints the receipt with --json. `id` gets what was created, or "".
 */
OPL_MUST_CHECK bool record_command(struct client *client, const char *on, json_t *body,
                                   char id[static OPL_ID_SIZE], struct opl_err *err);

#endif

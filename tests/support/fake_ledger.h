/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fake_ledger - a story over HTTP, with a real tree and a real log key, that can be told to lie.
 *
 * It knows the routes that the client uses and checks nothing that the lib does not check. What it
 * is for is its faults: each is a lie that a client must not believe.
 */
#ifndef OPLEDGER_TESTS_FAKE_LEDGER_H
#define OPLEDGER_TESTS_FAKE_LEDGER_H

#include <opledger/checkpoint.h>
#include <opledger/merkle.h>

#include "canned.h"
#include "story.h"

enum fault {
    FAULT_NONE,
    FAULT_LEAF,      /* an entry comes with another leaf */
    FAULT_ENTRY,     /* an entry's bytes are changed, its leaf with them */
    FAULT_SUBJECT,   /* an entry about something else stands in the place of each */
    FAULT_FORGED,    /* an entry is made up: it hashes to its leaf, but is not in the tree */
    FAULT_TEXT,      /* a text is not the one that was sealed */
    FAULT_KEY,       /* another log key signs */
    FAULT_NOTE,      /* one byte of the note is changed */
    FAULT_REWRITTEN, /* the first entry is another one than before */
    FAULT_SHRUNK,    /* half the log is gone */
    FAULT_RECEIPT,   /* a receipt names another entry than was written */
    FAULT_OUTCOME,   /* the gate answers allowed though its decision says denied */
    FAULT_NONCE,     /* the decision is the answer to another question */
    FAULT_DECISION,  /* no decision is recorded though one was asked for */
    FAULT_HANG_UP,   /* breaks off before it answers */
    FAULT_EXPIRED,   /* the decision is an old one */
    FAULT_ALLOWS,    /* the gate allows, and decides so, whatever its log says */
    FAULT_CLOSED,    /* the same, and this token may not read entries */
    FAULT_NO_GATE,   /* the gate's route is closed to this token */
};

struct fake_ledger {
    struct story *story;
    struct canned *server;
    enum fault fault;
    const char *actor;       /* whom the token is taken for */
    const char *server_date; /* of every answer; NULL: none */
    json_t *texts;           /* {seq: {pointer: {text, salt}}} */
    json_t *blobs;           /* {hex: text} */
    char last_path[512];     /* of the last request */
};

/* Over a story that the ledger takes over. */
struct fake_ledger *fake_ledger_start(struct story *story);
void fake_ledger_stop(struct fake_ledger *ledger);

/* A blob that the ledger serves, and counts as stored. */
void fake_ledger_add_blob(struct fake_ledger *ledger, const char *text,
                          char digest[static OPL_DIGEST_SIZE]);

#endif

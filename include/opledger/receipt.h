/* SPDX-License-Identifier: Apache-2.0 */
/*
 * receipt - the server's answer to a write, and what a client checks before it says "recorded".
 *
 * {seq, id, kind, actor, at, prev, leaf, proof, checkpoint, note}: the client rebuilds the leaf
 * from its own draft and what the receipt adds, follows the inclusion path to the checkpoint and
 * verifies the note with the pinned log key (CONTRACT section 2).
 */
#ifndef OPLEDGER_RECEIPT_H
#define OPLEDGER_RECEIPT_H

#include <opledger/checkpoint.h>
#include <opledger/entry.h>
#include <opledger/merkle.h>
#include <opledger/note.h>
#include <opledger/statement.h>

struct opl_receipt {
    uint64_t seq;
    char id[OPL_ID_SIZE]; /* "" when nothing was created */
    const char *kind;     /* borrowed from the table */
    char actor[65];
    int64_t at;
    int64_t prev; /* -1 */
    struct opl_hash leaf;
    struct opl_proof proof;
    struct opl_head checkpoint;
    char *note; /* owned */
};

/* New reference: the reply's JSON. */
json_t *opl_receipt_json(const struct opl_receipt *receipt);

OPL_MUST_CHECK bool opl_receipt_read(const json_t *value, struct opl_receipt *out,
                                     struct opl_err *err);
void opl_receipt_close(struct opl_receipt *receipt);

/*
 * Whether the receipt proves that exactly this draft is in the log whose key is `log_key`:
 * leaf rebuilt, path followed, note verified. OPL_E_VERIFY says which step fails.
 */
OPL_MUST_CHECK bool opl_receipt_verify(const struct opl_receipt *receipt,
                                       const struct opl_draft *draft,
                                       const struct opl_vkey *log_key, struct opl_err *err);

#endif

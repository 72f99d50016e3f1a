/* SPDX-License-Identifier: Apache-2.0 */
/*
 * verify - the whole log looked at again, without taking the ledger's word for anything.
 *
 * One pass over all entries builds the tree from their bytes and, beside it, the state of the log,
 * against which every entry, text, blob, signature and decision is checked at its own place. What
 * the ledger serves beside the entries (tiles, lists, subjects, principals, policies) is compared
 * with that afterwards. The first thing that is wrong is kept; then only the tree is finished,
 * because a rewritten earlier entry shows nowhere else. Nothing that is wrong is an error of the
 * run: a function here fails only when it cannot look.
 */
#ifndef OPLEDGER_CLIENT_VERIFY_H
#define OPLEDGER_CLIENT_VERIFY_H

#include <jansson.h>

#include <opledger/receipt.h>
#include <opledger/tile.h>
#include <opledger/world.h>

#include "verify_tree.h"

struct client;

#define VERIFY_NO_ENTRY UINT64_MAX

struct verify_finding {
    bool found;
    uint64_t entry; /* VERIFY_NO_ENTRY: it is `what` that is wrong, not an entry */
    uint64_t last;  /* only known to be one of entry..last when it is larger */
    char what[96];
    char reason[600];
    uint64_t good; /* all is well up to this size */
};

struct verify_counts {
    uint64_t entries, opaque, texts, erased, blobs, blobs_hidden, statements;
    uint64_t decisions, decisions_skipped, subjects, subjects_skipped, tiles, receipts;
    uint64_t receipts_unread, heads;
};

struct verify {
    struct client *client;
    struct opl_vkey vkey;
    struct opl_head head; /* its note verified */
    char *note;           /* owned */
    bool has_known;
    struct opl_head known; /* what this client remembered */
    struct verify_tree tree;
    bool unread;             /* entries could not be read to the end */
    struct opl_world *world; /* owned */
    struct verify_counts counts;
    struct verify_finding wrong;
    int64_t last_at;
    uint64_t numbers[OPL_PREFIXES]; /* given so far */
    json_t *blobs;                  /* owned, as these: {hex: true} looked at */
    json_t *nonces;                 /* {nonce: true} of Statements so far */
    json_t *statuses;               /* {id: status} when it last moved */
    json_t *moved;                  /* {id: when that was} */
    json_t *kin;                    /* {"inc-1 TIME": true} when a hypothesis of it moved */
    uint64_t people_changed;        /* the newest entry that changed a principal or a key */
    json_t *erased;                 /* {"seq pointer": entry} that the ledger says erased it */
    json_t *erasures;               /* {"seq pointer": entry} that do */
    bool sees_raw;                  /* the reader holds evidence-raw */
    bool is_agent;                  /* the reader sees outputs of the filter only */
    bool document_hidden;           /* a manifest or policy that this reader may not see */
};

/* Fetches and verifies the head, recalls the remembered one. */
OPL_MUST_CHECK bool verify_open(struct verify *verify, struct client *client, struct opl_err *err);
void verify_close(struct verify *verify);

/* All of it; verify->wrong says what is wrong. Remembers the head when nothing is. */
OPL_MUST_CHECK bool verify_deep(struct verify *verify, struct opl_err *err);

/* Keeps the first finding, about an entry or about something else. */
void verify_wrong(struct verify *verify, uint64_t entry, const char *fmt, ...) OPL_PRINTF(3, 4);
void verify_wrong_thing(struct verify *verify, const char *what, const char *fmt, ...)
    OPL_PRINTF(3, 4);

/* The parts, in files of their names. */
OPL_MUST_CHECK bool verify_walk(struct verify *verify, struct opl_err *err);
OPL_MUST_CHECK bool verify_entry(struct verify *verify, const json_t *item, struct opl_err *err);
OPL_MUST_CHECK bool verify_texts(struct verify *verify, const struct opl_entry *entry,
                                 const json_t *texts, struct opl_err *err);
void verify_erasures(struct verify *verify);
OPL_MUST_CHECK bool verify_statement(struct verify *verify, const struct opl_entry *entry,
                                     struct opl_err *err);
OPL_MUST_CHECK bool verify_decision(struct verify *verify, const struct opl_entry *entry,
                                    struct opl_err *err);
OPL_MUST_CHECK bool verify_blobs(struct verify *verify, const struct opl_entry *entry,
                                 struct opl_err *err);
OPL_MUST_CHECK bool verify_roots(struct verify *verify, struct opl_err *err);

/*
 * What this client keeps for ever: each receipt whose note verifies, and the head that each
 * Statement signed here names. verify_receipt looks one receipt up in the tree.
 */
typedef bool verify_receipt_fn(void *ctx, const struct opl_receipt *receipt, struct opl_err *err);
typedef bool verify_head_fn(void *ctx, const struct opl_head *head, struct opl_err *err);
OPL_MUST_CHECK bool verify_memory(struct verify *verify, verify_receipt_fn *receipt,
                                  verify_head_fn *head, void *ctx, struct opl_err *err);
void verify_receipt(struct verify *verify, const struct opl_receipt *receipt);

OPL_MUST_CHECK bool verify_tiles(struct verify *verify, struct opl_err *err);
OPL_MUST_CHECK bool verify_lists(struct verify *verify, struct opl_err *err);
OPL_MUST_CHECK bool verify_subject(struct verify *verify, const char *noun,
                                   const struct opl_fold *fold, struct opl_err *err);
OPL_MUST_CHECK bool verify_registry(struct verify *verify, struct opl_err *err);

/* The status of a subject by the entries; static text, NULL when it cannot be said. */
const char *verify_status(struct verify *verify, const struct opl_fold *fold, int64_t now);

/* The leaves that the ledger's tile says entries 256 * index and on have. */
OPL_MUST_CHECK bool verify_tile_leaves(struct verify *verify, uint64_t index,
                                       struct opl_hash out[static OPL_TILE_WIDTH],
                                       struct opl_err *err);

/* A failure that says that the log or something in it is wrong, not that nobody could look. */
bool verify_is_finding(const struct opl_err *err);

/* What was looked at, what not, and the last line. Sets the exit status. */
OPL_MUST_CHECK bool verify_report(const struct verify *verify, struct opl_err *err);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * write - what one request wants appended to the log, and what became of it.
 *
 * Made on an HTTP thread or a worker, owned by its request, lent to the sequencer from
 * sequencer_submit until `done` is called. All lines of a write are appended or none.
 */
#ifndef OPLEDGER_SERVER_WRITE_H
#define OPLEDGER_SERVER_WRITE_H

#include <opledger/entry.h>
#include <opledger/merkle.h>
#include <opledger/world.h>

#include "identity.h"
#include "signed_head.h"

#define WRITE_KEY_MAX 128 /* characters of an Idempotency-Key */

struct write_line {
    struct opl_draft draft;
    uint64_t seq;
    char id[OPL_ID_SIZE]; /* "" when it creates nothing */
    int64_t prev;         /* -1 when there is none */
    struct opl_hash leaf;
};

/* Where the sequencer stands when it comes to a write: all that the log holds, under its lock. */
struct write_moment {
    struct opl_world *world;
    const struct opl_admit_env *env;
    const char *origin;
    uint64_t size; /* the sequence number of the first line */
    int64_t now;   /* the `at` of what is written */
};

struct write {
    struct identity writer; /* known false: the service itself */
    struct write_line *lines;
    size_t count, size;
    bool is_batch;
    bool keep_bytes;             /* the first line's canonical bytes are wanted */
    char key[WRITE_KEY_MAX + 1]; /* "" for acts that take none */
    struct opl_hash digest;      /* keyed, of the request as sent */
    char nonce[OPL_NONCE_SIZE];  /* beside those of its Statements, used up by it; or "" */

    /* Outputs of the filter that have passed the verify pass on a worker. */
    struct opl_hash *clean;
    size_t clean_count;

    /*
     * Called by the sequencer in place of ready lines: looks, and adds lines (also none). The
     * lines are the service's own words then.
     */
    bool (*compose)(struct write *write, const struct write_moment *moment, struct opl_err *err);
    void *ctx;

    /* What became of it. */
    struct opl_err err;
    json_t *errors; /* owned: [{line, field, detail}] of a batch, or NULL */
    bool is_replay; /* the key was used for the same content: `first`, `count` and `tree_size` */
    uint64_t first;
    uint64_t tree_size; /* of the checkpoint that the receipt names */
    size_t replay_count;
    int64_t at;
    struct opl_proof proof; /* of the first line, unless it is a batch */
    struct signed_head *head;
    struct opl_buf bytes;

    bool submitted;
    void (*done)(struct write *write); /* on the sequencer's thread */
    void *owner;
    struct write *next; /* in the sequencer's queue */
    uint64_t key_hash;  /* of principal and key, set by the sequencer */
};

/* NULL: no memory. */
struct write *write_new(void);
void write_free(struct write *write); /* accepts NULL */
void write_freep(struct write **write);

/* Room for one line more, zeroed; NULL: no memory. */
struct write_line *write_add(struct write *write);

/* Parses a request of the service's own, given as JSON (taken over), into a line. */
OPL_MUST_CHECK bool write_add_json(struct write *write, json_t *request, int64_t now,
                                   struct opl_err *err);

/* Adds {line, field, detail} to the errors. */
void write_add_error(struct write *write, size_t line, const struct opl_err *err);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * subject - an incident, hypothesis, change, egress or override as the ledger tells it.
 *
 * Each entry is hashed and parsed again, each text checked against its seal: what does not hold is
 * OPL_E_VERIFY. State and status are then folded here, not taken from the reply.
 */
#ifndef OPLEDGER_CLIENT_SUBJECT_H
#define OPLEDGER_CLIENT_SUBJECT_H

#include <jansson.h>

#include <opledger/encode.h>
#include <opledger/entry.h>
#include <opledger/world.h>

struct client;

struct subject_entry {
    struct opl_entry entry;
    struct opl_hash leaf; /* of its bytes */
    json_t *texts;        /* owned reference: {pointer: {text, salt} or {erased}} */
};

struct subject {
    json_t *reply;                 /* owned */
    struct subject_entry *entries; /* in log order */
    size_t count;
};

/* The subject with this id, every entry proven to stand in the signed log; an unknown one is the
 * server's not-found. */
OPL_MUST_CHECK bool subject_load(struct client *client, const char *id, struct subject *out,
                                 struct opl_err *err);
void subject_close(struct subject *subject);

/* {seq, leaf, entry, texts} of any route, hashed and unsealed, but not proven. */
OPL_MUST_CHECK bool subject_entry_read(const json_t *item, struct subject_entry *out,
                                       struct opl_err *err);
void subject_entry_close(struct subject_entry *entry);

/* A sealed text by its pointer; NULL when it was erased or never there. Borrowed. */
const char *subject_text(const struct subject_entry *entry, const char *pointer);

/* The nth id of the subject's children, NULL past the end. */
const char *subject_child(const struct subject *subject, size_t i);

/* The digest of the manifest in force of a change. */
OPL_MUST_CHECK bool subject_manifest(struct client *client, const char *change,
                                     char out[static OPL_DIGEST_SIZE], struct opl_err *err);

/* Prints one entry of a subject, so that who signs under it has seen it. */
OPL_MUST_CHECK bool subject_show_fact(struct client *client, const char *id, uint64_t seq,
                                      struct opl_err *err);

#endif

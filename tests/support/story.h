/* SPDX-License-Identifier: Apache-2.0 */
/*
 * story - a log told in a few lines, entirely in memory.
 *
 * Every entry goes the way of a real one: request, draft, admission, canonical bytes, parse, world.
 * Keys are made from names, and sign in process. A step that must succeed and does not ends the
 * program with the error; `story_try` and its kin hand the error to the test instead.
 */
#ifndef OPLEDGER_TESTS_STORY_H
#define OPLEDGER_TESTS_STORY_H

#include <opledger/admit.h>
#include <opledger/encode.h>
#include <opledger/json.h>
#include <opledger/sshkey.h>

#define STORY_ORIGIN "story.example/2026"
#define STORY_START 1790863402123456LL /* 2026-10-01T14:03:22.123456Z */
#define STORY_TARGET "engaging/slurm"

struct story {
    struct opl_world *world;
    struct opl_admit_env env;
    int64_t now;                    /* moves on by a second with each entry */
    uint64_t seq;                   /* of the next entry: the size of the log */
    uint64_t numbers[OPL_PREFIXES]; /* given so far */
    char last_id[OPL_ID_SIZE];      /* what the last entry created, or "" */
    json_t *entries;                /* canonical bytes of each, in order */
    json_t *blobs;                  /* {hex: true, or its size} */
    json_t *nonces;                 /* {nonce: true} */
    bool unclean;                   /* the service's verify pass finds something */
    char *const *scope;             /* of the writer's token; NULL: all roles */
    struct opl_admission admission; /* of the last entry */
};

/* An empty log. */
struct story *story_new(void);
void story_free(struct story *story);
void story_freep(struct story **story);

/*
 * A log with people: admin (as at first start), alice, bob, carol (recorder, gate; bob and carol
 * approver.slurm, carol also reviewer, alice admin), the service "importer" of alice, the agents
 * "helper" (openai/gpt-5, of alice) and "second" (anthropic/claude-opus-4, of bob), keys of the
 * three people; a gate policy, rules and models adopted; bootstrap closed.
 */
struct story *story_begin(void);

/* One entry: `body` is taken. Returns its sequence number; story->last_id is what it created. */
uint64_t story_write(struct story *story, const char *actor, const char *kind, const char *on,
                     json_t *body);
OPL_MUST_CHECK bool story_try(struct story *story, const char *actor, const char *kind,
                              const char *on, json_t *body, struct opl_err *err);
/* Appends without admission, as a server that lets everything through would. */
uint64_t story_force(struct story *story, const char *actor, const char *kind, const char *on,
                     json_t *body);

/* A body from JSON text with single quotes for double ones, and printf arguments. */
json_t *story_body(const char *fmt, ...) OPL_PRINTF(1, 2);

/* Stores bytes: their digest, in a buffer of the story's that lives until the next call but seven.
 */
const char *story_blob(struct story *story, const char *text);
bool story_head(const struct story *story, uint64_t size, struct opl_head *head);

/* Keys, from a name. */
void story_key(const char *name, struct opl_sshkey *key);
void story_key_line(const char *name, char line[static 128]);
void story_fingerprint(const char *name, char out[static OPL_FINGERPRINT_SIZE]);
void story_enroll(struct story *story, const char *name, const char *roles); /* "a|b"; and a key */

/* A Statement and its signature; what is left out is as it should be. */
struct story_statement {
    const char *type; /* "opledger/approval" */
    const char *signer;
    json_t *about;             /* taken */
    const char *key;           /* NULL: the signer's */
    const char *ssh_namespace; /* NULL: that of the type */
    const char *origin;        /* NULL: the story's */
    const char *nonce;         /* NULL: a fresh one */
    uint64_t size;             /* 0: the log as it is */
    int64_t issued;            /* 0: now */
    int64_t expires;           /* 0: in an hour */
    bool spoiled;              /* one byte of the signed text is changed afterwards */
};

/* {statement, sshsig}: a body, to which the caller adds. New reference. */
json_t *story_sign(struct story *story, const struct story_statement *statement);
/* Adds a second signature to an administrative body, which is returned. */
json_t *story_second(struct story *story, const char *signer, const char *kind, json_t *body);

/* The usual acts. Those that create return nothing: see story->last_id. */
uint64_t story_incident(struct story *story, const char *actor);
uint64_t story_hypothesis(struct story *story, const char *actor, const char *inc);
/* Attaches `text` as evidence and returns its digest, good as long as a story_blob. */
const char *story_evidence(struct story *story, const char *actor, const char *on,
                           const char *text);
uint64_t story_vendor(struct story *story, const char *actor, const char *hyp, const char *state,
                      const char *digest); /* NULL: without evidence */
uint64_t story_reproduction(struct story *story, const char *actor, const char *hyp,
                            const char *outcome, const char *digest);
uint64_t story_close(struct story *story, const char *hyp, const char *how, const char *by);
uint64_t story_confirm(struct story *story, const char *actor, const char *on, uint64_t fact);
json_t *story_proposal(struct story *story, const char *hyp); /* body; hyp NULL: on none */
uint64_t story_change(struct story *story, const char *actor, const char *inc, const char *hyp);
/* A Statement that is right in everything, with its body; `spoil` may be NULL. */
json_t *story_approval(struct story *story, const char *signer, const char *chg);
uint64_t story_approve(struct story *story, const char *signer, const char *chg);
json_t *story_decision(struct story *story, const char *chg, const char *outcome);
uint64_t story_decide(struct story *story, const char *chg, const char *outcome);

#endif

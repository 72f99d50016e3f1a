/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kinds - the one table that says what an entry is (CONTRACT section 3).
 *
 * Per kind: what it creates, what it may be about, who may write it, its body field by field, which
 * Statement it carries and from which states it may follow. Validation, command flags, the API
 * reference and the tests are derived from these rows; a new kind is a new row.
 */
#ifndef OPLEDGER_KINDS_H
#define OPLEDGER_KINDS_H

#include <opledger/name.h>

enum opl_field_type {
    OPL_F_TEXT,      /* s<n>: plain string of at most `max` bytes */
    OPL_F_SEALED,    /* t: free text, in the log as {"sealed":"sha256:..."} */
    OPL_F_ENUM,      /* e(...): one of `words`, separated by | */
    OPL_F_DIGEST,    /* d: "sha256:" and 64 digits */
    OPL_F_HEX,       /* h: 64 digits */
    OPL_F_INT,       /* i: 0 to 2^53 - 1 */
    OPL_F_SEQ,       /* i: the sequence number of an earlier entry */
    OPL_F_MODEL,     /* m */
    OPL_F_ID,        /* id of a subject whose prefix is `prefix` */
    OPL_F_PRINCIPAL, /* a principal's name */
    OPL_F_ROLE,      /* a role or scope word */
    OPL_F_TARGET,
    OPL_F_HOST,
    OPL_F_VERSION,
    OPL_F_RANGE,        /* a software version range */
    OPL_F_TIME,         /* normalised to the stored form */
    OPL_F_WINDOW,       /* FROM/TO */
    OPL_F_POINTER,      /* JSON pointer */
    OPL_F_COUNTS,       /* {name: integer} */
    OPL_F_HEAD,         /* {origin, size, root} */
    OPL_F_REQUIREMENTS, /* [{name, status}], written by the gate; at most `max` of them */
    OPL_F_ROLE_NAME,    /* NAME of an approver.NAME role, as policies write it */
    OPL_F_NONCE,        /* 32 hexadecimal digits */
    OPL_F_DURATION,     /* one number and one unit */
    OPL_F_PROVIDER,     /* the parts of a model */
    OPL_F_MODEL_NAME,
    OPL_F_MODEL_VERSION,
    OPL_F_OBJECT, /* an object with rules of its own; as a list, at most `max` of them */
};

enum { OPL_FIELD_OPTIONAL = 1, OPL_FIELD_LIST = 2, OPL_FIELD_NULLABLE = 4 };

#define OPL_LIST_MAX 64
#define OPL_SEALED_MAX 16384 /* bytes of one free text */

struct opl_field {
    const char *name;
    enum opl_field_type type;
    unsigned flags;
    unsigned max;           /* OPL_F_TEXT: bytes */
    const char *words;      /* OPL_F_ENUM */
    enum opl_prefix prefix; /* OPL_F_ID; OPL_ID_NONE: of any prefix */
    const char *help;       /* one line for --help and the API reference */
};

/* Writers: classes of principals. */
enum { OPL_W_PERSON = 1, OPL_W_SERVICE = 2, OPL_W_AGENT = 4, OPL_W_ITSELF = 8 };

/* What an entry may be `on`: a bit per prefix, and whether it may be absent. */
#define OPL_ON(prefix) (1u << (prefix))
#define OPL_ON_NOTHING 1u /* = OPL_ON(OPL_ID_NONE) */

enum {
    OPL_KIND_ADMIN = 1,  /* administration: folded by the registry, countersigned after bootstrap */
    OPL_KIND_SIGNED = 2, /* body carries statement and sshsig of the writer */
    OPL_KIND_LATER =
        4, /* validated, then answered 409 wrong-state: its effect does not exist yet */
    OPL_KIND_POSITIVE = 8,  /* may be a positive fact */
    OPL_KIND_NEGATIVE = 16, /* may be a negative fact */
};

/* The states a subject can be in; a kind names those it may follow. */
enum opl_state {
    OPL_S_NONE = 0, /* no such subject */
    OPL_S_OPEN,     /* incident, override, hypothesis */
    OPL_S_CLOSED,
    OPL_S_PROPOSED, /* change, from here on */
    OPL_S_STARTED,
    OPL_S_APPLIED,
    OPL_S_FAILED,
    OPL_S_CALLED_OFF,
    OPL_S_REVERTED,
    OPL_S_UNKNOWN,
};

#define OPL_FROM(state) (1u << (state))
#define OPL_FROM_ANY 0u

struct opl_kind {
    const char *name; /* "hypothesis.recorded" */
    enum opl_prefix creates;
    unsigned on;      /* OPL_ON bits */
    unsigned writers; /* OPL_W bits */
    /* roles of which the writer needs one, separated by |; "approver.*" is any approver role */
    const char *roles;
    const struct opl_field *fields; /* ends with a NULL name */
    /* "prompt_sha256|prompt_unavailable", "seq,field|sha256" (commas join what goes together) */
    const char *exactly_one; /* NULL when there is no such rule */
    unsigned from;           /* OPL_FROM bits of the subject it is on */
    unsigned flags;          /* OPL_KIND bits */
    /*
     * Type of the Statement it carries, or NULL. With OPL_KIND_SIGNED it must be there; with
     * OPL_KIND_ADMIN it may be, and must once the bootstrap is closed.
     */
    const char *statement;
    const char *summary;
};

extern const struct opl_kind opl_kinds[]; /* ends with a NULL name; in the contract's order */

/* NULL when unknown. */
const struct opl_kind *opl_kind_find(const char *name);

/* A field by name in an array that ends with a NULL name, or NULL. */
const struct opl_field *opl_field_find(const struct opl_field *fields, const char *name);

/* Whether the text is one of the words, separated by |. */
bool opl_is_word(const char *words, const char *text, size_t len);

/* The field of a kind's body, or NULL. */
const struct opl_field *opl_kind_field(const struct opl_kind *kind, const char *name);

const char *opl_state_name(enum opl_state state);

#endif

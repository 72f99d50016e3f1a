/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rule - what one rule says, as parsed from YAML, and the compiled set of all.
 *
 * The anchors find candidates with Vectorscan, which tells where they end; the confirmation is a
 * PCRE2 expression searched from at most `back` bytes before that end. Its first set group, or
 * the whole match, is the value that the rule masks.
 */
#ifndef OPLEDGER_LIB_REDACT_RULE_H
#define OPLEDGER_LIB_REDACT_RULE_H

#include <opledger/redact.h>

/* How a value is replaced. */
enum rule_as {
    AS_SECRET,
    AS_PAYLOAD,
    AS_TEXT,
    AS_USER,
    AS_UID,
    AS_GROUP,
    AS_GID,
    AS_HOST, /* digits and hostlist ranges stay */
    AS_DOMAIN,
    AS_MAIL, /* user and host tokens around the @ */
    AS_IPV4, /* one token for the /24, one for the host */
    AS_IPV6,
    AS_HW,
    AS_ID,
    AS_SITE,
    AS_COUNT
};

/* What the learn pass takes from a match. */
enum rule_learn {
    LEARN_NONE,
    LEARN_USER,
    LEARN_HOST,
    LEARN_FQDN, /* a host and its domain */
    LEARN_DOMAIN,
    LEARN_MAIL,   /* the domain of an address */
    LEARN_PASSWD, /* groups: name, uid, gid */
    LEARN_PAIR,   /* groups: name, uid */
    LEARN_COUNT
};

struct rule_text; /* a compiled PCRE2 expression */
typedef bool (*rule_check_fn)(const char *value, size_t len);

#define RULE_ID_SIZE 64
#define RULE_ANCHORS 8

struct rule {
    char id[RULE_ID_SIZE];
    enum opl_rule_class class;
    enum rule_as as;
    enum rule_learn learn;
    rule_check_fn check; /* or NULL */
    const char *anchors[RULE_ANCHORS];
    unsigned anchor_back[RULE_ANCHORS]; /* widest match of each */
    size_t anchor_count;
    const char *confirm;
    unsigned before, reach;
    unsigned set; /* of anchors, see anchors.h */
    int cut;      /* bytes of a value that still identify it; 0: not when cut; -1: three quarters */
    bool learn_only;
    bool overrides;                    /* of a file that does */
    const json_t *positive, *negative; /* borrowed from the document */
    void *code;                        /* pcre2_code */
};

struct rules_later;

/*
 * The documents own the texts that rules point to. The sets `mask` and `verify` are there only
 * after opl_rules_ready: a thread may still be compiling them.
 */
struct opl_rules {
    struct rule *rules;
    size_t count;
    json_t *documents;
    struct anchors *mask;   /* all rules that mask */
    struct anchors *verify; /* the same, compiled separately and in another order */
    struct anchors *learn;  /* those that learn */
    struct rules_later *later;
};

/* Reads the rules of one file into *rules; OPL_E_INVALID names file and rule. */
bool rule_parse_file(struct opl_rules *rules, const struct opl_rule_file *file,
                     struct opl_err *err);

/* The shipped checks by name; NULL for none of that name. */
rule_check_fn rule_check_find(const char *name);

const char *rule_as_name(enum rule_as as);

#endif

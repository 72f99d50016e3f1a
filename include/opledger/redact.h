/* SPDX-License-Identifier: Apache-2.0 */
/*
 * redact - the filter that scrubs traces before they leave the site.
 *
 * Input is lexed into a decoded view with an offset map, searched there by rules, and what they
 * confirm is replaced by keyed pseudonyms. Two passes over the input (learn names, then mask), then
 * an independent verify pass over the output; a run that does not verify fails, and its output must
 * be thrown away. The library does no I/O: input and two output spools are callbacks. The result
 * depends on the input, the rules and the options alone, never on how the input came in.
 */
#ifndef OPLEDGER_REDACT_H
#define OPLEDGER_REDACT_H

#include <stdint.h>

#include <jansson.h>

#include <opledger/rules.h>

enum opl_format { OPL_FORMAT_AUTO, OPL_FORMAT_STRACE, OPL_FORMAT_PLAIN };

const char *opl_format_name(enum opl_format format);
bool opl_format_parse(const char *text, enum opl_format *out); /* "json" is not one yet */

/*
 * What a caller lends a run. Spools 0 and 1 are written from their beginning, one at a time;
 * out_write may be called from another thread while read is, never two of it at once.
 */
struct opl_redact_io {
    void *ctx;
    uint64_t size; /* of the input */
    bool (*read)(void *ctx, uint64_t at, void *bytes, size_t len, struct opl_err *err);
    bool (*out_reset)(void *ctx, int spool, struct opl_err *err);
    bool (*out_write)(void *ctx, int spool, const void *bytes, size_t len, struct opl_err *err);
    bool (*out_read)(void *ctx, int spool, uint64_t at, void *bytes, size_t len,
                     struct opl_err *err);
};

/* Faults that tests plant to see that nothing gets out. */
enum opl_redact_fault {
    OPL_FAULT_NONE,
    OPL_FAULT_VERIFY, /* the verify pass always finds something */
    OPL_FAULT_ENGINE, /* every confirmation fails as at its match limit */
    OPL_FAULT_SELFTEST
};

struct opl_redact_options {
    enum opl_format format;
    struct opl_key key;      /* the site's */
    const char *context;     /* "incident:inc-3", "site": pseudonyms join within one */
    unsigned unmasked;       /* OPL_RULES_BITs that may pass; secret never does */
    const char *destination; /* for the manifest, or NULL */
    struct opl_hash rules;   /* the rules digest, for the manifest */
    enum opl_redact_fault fault;
};

struct opl_redact_result {
    enum opl_format format;
    int spool; /* which one holds the output */
    uint64_t source_size, size;
    struct opl_hash source_sha256, sha256;
    uint64_t hits[OPL_RULES_CLASSES];
    uint64_t spans, decoded, truncated, unscannable, weak;
    unsigned rounds; /* of the verify pass */
};

struct opl_redact;

/* rules must outlive it. NULL on failure, also when the engines fail their self-test. */
OPL_MUST_CHECK struct opl_redact *opl_redact_new(const struct opl_rules *rules,
                                                 const struct opl_redact_options *options,
                                                 struct opl_err *err);
void opl_redact_free(struct opl_redact *redact);
void opl_redact_freep(struct opl_redact **redact);

/* Learns names from a file beside the input (slurm.conf, passwd, group, hosts), before the run. */
OPL_MUST_CHECK bool opl_redact_learn(struct opl_redact *redact, const char *text, size_t len,
                                     struct opl_err *err);

/*
 * Both passes and the verify rounds. On failure nothing in the spools may be released; OPL_E_VERIFY
 * when the output still holds what it must not after the last round.
 */
OPL_MUST_CHECK bool opl_redact_run(struct opl_redact *redact, const struct opl_redact_io *io,
                                   struct opl_redact_result *result, struct opl_err *err);

/* The same for a text that fits in memory; *out gets what may be released, nothing on failure. */
OPL_MUST_CHECK bool opl_redact_text(struct opl_redact *redact, const char *text, size_t len,
                                    struct opl_buf *out, struct opl_redact_result *result,
                                    struct opl_err *err);

/* CONTRACT section 6, "Redaction manifest", after a run: a new reference. */
OPL_MUST_CHECK json_t *opl_redact_manifest(const struct opl_redact *redact, int64_t started,
                                           int64_t finished, struct opl_err *err);

/* Pseudonym to original for identity, network and site, never a secret: a new reference. */
OPL_MUST_CHECK json_t *opl_redact_map(const struct opl_redact *redact, struct opl_err *err);

/* ---- the verify pass alone, as the server runs it over what is said to be scrubbed ---- */

struct opl_redact_finding {
    uint64_t count;
    uint64_t at;   /* the first: where in the text */
    char rule[64]; /* and by which rule */
    enum opl_rule_class class;
};

typedef bool (*opl_read_fn)(void *ctx, uint64_t at, void *bytes, size_t len, struct opl_err *err);

/* True when the pass itself worked; finding->count says whether something was found. */
OPL_MUST_CHECK bool opl_redact_verify(const struct opl_rules *rules, unsigned unmasked,
                                      opl_read_fn read, void *ctx, uint64_t size,
                                      struct opl_redact_finding *finding, struct opl_err *err);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rules - the redaction rules: YAML files, compiled once, shared by any number of runs and threads.
 *
 * Anchors say where to look (Vectorscan), a confirmation says what is there (PCRE2). Each rule
 * carries the examples that lint runs.
 */
#ifndef OPLEDGER_RULES_H
#define OPLEDGER_RULES_H

#include <opledger/buf.h>
#include <opledger/crypto.h>

enum opl_rule_class {
    OPL_RULES_SECRET, /* in order of rank: where spans overlap the first wins */
    OPL_RULES_IDENTITY,
    OPL_RULES_NETWORK,
    OPL_RULES_SITE,
    OPL_RULES_USERTEXT
};

#define OPL_RULES_CLASSES 5
#define OPL_RULES_BIT(class) (1u << (class))

const char *opl_rule_class_name(enum opl_rule_class class);
bool opl_rule_class_parse(const char *text, enum opl_rule_class *out);

struct opl_rule_file {
    const char *name; /* as adopted, "site/slurm", or its path, ".../redact/site/slurm.yaml" */
    const char *text; /* YAML */
    size_t len;
    bool overrides; /* a rule of it takes the place of one with its id in files before it */
};

struct opl_rules;

/* The shipped files in policies/redact/; their number. At most max are filled in. */
size_t opl_rules_builtin(struct opl_rule_file *out, size_t max);

/*
 * Parses and compiles. NULL on failure: OPL_E_INVALID names file and rule, also for one that
 * matches its own replacement.
 */
OPL_MUST_CHECK struct opl_rules *opl_rules_new(const struct opl_rule_file *files, size_t count,
                                               struct opl_err *err);

/*
 * The same, but returns while a thread still compiles what a run needs after its learn pass; the
 * run waits for it, and fails where the compilation did.
 */
OPL_MUST_CHECK struct opl_rules *opl_rules_start(const struct opl_rule_file *files, size_t count,
                                                 struct opl_err *err);

/* Waits for that thread; from any thread, any number of times. */
OPL_MUST_CHECK bool opl_rules_ready(const struct opl_rules *rules, struct opl_err *err);
void opl_rules_free(struct opl_rules *rules);
void opl_rules_freep(struct opl_rules **rules);

/* The anchor expressions, one a line, in the subset that rg, Vectorscan and PCRE2 share. */
void opl_rules_anchors(const struct opl_rules *rules, struct opl_buf *out);

/*
 * Compiles the files and runs every example and the variants derived from it: escaped, in hex, cut,
 * quoted. report is called with file or rule and what is wrong; true when it never was.
 */
typedef void (*opl_lint_fn)(void *ctx, const char *where, const char *what);
bool opl_rules_lint(const struct opl_rule_file *files, size_t count, opl_lint_fn report, void *ctx);

/* CONTRACT section 3, "Digests of policies": the rules digest, over these files and the models. */
OPL_MUST_CHECK bool opl_rules_digest(const struct opl_hash *models,
                                     const struct opl_rule_file *files, size_t count,
                                     struct opl_hash *out, struct opl_err *err);

#endif

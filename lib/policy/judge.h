/* SPDX-License-Identifier: Apache-2.0 */
/*
 * judge - one evaluation of one change: what all requirements look at.
 *
 * Built once from the world, then read by the requirements. `below` is the one thing that changes
 * between passes: with UINT64_MAX all positive facts count, with the log size that an approver saw
 * only those before it. Negative facts always count: nobody gets a denial away by looking earlier.
 */
#ifndef OPLEDGER_LIB_POLICY_JUDGE_H
#define OPLEDGER_LIB_POLICY_JUDGE_H

#include <opledger/gate.h>

#include "families.h"

struct judge {
    struct opl_world *world;
    const struct opl_gate_input *input;
    const struct opl_fold *change;
    const struct opl_fact *proposal; /* change.proposed */
    const struct opl_fact *in_force; /* the last revision, or the proposal */
    const char *proposer;
    const json_t *hypotheses; /* ids, borrowed */
    struct opl_manifest manifest;
    struct opl_hash manifest_digest;
    struct opl_hash base;
    struct opl_hash policy;           /* the gate digest */
    struct opl_gate_policy *policies; /* those that apply, by name */
    size_t policy_count;
    struct families *models; /* NULL: why_no_models says why */
    char why_no_models[160];
    const struct opl_gate_policy *judging; /* the policy whose requirement is looked at */
    uint64_t below;
};

/* OPL_E_NOT_FOUND: no such change; OPL_E_UNAVAILABLE: a document it needs cannot be read. */
OPL_MUST_CHECK bool judge_open(struct judge *judge, struct opl_world *world,
                               const struct opl_gate_input *input, struct opl_err *err);
void judge_close(struct judge *judge);

/* The fold of the i-th hypothesis of the change, NULL past the end; OPL_E_LOG when it is not in the
 * log. *hyp is borrowed from the world. */
OPL_MUST_CHECK bool judge_hypothesis(struct judge *judge, size_t i, const struct opl_fold **hyp,
                                     struct opl_err *err);

/* False when the change rests on none; the row then says so: not applicable where the policy's
 * hypothesis requirement lists none, unsatisfied otherwise. */
bool judge_has_hypotheses(const struct judge *judge, struct opl_requirement *row);

/* The newest of the facts that do not count which a second person's signature would make count;
 * NULL when none has evidence. */
const struct opl_fact *judge_confirmable(const struct opl_fold *hyp, const struct opl_seqs *facts);

/* How this pass looks at facts, with the `signed` option of a requirement. */
struct opl_hyp_view judge_view(const struct judge *judge, const json_t *options);

/* Whether a fact is of this kind. */
bool fact_is(const struct opl_fact *fact, const char *kind);

/* Whether two principals are one person. */
bool judge_same_person(const struct judge *judge, const char *a, const char *b);

/* Whether a row stands in nobody's way. */
bool row_holds(const struct opl_requirement *row);

/* Appends to a text of fixed size; what does not fit ends in three dots. */
void text_add(char *text, size_t size, const char *fmt, ...) OPL_PRINTF(3, 4);

/* Adds to a row's detail, likewise. Only ids, numbers, role words and
 * words of ours: never recorded text. */
void row_say(struct opl_requirement *row, const char *fmt, ...) OPL_PRINTF(2, 3);

/* Adds `lead` and the numbers, in order; nothing when there are none. */
void row_say_seqs(struct opl_requirement *row, const char *lead, const struct opl_seqs *seqs);

/* Puts the facts of a row in log order. */
void row_sort(struct opl_requirement *row);

/* Makes a row unsatisfied; the first next command given stays. */
void row_lacks(struct opl_requirement *row, const char *next, ...) OPL_PRINTF(2, 3);

#endif

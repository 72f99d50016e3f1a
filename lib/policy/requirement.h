/* SPDX-License-Identifier: Apache-2.0 */
/*
 * requirement - the one table of what a policy can require: name, options, and who judges it.
 *
 * A judging function starts from a row that is SATISFIED and takes that away (row_lacks) for each
 * thing that is missing. It returns false only when the world could not be read.
 */
#ifndef OPLEDGER_LIB_POLICY_REQUIREMENT_H
#define OPLEDGER_LIB_POLICY_REQUIREMENT_H

#include "judge.h"
#include "policy_fields.h"

typedef bool (*judge_fn)(struct judge *judge, const json_t *options, struct opl_requirement *row,
                         struct opl_err *err);

struct requirement {
    const char *name;
    const struct policy_field *options;
    judge_fn judge; /* NULL: judged after all others, by approvals.c */
};

extern const struct requirement requirements[OPL_REQ_COUNT];

/* NULL when there is no requirement of this name. */
const struct requirement *requirement_find(const char *name);

/* How many requirements the policies that apply have in all. */
size_t judge_row_count(const struct judge *judge);

/*
 * Judges the i-th of them in this pass. Approvals are left NOT_APPLICABLE: they are judged after
 * all others, by approvals_require.
 */
OPL_MUST_CHECK bool judge_row(struct judge *judge, size_t i, struct opl_requirement *row,
                              struct opl_err *err);

/* Its specification, and the policy that it belongs to. */
const struct opl_requirement_spec *judge_spec(const struct judge *judge, size_t i,
                                              const struct opl_gate_policy **policy);

OPL_MUST_CHECK bool require_hypothesis(struct judge *judge, const json_t *options,
                                       struct opl_requirement *row, struct opl_err *err);
OPL_MUST_CHECK bool require_vendor(struct judge *judge, const json_t *options,
                                   struct opl_requirement *row, struct opl_err *err);
OPL_MUST_CHECK bool require_cross_check(struct judge *judge, const json_t *options,
                                        struct opl_requirement *row, struct opl_err *err);

/* Requirements that this version knows by name only: ERROR, so that they never open the gate. */
OPL_MUST_CHECK bool require_later(struct judge *judge, const json_t *options,
                                  struct opl_requirement *row, struct opl_err *err);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * approvals - which of a change's approvals count, and why the others do not (CONTRACT section 4,
 * "An approval counts").
 *
 * Read after every other requirement was judged: an approval counts only while all of them are met
 * by positive facts that its signer could see.
 */
#ifndef OPLEDGER_LIB_POLICY_APPROVALS_H
#define OPLEDGER_LIB_POLICY_APPROVALS_H

#include <opledger/statement.h>

#include "judge.h"

#define ROLE_PREFIX "approver." /* policies write roles without it */

/* One approval.signed. why_not "" while nothing speaks against it. */
struct candidate {
    struct opl_approval shown;
    const struct opl_fact *fact;
    struct opl_statement statement;
    const char *person; /* who stands behind the signer */
    bool hardware;      /* a token that a second person has seen, and that was touched */
    bool counted;       /* by the requirement that is looked at */
    bool used;          /* some requirement counted it */
    const char *passed; /* why a requirement passed it over, though it holds */
    bool weighed;       /* missing and rests_on hold for its log size */
    enum opl_requirement_kind missing; /* the requirement not met below its log size */
    uint64_t rests_on;                 /* a fact at or above that size; UINT64_MAX: none is */
};

struct approvals {
    struct candidate *list;
    size_t count;
    bool may_sign; /* all other requirements are met: who signs now signs what counts */
};

/* Reads all approvals of the change. `rows`: what the other requirements say of all facts. */
OPL_MUST_CHECK bool approvals_open(struct approvals *approvals, struct judge *judge,
                                   const struct opl_requirement *rows, size_t row_count,
                                   struct opl_err *err);
void approvals_close(struct approvals *approvals);

/* Judges one approvals requirement, and marks those that it counts. */
void approvals_require(struct approvals *approvals, const struct judge *judge,
                       const json_t *options, struct opl_requirement *row);

/* Shows them in a result: those that no requirement used do not count either. */
void approvals_show(struct approvals *approvals, struct opl_gate_result *result);

/* Says why an approval does not count; the first reason stays. */
void candidate_refuse(struct candidate *candidate, const char *fmt, ...) OPL_PRINTF(2, 3);

/* Everything that the approval, its signer and its key say on their own. */
void approvals_check(struct candidate *candidate, struct judge *judge);

/* What the log holds beside it: revisions and negative facts since, and the facts it rests on. */
OPL_MUST_CHECK bool approvals_weigh(struct approvals *approvals, struct candidate *candidate,
                                    struct judge *judge, const struct opl_requirement *rows,
                                    size_t row_count, struct opl_err *err);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * explain_hypothesis - what stands of one hypothesis, for the page of `gate explain`.
 */
#ifndef OPLEDGER_CLIENT_EXPLAIN_HYPOTHESIS_H
#define OPLEDGER_CLIENT_EXPLAIN_HYPOTHESIS_H

#include <opledger/world.h>

struct client;

enum explain_when { EXPLAIN_ALWAYS, EXPLAIN_IF_DISPUTED };

/* The page of one change. */
struct explain_page {
    struct client *client;
    struct opl_world *world;
    const char *proposer; /* of the change: what this person recorded is marked */
};

/* Status, age, claim, evidence, verdicts, vendor and reproductions, each with its number and who
 * recorded it. Adds one to *shown unless there was nothing to dispute. */
OPL_MUST_CHECK bool explain_hypothesis(const struct explain_page *page, const char *id,
                                       enum explain_when when, size_t *shown, struct opl_err *err);

#endif

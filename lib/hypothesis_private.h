/* SPDX-License-Identifier: Apache-2.0 */
/* hypothesis_private - one weighing of a hypothesis, and what it inherits (hypothesis_chain.c). */
#ifndef OPLEDGER_LIB_HYPOTHESIS_PRIVATE_H
#define OPLEDGER_LIB_HYPOTHESIS_PRIVATE_H

#include <opledger/hypothesis.h>

/* One weighing: borrowed parts, and the result that grows. */
struct opl_weigh {
    struct opl_world *world;
    const struct opl_hyp_view *view;
    struct opl_hyp_result *out;
    bool blocked;
};

bool opl_fact_is(const struct opl_fact *fact, const char *kind);

/* Notes a blocking fact; the status that comes first in the enumeration wins. */
void opl_weigh_block(struct opl_weigh *weigh, enum opl_hyp_status status, uint64_t seq);

/*
 * Blocks with what stands against `fold` itself, as seen from hypothesis `child` ("": from itself):
 * facts at or below `answered` count no longer.
 */
OPL_MUST_CHECK bool opl_weigh_blocks(struct opl_weigh *weigh, const struct opl_fold *fold,
                                     const char *child, int64_t answered, struct opl_err *err);

/* The newest positive fact of `fold` that counts and that a second person signed, or -1. */
OPL_MUST_CHECK bool opl_weigh_answer(struct opl_weigh *weigh, const struct opl_fold *fold,
                                     int64_t *seq, struct opl_err *err);

/* Blocks with what stands against the hypotheses that `fold` refines or replaces. */
OPL_MUST_CHECK bool opl_weigh_inherited(struct opl_weigh *weigh, const struct opl_fold *fold,
                                        struct opl_err *err);

#endif

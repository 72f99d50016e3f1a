/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hypothesis - what stands of a model's guess (CONTRACT section 3, "Status of a hypothesis").
 *
 * What blocks comes first; otherwise every positive fact that holds counts beside the others, and
 * the strongest is shown. Verdicts are shown beside the status and never averaged into it.
 */
#ifndef OPLEDGER_HYPOTHESIS_H
#define OPLEDGER_HYPOTHESIS_H

#include <opledger/world.h>

/* In order of precedence: the blocking ones first. */
enum opl_hyp_status {
    OPL_HYP_WITHDRAWN,
    OPL_HYP_SUPERSEDED,
    OPL_HYP_REFUTED,
    OPL_HYP_CONTESTED,
    OPL_HYP_INCONCLUSIVE,
    OPL_HYP_VENDOR_CONFIRMED,
    OPL_HYP_REPRODUCED,
    OPL_HYP_ASKED,
    OPL_HYP_UNCONFIRMED,
};

const char *opl_hyp_status_name(enum opl_hyp_status status);
bool opl_hyp_status_blocks(enum opl_hyp_status status);

#define OPL_FACTS_MAX 64

/* Sequence numbers, as the gate shows them. */
struct opl_seqs {
    uint64_t seq[OPL_FACTS_MAX];
    size_t count; /* beyond the maximum: dropped */
};

void opl_seqs_add(struct opl_seqs *seqs, uint64_t seq);

/* How to look. */
struct opl_hyp_view {
    const char *proposer;    /* of the change; NULL: any recorder counts */
    uint64_t positive_below; /* positive facts at or above do not count; UINT64_MAX: all */
    const char *signed_by; /* NULL, "touch" or "key": a confirmation.signed of that sort is asked */
    /* What it replaced is looked for among the subjects that the world holds: for lists, which
     * are no authority. Otherwise all hypotheses of the incident are loaded first. */
    bool held_only;
};

struct opl_hyp_result {
    enum opl_hyp_status status;
    bool vendor_confirmed; /* each positive fact on its own, when nothing blocks */
    bool reproduced;
    struct opl_seqs confirmed_by;  /* vendor.updated that count */
    struct opl_seqs reproduced_by; /* reproduction.recorded that count */
    struct opl_seqs against;       /* what blocks or speaks against */
    struct opl_seqs not_counted;   /* positive, but without evidence or second say-so */
    int64_t confirmed_at;          /* of the newest fact that counts; -1 */
};

OPL_MUST_CHECK bool opl_hypothesis_status(struct opl_world *world, const struct opl_fold *hyp,
                                          const struct opl_hyp_view *view,
                                          struct opl_hyp_result *out, struct opl_err *err);

/*
 * Whether a positive fact of a hypothesis or change counts for a change proposed by `proposer`:
 * not withdrawn, with evidence, recorded by another person or confirmed by one.
 */
OPL_MUST_CHECK bool opl_fact_counts(struct opl_world *world, const struct opl_fold *fold,
                                    const struct opl_fact *fact, const struct opl_hyp_view *view,
                                    bool *counts, struct opl_err *err);

/* Whether an entry says something that may open the gate, or may be taken back. */
bool opl_fact_is_positive(const struct opl_fact *fact);
bool opl_fact_is_withdrawable(const struct opl_fact *fact);

/*
 * Whether a confirmation.signed holds: not withdrawn, its Statement about its fact and below its
 * log size, its signature by a key of its actor that is valid, by another person than the fact's
 * recorder. *touched says that a token was used which somebody has seen. False is no error.
 */
bool opl_confirmation_holds(struct opl_world *world, const struct opl_fold *fold,
                            const struct opl_fact *confirmation, bool *touched);

/* Whether a second person, who is not view->proposer either, has signed the fact. */
bool opl_fact_is_second_signed(struct opl_world *world, const struct opl_fold *fold,
                               const struct opl_fact *fact, const struct opl_hyp_view *view);

/* Whether an egress was recorded on the incident or one of its hypotheses. */
OPL_MUST_CHECK bool opl_egress_within(struct opl_world *world, const struct opl_fold *egress,
                                      const char *incident, bool *yes, struct opl_err *err);

/* Whether an egress of the incident accounts for the prompt of a hypothesis or verdict. */
OPL_MUST_CHECK bool opl_prompt_accounted(struct opl_world *world, const struct opl_fold *hyp,
                                         const struct opl_fact *fact, bool *accounted,
                                         struct opl_err *err);

#endif

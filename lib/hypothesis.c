/* SPDX-License-Identifier: Apache-2.0 */
/*
 * First what blocks, the hypothesis's own and what it inherits; then every positive fact that
 * counts. Nothing here weighs verdicts: they are shown beside the status.
 */
#include "hypothesis_private.h"

#include <opledger/json.h>

static const char *const status_names[] = {
    [OPL_HYP_WITHDRAWN] = "withdrawn",       [OPL_HYP_SUPERSEDED] = "superseded",
    [OPL_HYP_REFUTED] = "refuted",           [OPL_HYP_CONTESTED] = "contested",
    [OPL_HYP_INCONCLUSIVE] = "inconclusive", [OPL_HYP_VENDOR_CONFIRMED] = "vendor-confirmed",
    [OPL_HYP_REPRODUCED] = "reproduced",     [OPL_HYP_ASKED] = "asked",
    [OPL_HYP_UNCONFIRMED] = "unconfirmed",
};

const char *opl_hyp_status_name(enum opl_hyp_status status)
{
    return status_names[status];
}

bool opl_hyp_status_blocks(enum opl_hyp_status status)
{
    return status <= OPL_HYP_INCONCLUSIVE;
}

void opl_seqs_add(struct opl_seqs *seqs, uint64_t seq)
{
    for (size_t i = 0; i < seqs->count; i++) {
        if (seqs->seq[i] == seq)
            return;
    }
    if (seqs->count < OPL_FACTS_MAX)
        seqs->seq[seqs->count++] = seq;
}

bool opl_fact_is(const struct opl_fact *fact, const char *kind)
{
    return fact->kind != NULL && strcmp(fact->kind->name, kind) == 0;
}

static bool says(const struct opl_fact *fact, const char *field, const char *word)
{
    const char *value = opl_json_str(fact->body, field);

    return value != NULL && strcmp(value, word) == 0;
}

/* What an agent says against a hypothesis is shown and blocks nothing. */
static bool is_by_agent(const struct opl_world *world, const struct opl_fact *fact)
{
    const struct opl_principal *actor =
        opl_registry_principal(opl_world_registry(world), fact->actor);

    return actor != NULL && actor->class == OPL_CLASS_AGENT;
}

void opl_weigh_block(struct opl_weigh *weigh, enum opl_hyp_status status, uint64_t seq)
{
    opl_seqs_add(&weigh->out->against, seq);
    if (!weigh->blocked || status < weigh->out->status)
        weigh->out->status = status;
    weigh->blocked = true;
}

/* Whether the vendor has taken back what was confirmed at `seq`. */
static bool is_taken_back(const struct opl_fold *fold, uint64_t seq)
{
    for (size_t i = fold->fact_count; i-- > 0 && fold->facts[i].seq > seq;) {
        if (opl_fact_is(&fold->facts[i], "vendor.updated") &&
            says(&fold->facts[i], "state", "withdrawn"))
            return true;
    }
    return false;
}

static bool is_confirmation(const struct opl_fact *fact)
{
    return opl_fact_is(fact, "vendor.updated") && says(fact, "state", "confirmed");
}

static bool is_reproduction(const struct opl_fact *fact)
{
    return opl_fact_is(fact, "reproduction.recorded") && says(fact, "outcome", "reproduced");
}

/* Whether a positive fact of a hypothesis counts, the vendor's later word included. */
static bool stands(struct opl_weigh *weigh, const struct opl_fold *fold,
                   const struct opl_fact *fact, bool *yes, struct opl_err *err)
{
    *yes = false;
    if (is_confirmation(fact) && is_taken_back(fold, fact->seq))
        return true;
    return opl_fact_counts(weigh->world, fold, fact, weigh->view, yes, err);
}

/* A vendor's no is answered by a later yes that two people stand for. */
static bool is_answered(struct opl_weigh *weigh, const struct opl_fold *fold, uint64_t rejected,
                        bool *yes, struct opl_err *err)
{
    *yes = false;
    for (size_t i = fold->fact_count; !*yes && i-- > 0 && fold->facts[i].seq > rejected;) {
        const struct opl_fact *fact = &fold->facts[i];

        if (!is_confirmation(fact))
            continue;
        if (!stands(weigh, fold, fact, yes, err))
            return false;
        *yes = *yes && opl_fact_is_second_signed(weigh->world, fold, fact, weigh->view);
    }
    return true;
}

static void block_closed(struct opl_weigh *weigh, const struct opl_fact *fact, const char *child)
{
    static const enum opl_hyp_status closings[] = {
        OPL_HYP_WITHDRAWN,
        OPL_HYP_SUPERSEDED,
        OPL_HYP_REFUTED,
        OPL_HYP_INCONCLUSIVE,
    };

    const char *how = opl_json_str(fact->body, "how");
    enum opl_hyp_status status = OPL_HYP_REFUTED;

    for (size_t i = 0; how != NULL && i < sizeof closings / sizeof *closings; i++) {
        if (strcmp(how, status_names[closings[i]]) == 0)
            status = closings[i];
    }
    /* giving way to its successor is nothing against the successor */
    if (status == OPL_HYP_SUPERSEDED && says(fact, "by", child))
        return;
    opl_weigh_block(weigh, status, fact->seq);
}

static bool block_vendor(struct opl_weigh *weigh, const struct opl_fold *fold,
                         const struct opl_fact *fact, struct opl_err *err)
{
    bool answered;

    if (!says(fact, "state", "rejected"))
        return true;
    if (!is_answered(weigh, fold, fact->seq, &answered, err))
        return false;
    if (!answered)
        opl_weigh_block(weigh, OPL_HYP_REFUTED, fact->seq);
    return true;
}

static void block_reproduction(struct opl_weigh *weigh, const struct opl_fact *fact)
{
    if (says(fact, "outcome", "contradicted"))
        opl_weigh_block(weigh, OPL_HYP_REFUTED, fact->seq);
    else if (says(fact, "outcome", "not-reproduced"))
        opl_weigh_block(weigh, OPL_HYP_CONTESTED, fact->seq);
}

bool opl_weigh_blocks(struct opl_weigh *weigh, const struct opl_fold *fold, const char *child,
                      int64_t answered, struct opl_err *err)
{
    for (size_t i = 0; i < fold->fact_count; i++) {
        const struct opl_fact *fact = &fold->facts[i];

        if ((int64_t)fact->seq <= answered || is_by_agent(weigh->world, fact))
            continue;
        if (opl_fact_is(fact, "hypothesis.closed"))
            block_closed(weigh, fact, child);
        else if (opl_fact_is(fact, "reproduction.recorded"))
            block_reproduction(weigh, fact);
        else if (opl_fact_is(fact, "vendor.updated") && !block_vendor(weigh, fold, fact, err))
            return false;
    }
    return true;
}

bool opl_weigh_answer(struct opl_weigh *weigh, const struct opl_fold *fold, int64_t *seq,
                      struct opl_err *err)
{
    *seq = -1;
    for (size_t i = fold->fact_count; *seq < 0 && i-- > 0;) {
        const struct opl_fact *fact = &fold->facts[i];
        bool yes;

        if (!is_confirmation(fact) && !is_reproduction(fact))
            continue;
        if (!stands(weigh, fold, fact, &yes, err))
            return false;
        if (yes && opl_fact_is_second_signed(weigh->world, fold, fact, weigh->view))
            *seq = (int64_t)fact->seq;
    }
    return true;
}

static bool add_positive(struct opl_weigh *weigh, const struct opl_fold *fold,
                         const struct opl_fact *fact, struct opl_seqs *seqs, struct opl_err *err)
{
    bool yes;

    if (!stands(weigh, fold, fact, &yes, err))
        return false;
    opl_seqs_add(yes ? seqs : &weigh->out->not_counted, fact->seq);
    if (yes && fact->at > weigh->out->confirmed_at)
        weigh->out->confirmed_at = fact->at;
    return true;
}

static bool speaks_against(const struct opl_fact *fact)
{
    return (opl_fact_is(fact, "verdict.recorded") && says(fact, "verdict", "disagrees")) ||
           (opl_fact_is(fact, "vendor.updated") && says(fact, "state", "withdrawn")) ||
           (opl_fact_is(fact, "reproduction.recorded") && !is_reproduction(fact));
}

/* The positive facts, and what is shown beside them. */
static bool weigh_own(struct opl_weigh *weigh, const struct opl_fold *fold, bool *asked,
                      struct opl_err *err)
{
    struct opl_hyp_result *out = weigh->out;

    for (size_t i = 0; i < fold->fact_count; i++) {
        const struct opl_fact *fact = &fold->facts[i];
        struct opl_seqs *seqs = is_confirmation(fact) ? &out->confirmed_by : &out->reproduced_by;

        if (opl_fact_is(fact, "vendor.updated"))
            *asked |= says(fact, "state", "asked") || says(fact, "state", "acknowledged");
        if (speaks_against(fact))
            opl_seqs_add(&out->against, fact->seq);
        if ((is_confirmation(fact) || is_reproduction(fact)) &&
            !add_positive(weigh, fold, fact, seqs, err))
            return false;
    }
    return true;
}

static void settle(struct opl_weigh *weigh, bool asked)
{
    struct opl_hyp_result *out = weigh->out;

    if (weigh->blocked)
        return;
    out->vendor_confirmed = out->confirmed_by.count > 0;
    out->reproduced = out->reproduced_by.count > 0;
    if (out->vendor_confirmed)
        out->status = OPL_HYP_VENDOR_CONFIRMED;
    else if (out->reproduced)
        out->status = OPL_HYP_REPRODUCED;
    else
        out->status = asked ? OPL_HYP_ASKED : OPL_HYP_UNCONFIRMED;
}

bool opl_hypothesis_status(struct opl_world *world, const struct opl_fold *hyp,
                           const struct opl_hyp_view *view, struct opl_hyp_result *out,
                           struct opl_err *err)
{
    struct opl_weigh weigh = {world, view, out, false};
    bool asked = false;

    *out = (struct opl_hyp_result){.status = OPL_HYP_UNCONFIRMED, .confirmed_at = -1};
    if (!opl_weigh_blocks(&weigh, hyp, "", -1, err) || !opl_weigh_inherited(&weigh, hyp, err) ||
        !weigh_own(&weigh, hyp, &asked, err))
        return false;
    settle(&weigh, asked);
    return true;
}

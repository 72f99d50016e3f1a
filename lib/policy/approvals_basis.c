/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an approval rests on. Its Statement names the log that the signer had verified; nothing that
 * came later may be what opens the gate, and nothing negative may have come later.
 */
#include "approvals.h"

#include <inttypes.h>

#include <opledger/json.h>

#include "requirement.h"

#define NO_FACT UINT64_MAX

struct negative {
    const char *kind;
    const char *key; /* NULL: always */
    const char *words;
};

static const struct negative negatives[] = {
    {"verdict.recorded",      "verdict", "disagrees"                  },
    {"vendor.updated",        "state",   "rejected|withdrawn"         },
    {"reproduction.recorded", "outcome", "not-reproduced|contradicted"},
    {"testrun.recorded",      "outcome", "failed"                     },
    {"rehearsal.recorded",    "outcome", "failed"                     },
    {"hypothesis.closed",     NULL,      NULL                         },
    {"fact.withdrawn",        NULL,      NULL                         },
};

static bool is_negative(const struct opl_fact *fact)
{
    for (size_t i = 0; i < sizeof negatives / sizeof negatives[0]; i++) {
        const struct negative *row = &negatives[i];
        const char *word = row->key ? opl_json_str(fact->body, row->key) : NULL;

        if (fact_is(fact, row->kind))
            return !row->key || !word || policy_is_among(row->words, word);
    }
    return false;
}

/* What agents say against it is shown, what people and services say blocks. */
static bool is_by_agent(const struct judge *judge, const struct opl_fact *fact)
{
    const struct opl_principal *actor =
        opl_registry_principal(opl_world_registry(judge->world), fact->actor);

    return actor && actor->class == OPL_CLASS_AGENT;
}

static void weigh_fold(struct candidate *candidate, const struct judge *judge,
                       const struct opl_fold *fold)
{
    for (size_t i = 0; i < fold->fact_count; i++) {
        const struct opl_fact *fact = &fold->facts[i];

        if (fact->seq < candidate->statement.log.size)
            continue;
        if (fact_is(fact, "change.revised"))
            candidate_refuse(candidate, "overtaken by the revision of entry %" PRIu64, fact->seq);
        else if (is_negative(fact) && !is_by_agent(judge, fact))
            candidate_refuse(candidate, "overtaken by entry %" PRIu64 ", which speaks against it",
                             fact->seq);
    }
}

static bool weigh_negatives(struct candidate *candidate, struct judge *judge, struct opl_err *err)
{
    const struct opl_fold *hyp;

    weigh_fold(candidate, judge, judge->change);
    for (size_t i = 0; i < json_array_size(judge->hypotheses); i++) {
        if (!judge_hypothesis(judge, i, &hyp, err))
            return false;
        weigh_fold(candidate, judge, hyp);
    }
    return true;
}

static uint64_t first_at_or_above(const struct opl_seqs *seqs, uint64_t size)
{
    uint64_t first = NO_FACT;

    for (size_t i = 0; i < seqs->count; i++) {
        if (seqs->seq[i] >= size && seqs->seq[i] < first)
            first = seqs->seq[i];
    }
    return first;
}

/* Judges again, as the signer could have: the first requirement that is then not met. */
static bool judge_below(struct candidate *candidate, struct judge *judge,
                        const struct opl_requirement *rows, size_t row_count, struct opl_err *err)
{
    uint64_t size = candidate->statement.log.size;
    bool ok = true;

    judge->below = size;
    candidate->missing = OPL_REQ_COUNT;
    candidate->rests_on = NO_FACT;
    for (size_t i = 0; ok && i < row_count && candidate->missing == OPL_REQ_COUNT; i++) {
        struct opl_requirement then = {.status = OPL_NOT_APPLICABLE};

        ok = judge_row(judge, i, &then, err);
        if (!ok || row_holds(&then))
            continue;
        candidate->missing = then.kind;
        if (row_holds(&rows[i]))
            candidate->rests_on = first_at_or_above(&rows[i].for_, size);
    }
    judge->below = UINT64_MAX;
    candidate->weighed = ok;
    return ok;
}

/* Two approvals of the same log rest on the same facts. */
static bool copy_earlier(const struct approvals *approvals, struct candidate *candidate)
{
    for (const struct candidate *other = approvals->list; other < candidate; other++) {
        if (!other->weighed || other->statement.log.size != candidate->statement.log.size)
            continue;
        candidate->missing = other->missing;
        candidate->rests_on = other->rests_on;
        candidate->weighed = true;
        return true;
    }
    return false;
}

bool approvals_weigh(struct approvals *approvals, struct candidate *candidate, struct judge *judge,
                     const struct opl_requirement *rows, size_t row_count, struct opl_err *err)
{
    if (!weigh_negatives(candidate, judge, err))
        return false;
    if (candidate->shown.why_not[0] != '\0')
        return true;
    if (!copy_earlier(approvals, candidate) && !judge_below(candidate, judge, rows, row_count, err))
        return false;
    if (candidate->rests_on != NO_FACT)
        candidate_refuse(candidate,
                         "signed before fact %" PRIu64 " that it rests on: read gate explain, then "
                         "sign again: opledger approval sign %s --role %.40s",
                         candidate->rests_on, judge->change->id, candidate->shown.role);
    else if (candidate->missing != OPL_REQ_COUNT)
        candidate_refuse(candidate, "signed while %s was not met: sign again once it is",
                         opl_requirement_name(candidate->missing));
    return true;
}

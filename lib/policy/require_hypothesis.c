/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hypothesis: every hypothesis that the change rests on has one of the listed positive facts, young
 * enough, and nothing blocks it. For the reader the row also names the refuted and disputed
 * hypotheses of the incident on which the change says nothing.
 */
#include "requirement.h"

#include <inttypes.h>

#include <opledger/json.h>
#include <opledger/time.h>

#define OTHERS_MAX 32 /* hypotheses of the incident that are looked at beside the change's own */

struct asked {
    struct judge *judge;
    const json_t *options;
    struct opl_hyp_view view;
    int64_t oldest; /* facts before it are too old */
};

/* Adds the listed facts that are young enough; false when there is none. */
static bool add_fresh(const struct asked *asked, const struct opl_fold *hyp, const char *status,
                      const struct opl_seqs *facts, struct opl_requirement *row)
{
    bool found = false;

    if (!policy_has_word(asked->options, "status", status))
        return false;
    for (size_t i = 0; i < facts->count; i++) {
        const struct opl_fact *fact = opl_fold_fact(hyp, facts->seq[i]);

        if (!fact || fact->at < asked->oldest)
            continue;
        opl_seqs_add(&row->for_, facts->seq[i]);
        found = true;
    }
    return found;
}

/* What to type so that the hypothesis may hold one day. */
static void say_next(const struct asked *asked, const struct opl_fold *hyp,
                     const struct opl_hyp_result *is, struct opl_requirement *row)
{
    const struct opl_fact *confirmable = judge_confirmable(hyp, &is->not_counted);

    if (opl_hyp_status_blocks(is->status))
        row_lacks(row, "opledger hypothesis show %s", hyp->id);
    else if (confirmable)
        row_lacks(row, "opledger confirm %s %" PRIu64, hyp->id, confirmable->seq);
    else if (policy_has_word(asked->options, "status", "vendor-confirmed"))
        row_lacks(row, "opledger vendor update %s --vendor V --state confirmed --evidence F",
                  hyp->id);
    else
        row_lacks(row,
                  "opledger reproduction record %s --where H --outcome reproduced --evidence F",
                  hyp->id);
}

/* "vendor-confirmed or reproduced", as the policy lists them. */
static void say_wanted(const struct asked *asked, struct opl_requirement *row)
{
    const json_t *list = json_object_get(asked->options, "status");

    for (size_t i = 0; i < json_array_size(list); i++)
        row_say(row, "%s %s", i ? " or" : ", this policy asks for",
                json_string_value(json_array_get(list, i)));
}

static void say_missing(const struct asked *asked, const struct opl_fold *hyp,
                        const struct opl_hyp_result *is, struct opl_requirement *row)
{
    row_say(row, "%s%s is %s", row->detail[0] ? "; " : "", hyp->id,
            opl_hyp_status_name(is->status));
    if (!opl_hyp_status_blocks(is->status))
        say_wanted(asked, row);
    if (is->confirmed_at >= 0 && is->confirmed_at < asked->oldest)
        row_say(row, ", and not so long ago");
    row_say_seqs(row, ", against it:", &is->against);
    row_say_seqs(row, ", without evidence or a second person:", &is->not_counted);
    say_next(asked, hyp, is, row);
}

static bool judge_one(const struct asked *asked, const struct opl_fold *hyp,
                      struct opl_requirement *row, struct opl_err *err)
{
    struct opl_hyp_result is = {0};
    bool confirmed, reproduced;

    if (!opl_hypothesis_status(asked->judge->world, hyp, &asked->view, &is, err))
        return false;
    for (size_t i = 0; i < is.against.count; i++)
        opl_seqs_add(&row->against, is.against.seq[i]);
    if (opl_hyp_status_blocks(is.status)) {
        say_missing(asked, hyp, &is, row);
        return true;
    }
    confirmed =
        is.vendor_confirmed && add_fresh(asked, hyp, "vendor-confirmed", &is.confirmed_by, row);
    reproduced = is.reproduced && add_fresh(asked, hyp, "reproduced", &is.reproduced_by, row);
    if (confirmed || reproduced)
        row_say(row, "%s%s is %s", row->detail[0] ? "; " : "", hyp->id,
                confirmed ? "vendor-confirmed" : "reproduced");
    else
        say_missing(asked, hyp, &is, row);
    return true;
}

static bool is_named(const struct judge *judge, const char *id)
{
    for (size_t i = 0; i < json_array_size(judge->hypotheses); i++) {
        const char *named = json_string_value(json_array_get(judge->hypotheses, i));

        if (named && strcmp(named, id) == 0)
            return true;
    }
    return false;
}

static bool is_disputed(const struct opl_fold *hyp)
{
    for (size_t i = 0; i < hyp->fact_count; i++) {
        const char *verdict = opl_json_str(hyp->facts[i].body, "verdict");

        if (fact_is(&hyp->facts[i], "verdict.recorded") && verdict &&
            strcmp(verdict, "disagrees") == 0)
            return true;
    }
    return false;
}

/* What stands of one of them. It decides nothing, so that a failure is shown and goes no further.
 */
static void say_other(const struct asked *asked, const char *id, struct opl_requirement *row)
{
    struct opl_world *world = asked->judge->world;
    struct opl_hyp_result is = {0};
    const struct opl_fold *hyp;

    if (!opl_world_find(world, id, &hyp, NULL) ||
        (hyp && !opl_hypothesis_status(world, hyp, &asked->view, &is, NULL)))
        row_say(row, "; not named by the change: %s, which cannot be read", id);
    else if (hyp && opl_hyp_status_blocks(is.status))
        row_say(row, "; not named by the change: %s, %s", id, opl_hyp_status_name(is.status));
    else if (hyp && is_disputed(hyp))
        row_say(row, "; not named by the change: %s, disputed", id);
}

/* The newest hypotheses of the incident that the change leaves out. */
static void say_others(const struct asked *asked, struct opl_requirement *row)
{
    const struct judge *judge = asked->judge;
    const struct opl_fold *incident = NULL;
    size_t seen = 0;

    if (judge->below != UINT64_MAX || judge->change->on[0] == '\0')
        return;
    if (!opl_world_find(judge->world, judge->change->on, &incident, NULL))
        row_say(row, "; %s cannot be read", judge->change->on);
    for (size_t i = incident ? incident->fact_count : 0; i > 0 && seen < OTHERS_MAX; i--) {
        const struct opl_fact *fact = &incident->facts[i - 1];

        if (!fact_is(fact, "hypothesis.recorded") || is_named(judge, fact->id))
            continue;
        seen++;
        say_other(asked, fact->id, row);
    }
}

static void judge_none(const struct asked *asked, struct opl_requirement *row)
{
    if (policy_has_word(asked->options, "status", "none")) {
        row_say(row, "the change rests on no hypothesis, which this policy allows");
        return;
    }
    row_say(row, "the change rests on no hypothesis");
    row_lacks(row, "opledger change revise %s --hypothesis HYP", asked->judge->change->id);
}

bool require_hypothesis(struct judge *judge, const json_t *options, struct opl_requirement *row,
                        struct opl_err *err)
{
    int64_t age = policy_duration(options, "max-age", -1);
    struct asked asked = {judge, options, judge_view(judge, options), INT64_MIN};
    const struct opl_fold *hyp;

    if (age >= 0)
        asked.oldest = judge->input->now - age * OPL_SECOND;
    if (json_array_size(judge->hypotheses) == 0)
        judge_none(&asked, row);
    for (size_t i = 0; i < json_array_size(judge->hypotheses); i++) {
        if (!judge_hypothesis(judge, i, &hyp, err) || !judge_one(&asked, hyp, row, err))
            return false;
    }
    say_others(&asked, row);
    return true;
}

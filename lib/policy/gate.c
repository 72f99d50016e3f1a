/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The order of an evaluation: what stands in the way without any policy asking, then every
 * requirement of every policy that applies, then the approvals, which rest on all of those.
 */
#include <opledger/gate.h>

#include <opledger/json.h>

#include "approvals.h"
#include "requirement.h"

const char *opl_requirement_status_name(enum opl_requirement_status status)
{
    static const char *const names[] = {"SATISFIED", "UNSATISFIED", "OVERRIDDEN", "NOT_APPLICABLE",
                                        "ERROR"};

    return (size_t)status < sizeof names / sizeof names[0] ? names[status] : "ERROR";
}

const char *opl_gate_outcome_name(enum opl_gate_outcome outcome)
{
    static const char *const names[] = {"denied", "allowed", "overridden"};

    return (size_t)outcome < sizeof names / sizeof names[0] ? names[outcome] : "denied";
}

const struct opl_requirement_spec *judge_spec(const struct judge *judge, size_t i,
                                              const struct opl_gate_policy **policy)
{
    for (size_t p = 0; p < judge->policy_count; p++) {
        *policy = &judge->policies[p];
        if (i < (*policy)->require_count)
            return &(*policy)->require[i];
        i -= (*policy)->require_count;
    }
    *policy = NULL;
    return NULL;
}

size_t judge_row_count(const struct judge *judge)
{
    size_t count = 0;

    for (size_t p = 0; p < judge->policy_count; p++)
        count += judge->policies[p].require_count;
    return count;
}

bool judge_row(struct judge *judge, size_t i, struct opl_requirement *row, struct opl_err *err)
{
    const struct opl_requirement_spec *spec = judge_spec(judge, i, &judge->judging);
    judge_fn judged_by;

    if (!spec)
        return opl_fail(err, OPL_E_INTERNAL, "the gate has no requirement %zu", i);
    judged_by = requirements[spec->kind].judge;
    *row = (struct opl_requirement){.kind = spec->kind,
                                    .status = judged_by ? OPL_SATISFIED : OPL_NOT_APPLICABLE};
    (void)snprintf(row->policy, sizeof row->policy, "%s", judge->judging->name);
    if (judged_by && !judged_by(judge, spec->options, row, err))
        return false;
    row_sort(row);
    return true;
}

/* A row of the gate's own; what it says ends in an unsatisfied requirement like any other. */
static struct opl_requirement *add_change_row(struct opl_gate_result *out)
{
    struct opl_requirement *row = &out->require[out->require_count++];

    *row = (struct opl_requirement){.kind = OPL_REQ_CHANGE, .status = OPL_UNSATISFIED};
    return row;
}

static bool differs(const struct opl_hash *found, const struct opl_hash *own)
{
    return found && !opl_hash_equal(found, own);
}

static void judge_files(const struct judge *judge, struct opl_gate_result *out)
{
    const struct opl_gate_input *input = judge->input;
    const char *target = opl_json_str(judge->proposal->body, "target");
    struct opl_requirement *row;

    if (differs(input->manifest, &judge->manifest_digest)) {
        row = add_change_row(out);
        row_say(row, "the files found are not those of %s: their manifest differs",
                judge->change->id);
        row_lacks(row, "opledger change revise %s --file TARGET", judge->change->id);
    }
    if (differs(input->base, &judge->base)) {
        row = add_change_row(out);
        row_say(row, "the files in place are not the base that %s was made over",
                judge->change->id);
        row_lacks(row, "opledger change revise %s --file TARGET", judge->change->id);
    }
    if (!target || strcmp(target, judge->manifest.target) != 0) {
        row = add_change_row(out);
        row_say(row, "the manifest is for another target than %s declares", judge->change->id);
        row_lacks(row, "opledger change show %s", judge->change->id);
    }
}

static void judge_change(const struct judge *judge, struct opl_gate_result *out)
{
    enum opl_state state = opl_fold_state(judge->change, judge->input->now);
    struct opl_requirement *row;

    if (state != OPL_S_PROPOSED) {
        row = add_change_row(out);
        row_say(row, "%s is %s: only a proposed change can be allowed", judge->change->id,
                opl_state_name(state));
        row_lacks(row, "opledger change show %s", judge->change->id);
    }
    judge_files(judge, out);
    if (judge_row_count(judge) == 0) {
        row = add_change_row(out);
        row_say(row, "no adopted gate policy applies to the class, target and paths of %s",
                judge->change->id);
        row_lacks(row, "opledger policy adopt FILE");
    }
}

/* Whether all but the approvals, which are judged last, are met. */
static bool others_hold(const struct opl_requirement *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (rows[i].kind != OPL_REQ_approvals && !row_holds(&rows[i]))
            return false;
    }
    return true;
}

static bool judge_requirements(struct judge *judge, struct opl_gate_result *out,
                               struct opl_err *err)
{
    OPL_CLEANUP(approvals_close) struct approvals approvals = {0};
    struct opl_requirement *rows = &out->require[out->require_count];
    size_t count = judge_row_count(judge);
    const struct opl_gate_policy *policy;

    if (count > OPL_GATE_REQUIREMENTS_MAX - out->require_count)
        return opl_fail(err, OPL_E_UNAVAILABLE, "%zu requirements apply, more than can be judged",
                        count);
    for (size_t i = 0; i < count; i++) {
        if (!judge_row(judge, i, &rows[i], err))
            return false;
    }
    out->require_count += count;
    if (!approvals_open(&approvals, judge, rows, count, err))
        return false;
    approvals.may_sign = others_hold(rows, count);
    for (size_t i = 0; i < count; i++) {
        if (rows[i].kind == OPL_REQ_approvals)
            approvals_require(&approvals, judge, judge_spec(judge, i, &policy)->options, &rows[i]);
    }
    approvals_show(&approvals, out);
    return true;
}

/* Allowed only when something is satisfied and nothing is anything else. */
static enum opl_gate_outcome outcome_of(const struct opl_gate_result *result)
{
    bool satisfied = false;

    for (size_t i = 0; i < result->require_count; i++) {
        if (!row_holds(&result->require[i]))
            return OPL_GATE_DENIED;
        satisfied = satisfied || result->require[i].status == OPL_SATISFIED;
    }
    return satisfied ? OPL_GATE_ALLOWED : OPL_GATE_DENIED;
}

/* Nothing that can be done now makes a change that was applied, or started, one to be allowed. */
static void drop_nexts(const struct judge *judge, struct opl_gate_result *out)
{
    size_t first = out->require_count - judge_row_count(judge); /* after the rows "change" */

    if (opl_fold_state(judge->change, judge->input->now) == OPL_S_PROPOSED)
        return;
    for (size_t i = first; i < out->require_count; i++)
        out->require[i].next[0] = '\0';
}

static int64_t shortest_hold(const struct judge *judge)
{
    int64_t hold_s = judge->policy_count > 0 ? judge->policies[0].hold_s : 0;

    for (size_t i = 1; i < judge->policy_count; i++) {
        if (judge->policies[i].hold_s < hold_s)
            hold_s = judge->policies[i].hold_s;
    }
    return hold_s;
}

/* The decision names what was judged: the caller's files where it gave them. */
static void describe(const struct judge *judge, struct opl_gate_result *out)
{
    const struct opl_gate_input *input = judge->input;

    (void)snprintf(out->change, sizeof out->change, "%s", judge->change->id);
    out->manifest = input->manifest ? *input->manifest : judge->manifest_digest;
    out->base = input->base ? *input->base : judge->base;
    out->policy = judge->policy;
    out->bootstrap_closed = opl_registry_bootstrap_closed(opl_world_registry(judge->world));
    out->hold_s = shortest_hold(judge);
}

bool opl_gate_evaluate(struct opl_world *world, const struct opl_gate_input *input,
                       struct opl_gate_result *out, struct opl_err *err)
{
    OPL_CLEANUP(judge_close) struct judge judge = {0};

    memset(out, 0, sizeof *out); /* OPL_GATE_DENIED, whatever happens next */
    if (!judge_open(&judge, world, input, err))
        return false;
    describe(&judge, out);
    judge_change(&judge, out);
    if (!judge_requirements(&judge, out, err))
        return false;
    drop_nexts(&judge, out);
    out->outcome = outcome_of(out);
    return true;
}

bool opl_gate_digest(struct opl_world *world, const char *change, struct opl_hash *out,
                     struct opl_err *err)
{
    const struct opl_gate_input input = {.change = change};
    OPL_CLEANUP(judge_close) struct judge judge = {0};

    if (!judge_open(&judge, world, &input, err))
        return false;
    *out = judge.policy;
    return true;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A change is started on a decision that is in the log, and only while the gate would decide the
 * same now: what came between the two is not overlooked.
 */
#include "admit_private.h"

#include <opledger/encode.h>
#include <opledger/gate.h>
#include <opledger/json.h>

static const char decision_field[] = "/body/decision";

static bool deny(const struct opl_case *ctx, struct opl_err *err, const char *why)
{
    opl_fail_at(err, OPL_E_GATE_DENIED, decision_field, "%s", why);
    return opl_hint(err, "opledger gate check %s --record", ctx->on->id);
}

static bool says(const struct opl_fact *fact, const char *field, const char *word)
{
    const char *value = opl_json_str(fact->body, field);

    return value != NULL && word != NULL && strcmp(value, word) == 0;
}

static bool check_decision(struct opl_case *ctx, const struct opl_fact *decision,
                           struct opl_err *err)
{
    const char *text = opl_json_str(decision->body, "expires");
    int64_t expires;

    if (strcmp(decision->kind->name, "gate.decided") != 0)
        return opl_fail_at(err, OPL_E_INVALID, decision_field, "entry %llu is no decision",
                           (unsigned long long)decision->seq);
    if (!says(decision, "outcome", "allowed"))
        return deny(ctx, err, "the decision does not allow it");
    if (!says(decision, "manifest", opl_change_manifest(ctx->on)))
        return deny(ctx, err, "the decision is about an earlier manifest");
    if (text == NULL || !opl_time_parse(text, &expires, NULL) || expires <= ctx->now)
        return deny(ctx, err, "the decision has expired");
    return true;
}

static bool fail_denied(const struct opl_case *ctx, const struct opl_gate_result *result,
                        struct opl_err *err)
{
    for (size_t i = 0; i < result->require_count; i++) {
        const struct opl_requirement *require = &result->require[i];

        if (require->status == OPL_SATISFIED || require->status == OPL_NOT_APPLICABLE)
            continue;
        opl_fail_at(err, OPL_E_GATE_DENIED, "/on", "%s would be denied now: %s is %s (%.200s)",
                    ctx->on->id, opl_requirement_name(require->kind),
                    opl_requirement_status_name(require->status), require->detail);
        if (require->next[0] != '\0')
            (void)opl_hint(err, "%s", require->next);
        return opl_hint(err, "opledger gate explain %s", ctx->on->id);
    }
    opl_fail_at(err, OPL_E_GATE_DENIED, "/on", "%s would be denied now", ctx->on->id);
    return opl_hint(err, "opledger gate explain %s", ctx->on->id);
}

static void free_result(struct opl_gate_result **result)
{
    free(*result);
}

static bool check_gate(struct opl_case *ctx, const struct opl_fact *decision, struct opl_err *err)
{
    OPL_CLEANUP(free_result) struct opl_gate_result *result = calloc(1, sizeof *result);
    const char *text = opl_json_str(decision->body, "base");
    struct opl_hash base;
    const struct opl_gate_input input = {
        .change = ctx->on->id, .base = &base, .size = ctx->seq, .now = ctx->now};

    if (result == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for a decision");
    if (text == NULL || !opl_hash_from_digest(text, &base, NULL))
        return deny(ctx, err, "the decision names no base");
    if (!opl_gate_evaluate(ctx->world, &input, result, err))
        return false;
    return result->outcome == OPL_GATE_ALLOWED || fail_denied(ctx, result, err);
}

static bool check_alone(struct opl_case *ctx, struct opl_err *err)
{
    const struct opl_fact *proposal = opl_fold_creation(ctx->on);
    const char *target = proposal == NULL ? NULL : opl_json_str(proposal->body, "target");
    char other[OPL_ID_SIZE];

    if (target == NULL)
        return opl_fail(err, OPL_E_LOG, "%s has no target", ctx->on->id);
    if (!opl_world_started_on(ctx->world, target, ctx->on->id, ctx->now, other, err))
        return false;
    if (other[0] == '\0')
        return true;
    opl_fail_at(err, OPL_E_WRONG_STATE, "/on", "%s is being applied to %s", other, target);
    return opl_hint(err, "opledger change finish %s --outcome O", other);
}

/* One that has passed would make way for the next change at once. */
static bool check_deadline(struct opl_case *ctx, struct opl_err *err)
{
    const char *text = opl_case_str(ctx, "deadline");
    int64_t deadline;

    return text == NULL || (opl_time_parse(text, &deadline, NULL) && deadline > ctx->now) ||
           opl_fail_at(err, OPL_E_INVALID, "/body/deadline", "lies in the past");
}

bool opl_admit_start(struct opl_case *ctx, struct opl_err *err)
{
    const struct opl_fact *decision;

    return check_deadline(ctx, err) && opl_case_fact(ctx, "decision", &decision, err) &&
           check_decision(ctx, decision, err) && check_alone(ctx, err) &&
           check_gate(ctx, decision, err);
}

/* What was applied, or failed, can only be put back. */
bool opl_admit_finish(struct opl_case *ctx, struct opl_err *err)
{
    enum opl_state state = opl_fold_state(ctx->on, ctx->now);
    const char *outcome = opl_case_str(ctx, "outcome");

    if ((state != OPL_S_APPLIED && state != OPL_S_FAILED) ||
        (outcome != NULL && strcmp(outcome, "reverted") == 0))
        return true;
    opl_fail_at(err, OPL_E_WRONG_STATE, "/body/outcome", "%s is %s already", ctx->on->id,
                opl_state_name(state));
    return opl_hint(err, "opledger change finish %s --outcome reverted", ctx->on->id);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "gate_local.h"

#include <opledger/time.h>

#include "client.h"
#include "gate_reply.h"
#include "log_view.h"
#include "world_view.h"

struct opl_gate_result *gate_local(struct opl_world *world, const char *change,
                                   const struct opl_head *head, struct opl_err *err)
{
    struct opl_gate_result *result = calloc(1, sizeof(*result));
    struct opl_gate_input input = {
        .change = change, .origin = head->origin, .size = head->size, .now = opl_time_now()};

    if (result == NULL) {
        opl_fail(err, OPL_E_NOMEM, "no memory for the gate");
        return NULL;
    }
    if (opl_gate_evaluate(world, &input, result, err))
        return result;
    free(result);
    return NULL;
}

bool gate_local_reply(struct client *client, const char *change, struct gate_reply *out,
                      struct opl_err *err)
{
    OPL_CLEANUP(opl_world_freep) struct opl_world *world = NULL;
    struct opl_gate_result *result;

    memset(out, 0, sizeof(*out));
    if (!world_view_new(client, &world, err) || !log_view_head(client, &out->head, err))
        return false;
    result = gate_local(world, change, &out->head, err);
    if (result == NULL)
        return false;
    out->outcome = result->outcome;
    out->manifest = result->manifest;
    out->base = result->base;
    out->policy = result->policy;
    out->bootstrap_closed = result->bootstrap_closed;
    out->root = opl_gate_result_json(result);
    free(result);
    return out->root != NULL || opl_fail(err, OPL_E_NOMEM, "no memory for the gate");
}

/* The decision was judged over the entries before it; the log has grown by it. */
static bool judge_again(struct client *client, const struct gate_question *question,
                        const struct gate_reply *reply, enum opl_gate_outcome *outcome,
                        struct opl_err *err)
{
    OPL_CLEANUP(opl_world_freep) struct opl_world *world = NULL;
    struct opl_gate_input input = {
        .change = question->change,
        .manifest = question->manifest,
        .base = question->base,
        .origin = reply->head.origin,
        .size = reply->decided ? reply->decision_seq : reply->head.size,
        .now = opl_time_now(),
    };
    struct opl_gate_result *result = calloc(1, sizeof(*result));
    bool ok;

    if (result == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for the gate");
    ok = world_view_new(client, &world, err) && opl_gate_evaluate(world, &input, result, err);
    *outcome = result->outcome;
    free(result);
    return ok;
}

bool gate_local_agrees(struct client *client, const struct gate_question *question,
                       const struct gate_reply *reply, struct opl_err *err)
{
    enum opl_gate_outcome outcome = OPL_GATE_DENIED;
    struct opl_err why = {0};

    client->head = reply->head; /* verified, and newer than any that was asked for before */
    client->head_known = true;
    if (judge_again(client, question, reply, &outcome, &why)) {
        if (outcome == reply->outcome)
            return true;
        opl_fail(err, OPL_E_VERIFY, "the ledger says %s, but its log, folded here, says %s",
                 opl_gate_outcome_name(reply->outcome), opl_gate_outcome_name(outcome));
        return opl_hint(err, "opledger gate explain %s", question->change);
    }
    if (why.code == OPL_E_FORBIDDEN) {
        output_note(&client->out, "not folded again on this host, this token may not read it: %s",
                    why.text);
        return true;
    }
    opl_fail(err, why.code, "%s", why.text);
    return opl_hint(err, "%s", why.hint);
}

void gate_local_print_approvals(struct client *client, const struct opl_gate_result *result)
{
    output_line(&client->out, "approvals:%s", result->approval_count == 0 ? " none" : "");
    for (size_t i = 0; i < result->approval_count; i++) {
        const struct opl_approval *approval = &result->approvals[i];

        output_line(&client->out, "  %llu by %s as %s: %s%s", (unsigned long long)approval->seq,
                    approval->signer, approval->role,
                    approval->counts ? "counts" : "does not count: ",
                    approval->counts ? "" : approval->why_not);
    }
}

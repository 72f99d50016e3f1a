/* SPDX-License-Identifier: Apache-2.0 */
/*
 * apply_gate - the decision, and what this host wants to see with its own eyes beside it.
 *
 * gate_ask has verified the decision entry: leaf, path, note by the pinned log key, nonce, change,
 * manifest, base, host, outcome, expiry.
 */
#include "apply.h"

#include <inttypes.h>

#include <opledger/time.h>

#include "allowed_signers.h"
#include "client.h"
#include "gate_local.h"
#include "log_view.h"
#include "verify_proof.h"

#define APPROVERS_MAX 64

/* What is only tried is advice: it leaves no entry. */
static struct gate_question question_of(const struct apply *apply)
{
    bool dry = args_has(&apply->client->args, "dry-run");

    return (struct gate_question){
        .change = apply->change,
        .use = dry ? "check" : "apply",
        .record = !dry,
        .manifest = &apply->manifest_sha256,
        .base = &apply->base,
        .host = apply->host,
    };
}

bool apply_ask(struct apply *apply, struct opl_err *err)
{
    const struct gate_question question = question_of(apply);
    const struct gate_reply *reply = &apply->reply;
    struct output *out = &apply->client->out;

    if (!gate_ask(apply->client, &question, &apply->reply, err))
        return false;
    if (reply->decided)
        output_note(out, "decision %" PRIu64 " of the log of %" PRIu64 " entries verified: %s",
                    reply->decision_seq, reply->head.size, opl_gate_outcome_name(reply->outcome));
    else
        output_note(out, "advice over a log of %" PRIu64 " entries: %s", reply->head.size,
                    opl_gate_outcome_name(reply->outcome));
    return true;
}

/* The policy of that entry was in force, or replaced by a newer one, when this was decided. */
static bool check_policy_min(const struct apply *apply, struct opl_err *err)
{
    OPL_CLEANUP(subject_entry_close) struct subject_entry entry = {0};
    const struct gate_conf *conf = &apply->conf;
    const struct gate_reply *reply = &apply->reply;
    uint64_t judged = reply->decided ? reply->decision_seq : reply->head.size;

    if (conf->policy_min < 0)
        return true;
    if (judged <= (uint64_t)conf->policy_min)
        return opl_fail(err, OPL_E_VERIFY,
                        "the decision at %" PRIu64 " stands before the policy of entry %" PRId64
                        " that %s wants",
                        judged, conf->policy_min, conf->file);
    if (!verify_proof_entry(apply->client, (uint64_t)conf->policy_min, &reply->head, &entry, err))
        return false;
    return strcmp(entry.entry.kind_name, "policy.adopted") == 0 ||
           opl_fail(err, OPL_E_VERIFY,
                    "policy_min of %s names entry %" PRId64 ", which adopts no policy", conf->file,
                    conf->policy_min);
}

/* Approvals that hold here; each person and each key once. */
struct approvers {
    struct approval_found found[APPROVERS_MAX];
    size_t count;
};

static bool is_new(const struct approvers *approvers, const struct approval_found *found)
{
    for (size_t i = 0; i < approvers->count; i++)
        if (strcmp(approvers->found[i].principal, found->principal) == 0 ||
            strcmp(approvers->found[i].fingerprint, found->fingerprint) == 0)
            return false;
    return approvers->count < APPROVERS_MAX;
}

static void count_one(const struct apply *apply, const struct allowed_signers *signers,
                      const struct approval_scope *scope, const json_t *approval,
                      struct approvers *approvers)
{
    struct output *out = &apply->client->out;
    struct approval_found found;
    struct opl_err why = {0};

    if (!allowed_signers_check(signers, approval, scope, &found, &why) ||
        !log_view_contains(apply->client, &apply->reply.head, &found.log, &why)) {
        output_note(out, "an approval does not count here: %s", why.text);
        return;
    }
    if (!is_new(approvers, &found))
        return;
    approvers->found[approvers->count++] = found;
    output_note(out, "approval of %s verified on this host (%s)", found.principal,
                found.fingerprint);
}

static bool check_signers(const struct apply *apply, struct opl_err *err)
{
    OPL_CLEANUP(allowed_signers_close) struct allowed_signers signers = {0};
    const struct gate_conf *conf = &apply->conf;
    const struct approval_scope scope = {
        .change = apply->change,
        .manifest = &apply->manifest_sha256,
        .base = &apply->base,
        .policy = &apply->reply.policy,
        .proposer = apply->proposer,
        .head = &apply->reply.head,
        .now = opl_time_now(),
    };
    struct approvers approvers = {.count = 0};
    const json_t *approval;
    size_t i;

    if (conf->signers == NULL)
        return true;
    if (!allowed_signers_load(conf->signers, strcmp(conf->file, GATE_CONF_STANDARD) != 0, &signers,
                              err))
        return false;
    json_array_foreach(json_object_get(apply->reply.root, "approvals"), i, approval)
    {
        count_one(apply, &signers, &scope, approval, &approvers);
    }
    if (approvers.count >= (size_t)conf->signers_min)
        return true;
    opl_fail(err, OPL_E_VERIFY, "%zu approvals verify on this host, and %s wants %" PRId64,
             approvers.count, conf->file, conf->signers_min);
    return opl_hint(err, "the keys that %s accepts are in %s", conf->file, conf->signers);
}

bool apply_trust(struct apply *apply, struct opl_err *err)
{
    const struct gate_question question = question_of(apply);

    if (!gate_local_agrees(apply->client, &question, &apply->reply, err))
        return false;
    if (apply->conf.file == NULL)
        return true;
    if (!apply->reply.bootstrap_closed) {
        opl_fail(err, OPL_E_FORBIDDEN,
                 "the bootstrap of the log is open: one admin alone can "
                 "still enrol anybody, so this host accepts nothing");
        return opl_hint(err, "opledger principal close-bootstrap");
    }
    return check_policy_min(apply, err) && check_signers(apply, err);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What can happen in a situation. The cast: alice proposes; bob and dave are other people, carol
 * and dave approvers; the agent copilot is alice's. first/guesser made the hypothesis.
 */
#include "situation.h"

#include <opledger/json.h>
#include <opledger/time.h>

#define WAIT "wait "
#define REASON "{'sealed':'$1'}"
#define SEEN "'evidence':['$1']"

/* Who made a verdict: another family, kin of the guesser, the guesser itself, nobody known. */
#define OTHER "{'provider':'second','name':'checker'}"
#define KIN "{'provider':'first','name':'sibling'}"
#define SELF "{'provider':'first','name':'guesser'}"
#define STRANGER "{'provider':'nobody','name':'stranger'}"

#define VENDOR(name, actor, state, rest)                                                           \
    {                                                                                              \
        name, actor, "vendor.updated", "hyp-1", "{'vendor':'vendor','state':'" state "'," rest "}" \
    }
#define VERDICT(name, actor, model, mode, verdict, evidence)                                       \
    {                                                                                              \
        name, actor, "verdict.recorded", "hyp-1",                                                  \
            "{'model':" model ",'mode':'" mode "','verdict':'" verdict "','rationale':" REASON     \
            ",'prompt_unavailable':" REASON ",'evidence':[" evidence "]}"                          \
    }
#define TRIED(outcome)                                                                             \
    {                                                                                              \
        outcome, "bob", "reproduction.recorded", "hyp-1",                                          \
            "{'outcome':'" outcome "','where':'test box'," SEEN "}"                                \
    }
#define CLOSED(how)                                                                                \
    {                                                                                              \
        "closed-" how, "bob", "hypothesis.closed", "hyp-1",                                        \
            "{'how':'" how "','reason':" REASON "}"                                                \
    }

#define TESTRUN(outcome)                                                                           \
    {                                                                                              \
        "testrun-" outcome, "bob", "testrun.recorded", "chg-1",                                    \
            "{'host':'box','manifest':'$1','outcome':'" outcome "'," SEEN "}"                      \
    }
#define NOTED(name)                                                                                \
    {                                                                                              \
        name, "bob", "incident.noted", "inc-1", "{'text':" REASON "}"                              \
    }

static const struct act {
    const char *name;
    const char *actor;
    const char *kind;
    const char *on;
    const char *body;
} acts[] = {
    VENDOR("vendor-asked", "alice", "asked", "'evidence':[]"),
    VENDOR("vendor-confirmed", "bob", "confirmed", "'versions':'25.11.0..25.11.3'," SEEN),
    VENDOR("vendor-confirmed-by-proposer", "alice", "confirmed", SEEN),
    VENDOR("vendor-confirmed-without-evidence", "bob", "confirmed", "'evidence':[]"),
    VENDOR("vendor-confirmed-for-older-versions", "bob", "confirmed", "'versions':'..24.05'," SEEN),
    VENDOR("vendor-rejected", "bob", "rejected", SEEN),
    VENDOR("vendor-withdrawn", "bob", "withdrawn", "'evidence':[]"),
    TRIED("reproduced"),
    TRIED("not-reproduced"),
    TRIED("contradicted"),
    VERDICT("verdict-agrees", "alice", OTHER, "blind", "agrees", "'$1'"),
    VERDICT("verdict-partly", "alice", OTHER, "blind", "partly", "'$1'"),
    VERDICT("verdict-by-proposer", "alice", OTHER, "blind", "agrees", "'$1'"),
    VERDICT("verdict-inconclusive", "alice", OTHER, "blind", "inconclusive", "'$1'"),
    VERDICT("verdict-disagrees", "alice", OTHER, "blind", "disagrees", "'$1'"),
    VERDICT("verdict-disagrees-by-agent", "copilot", KIN, "review", "disagrees", ""),
    VERDICT("verdict-in-review", "alice", OTHER, "review", "agrees", "'$1'"),
    VERDICT("verdict-on-other-evidence", "alice", OTHER, "blind", "agrees", "'$2'"),
    VERDICT("verdict-without-evidence", "alice", OTHER, "blind", "agrees", ""),
    VERDICT("verdict-by-same-family", "alice", KIN, "blind", "agrees", "'$1'"),
    VERDICT("verdict-by-same-model", "alice", SELF, "blind", "agrees", "'$1'"),
    VERDICT("verdict-by-unknown-family", "alice", STRANGER, "blind", "agrees", "'$1'"),
    CLOSED("refuted"),
    CLOSED("inconclusive"),
    TESTRUN("failed"),
    NOTED("noted"),
};

/* Signs in the first role of each approvals requirement, as people would. */
static bool approve(struct situation *situation, const char *signer, struct opl_err *err)
{
    const struct opl_gate_policy *policy = situation->policy;

    for (size_t i = 0; i < policy->require_count; i++) {
        const json_t *roles = json_object_get(policy->require[i].options, "roles");
        const struct scene_approval approval = {
            .signer = signer, .role = json_string_value(json_array_get(roles, 0))};

        if (policy->require[i].kind == OPL_REQ_approvals &&
            !scene_approve(&situation->scene, &approval, err))
            return false;
    }
    return true;
}

static const struct {
    const char *name;
    const char *signer;
} signers[] = {
    {"approved",             "carol"},
    {"approved-by-another",  "dave" },
    {"approved-by-proposer", "alice"},
};

static bool wait_for(struct situation *situation, const char *duration, struct opl_err *err)
{
    int64_t seconds;

    if (!opl_duration_parse(duration, &seconds, err))
        return false;
    situation->scene.now += seconds * OPL_SECOND;
    return true;
}

bool situation_act(struct situation *situation, const char *act, struct opl_err *err)
{
    if (strncmp(act, WAIT, strlen(WAIT)) == 0)
        return wait_for(situation, act + strlen(WAIT), err);
    for (size_t i = 0; i < sizeof signers / sizeof signers[0]; i++) {
        if (strcmp(signers[i].name, act) == 0)
            return approve(situation, signers[i].signer, err);
    }
    for (size_t i = 0; i < sizeof acts / sizeof acts[0]; i++) {
        if (strcmp(acts[i].name, act) == 0)
            return scene_tell(&situation->scene, acts[i].actor, acts[i].kind, acts[i].on,
                              acts[i].body, err);
    }
    return opl_fail(err, OPL_E_CONFIG, "nothing in a situation is called %.64s", act);
}

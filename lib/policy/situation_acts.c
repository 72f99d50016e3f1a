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
#define VENDOR(state, rest) "{'vendor':'vendor','state':'" state "'," rest "}"
#define VERDICT(model, mode, verdict, evidence)                                                    \
    "{'model':" model ",'mode':'" mode "','verdict':'" verdict "','rationale':" REASON             \
    ",'prompt_unavailable':" REASON ",'evidence':[" evidence "]}"
#define OTHER "{'provider':'second','name':'checker'}"
#define KIN "{'provider':'first','name':'sibling'}"
#define SELF "{'provider':'first','name':'guesser'}"
#define STRANGER "{'provider':'nobody','name':'stranger'}"
#define WHERE "'where':'test box','evidence':['$1']"
#define CONFIRMED_RANGE "'versions':'25.11.0..25.11.3','evidence':['$1']"

static const struct act {
    const char *name;
    const char *actor;
    const char *kind;
    const char *on;
    const char *body;
} acts[] = {
    {"vendor-asked",      "alice",         "vendor.updated",                   "hyp-1",                    VENDOR("asked",                                              "'evidence':[]")},
    {"vendor-confirmed",                   "bob",                 "vendor.updated",                            "hyp-1",                      VENDOR("confirmed",                                               CONFIRMED_RANGE)},
    {"vendor-confirmed-by-proposer",   "alice",                  "vendor.updated",                       "hyp-1",
     VENDOR("confirmed",                    CONFIRMED_RANGE)},
    {"vendor-confirmed-without-evidence",  "bob", "vendor.updated",                                   "hyp-1",
     VENDOR("confirmed",                                                             "'evidence':[]")},
    {"vendor-confirmed-for-other-versions",            "bob",                   "vendor.updated",                                     "hyp-1",
     VENDOR("confirmed",                          "'versions':'24.05..','evidence':['$1']")},
    {"vendor-rejected",   "bob","vendor.updated",                                                       "hyp-1",                                        VENDOR("rejected",                                                                          "'evidence':['$1']")},
    {"vendor-withdrawn",            "bob",                   "vendor.updated","hyp-1",VENDOR("withdrawn","'evidence':[]")},
    {"reproduced",  "bob", "reproduction.recorded", "hyp-1",                             "{'outcome':'reproduced'," WHERE "}"                                                                                                            },
    {"not-reproduced",                   "bob",                       "reproduction.recorded",                                                   "hyp-1",
     "{'outcome':'not-reproduced'," WHERE "}"                                                                                                         },
    {"contradicted",                   "bob",                   "reproduction.recorded",                              "hyp-1",
     "{'outcome':'contradicted'," WHERE "}"},
    {"verdict-agrees",                   "alice",                     "verdict.recorded",                                "hyp-1",
     VERDICT(OTHER,"blind", "agrees", "'$1'")},
    {"verdict-partly",                   "alice",                   "verdict.recorded",                            "hyp-1",
     VERDICT(OTHER,                                                                                                                                     "blind", "partly", "'$1'")},
    {"verdict-disagrees",            "alice",                   "verdict.recorded",                                              "hyp-1",
     VERDICT(OTHER,                                                                                                                                                                                      "blind", "disagrees", "'$1'")},
    {"verdict-disagrees-by-agent", "copilot","verdict.recorded",                                                            "hyp-1",
     VERDICT(KIN,"review", "disagrees", "")},
    {"verdict-inconclusive",                   "alice",                "verdict.recorded",                                "hyp-1",
     VERDICT(OTHER,                             "blind", "inconclusive", "'$1'")},
    {"verdict-in-review",            "alice",                "verdict.recorded",                                           "hyp-1",
     VERDICT(OTHER,"review", "agrees", "'$1'")},
    {"verdict-on-other-evidence", "alice",                   "verdict.recorded",                                                              "hyp-1",
     VERDICT(OTHER,                                                                                                                                   "blind", "agrees", "'$2'")},
    {"verdict-without-evidence",                   "alice",             "verdict.recorded",                      "hyp-1",
     VERDICT(OTHER,                                    "blind", "agrees", "")},
    {"verdict-by-same-family",            "alice",             "verdict.recorded",                                        "hyp-1",
     VERDICT(KIN,                                                                               "blind", "agrees", "'$1'")},
    {"verdict-by-same-model", "alice","verdict.recorded",                                                            "hyp-1",
     VERDICT(SELF,                                                                                                                                                                                                                  "blind", "agrees", "'$1'")},
    {"verdict-by-unknown-family",                   "alice",        "verdict.recorded",                                   "hyp-1",
     VERDICT(STRANGER,                "blind", "agrees", "'$1'")},
    {"closed-refuted",            "bob",                   "hypothesis.closed",                                              "hyp-1",
     "{'how':'refuted','reason':" REASON "}"},
    {"closed-inconclusive", "bob","hypothesis.closed",                                                            "hyp-1",
     "{'how':'inconclusive','reason':" REASON "}"                                                                                              },
    {"testrun-failed",                   "bob",           "testrun.recorded",                           "chg-1",
     "{'host':'box','manifest':'$1','outcome':'failed','evidence':['$1']}"                                   },
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

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * situation - one example of a gate policy's tests file: what is told, and what must come of it.
 *
 *     - name: the vendor confirmed before the approver looked
 *       facts: [verdict-partly, vendor-confirmed, approved]
 *       expect: allowed
 *
 * `facts` are told in order, each an act of situation_acts.c. `expect: denied` names under `unmet`
 * every requirement that does not hold, so that a policy never passes its tests for a wrong reason.
 */
#ifndef OPLEDGER_LIB_POLICY_SITUATION_H
#define OPLEDGER_LIB_POLICY_SITUATION_H

#include <opledger/gate_policy.h>

#include "scene.h"

struct situation {
    struct scene scene;
    const struct opl_gate_policy *policy;
};

/* The policy as text, which a situation adopts. */
struct situation_policy {
    const struct opl_gate_policy *parsed;
    const char *yaml;
    size_t len;
};

/*
 * Tells a situation from its mapping (checked before): people, policies, hypothesis hyp-1, change
 * chg-1, then its facts. Close it also after a failure.
 */
OPL_MUST_CHECK bool situation_open(struct situation *situation,
                                   const struct situation_policy *policy, const json_t *told,
                                   struct opl_err *err);
void situation_close(struct situation *situation);

/* Does one act; OPL_E_CONFIG when there is none of this name. */
OPL_MUST_CHECK bool situation_act(struct situation *situation, const char *act,
                                  struct opl_err *err);

#endif

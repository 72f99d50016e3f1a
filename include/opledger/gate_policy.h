/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gate_policy - a gate policy as people write it (CONTRACT section 7), parsed and checked.
 */
#ifndef OPLEDGER_GATE_POLICY_H
#define OPLEDGER_GATE_POLICY_H

#include <jansson.h>

#include <opledger/buf.h>
#include <opledger/crypto.h>
#include <opledger/name.h>

/* Every requirement of the contract. Those without a function yet answer ERROR, never SATISFIED. */
#define OPL_REQUIREMENTS(X)                                                                        \
    X(hypothesis)                                                                                  \
    X(vendor)                                                                                      \
    X(cross_check)                                                                                 \
    X(reproduction)                                                                                \
    X(baseline)                                                                                    \
    X(evidence)                                                                                    \
    X(testrun)                                                                                     \
    X(rehearsal)                                                                                   \
    X(restore)                                                                                     \
    X(approvals)                                                                                   \
    X(scrubbed)                                                                                    \
    X(egress)                                                                                      \
    X(window)

enum opl_requirement_kind {

#define OPL_REQ_ENUM(name) OPL_REQ_##name,
    OPL_REQUIREMENTS(OPL_REQ_ENUM)
#undef OPL_REQ_ENUM
        OPL_REQ_COUNT,
    /* the gate's own row, named "change": what no policy could ask for stands in the way */
    OPL_REQ_CHANGE = OPL_REQ_COUNT
};

#define OPL_POLICY_REQUIREMENTS_MAX 16 /* of one policy */

const char *opl_requirement_name(enum opl_requirement_kind kind); /* "cross-check" */

struct opl_requirement_spec {
    enum opl_requirement_kind kind;
    json_t *options; /* checked by the requirement's field table; borrowed from the policy */
};

struct opl_gate_policy {
    json_t *root; /* owned */
    const char *name;
    json_t *classes; /* arrays of strings, borrowed; NULL: not given */
    json_t *targets;
    json_t *paths;
    struct opl_requirement_spec require[OPL_POLICY_REQUIREMENTS_MAX];
    size_t require_count;
    json_t *override; /* NULL when the policy allows none */
    int64_t hold_s;
};

/* OPL_E_CONFIG with the line or the pointer of what is wrong. On failure *out is empty. */
OPL_MUST_CHECK bool opl_gate_policy_parse(const char *yaml, size_t len, struct opl_gate_policy *out,
                                          struct opl_err *err);
void opl_gate_policy_close(struct opl_gate_policy *policy);

struct opl_manifest;

/*
 * Whether the policy applies: class matches, and any of targets and paths does. The target is what
 * the change declares or what its manifest names: either is enough.
 */
bool opl_gate_policy_applies(const struct opl_gate_policy *policy, const char *class,
                             const char *target, const struct opl_manifest *manifest);

/*
 * What `policy lint` runs for a gate policy: it parses, and each situation of its tests file
 * (policies/gate/NAME.tests.yaml, told there) comes out as that file expects when the gate itself
 * judges it. *situations says how many ran. OPL_E_CONFIG names the first that came out otherwise;
 * a tests file without one situation is refused too.
 */
OPL_MUST_CHECK bool opl_gate_policy_lint(const char *yaml, size_t len, const char *tests,
                                         size_t tests_len, size_t *situations, struct opl_err *err);

#endif

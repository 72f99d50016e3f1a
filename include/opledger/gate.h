/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gate - may this change be applied (DESIGN section 8, CONTRACT sections 4, 5, 7).
 *
 * A pure function of a world: allow only on positive evidence. Every requirement of every policy
 * that applies must be SATISFIED (or NOT_APPLICABLE); no policy, no requirement, or any failure to
 * decide is not an allowance. Each requirement is one small function in lib/policy/. What stands in
 * the way without any policy asking (state, files that differ, no policy applies) is a row named
 * "change", there only when it does.
 */
#ifndef OPLEDGER_GATE_H
#define OPLEDGER_GATE_H

#include <opledger/gate_policy.h>
#include <opledger/hypothesis.h>
#include <opledger/manifest.h>
#include <opledger/world.h>

#define OPL_GATE_VOCABULARY 1 /* rises when the meaning of a requirement changes */
#define OPL_GATE_REQUIREMENTS_MAX 128

enum opl_requirement_status {
    OPL_SATISFIED,
    OPL_UNSATISFIED,
    OPL_OVERRIDDEN,
    OPL_NOT_APPLICABLE,
    OPL_ERROR,
};

const char *opl_requirement_status_name(enum opl_requirement_status status);

struct opl_requirement {
    enum opl_requirement_kind kind;
    char policy[65];
    enum opl_requirement_status status;
    struct opl_seqs for_;
    struct opl_seqs against;
    char detail[512];
    char next[256]; /* built only from ids and words of ours, never from recorded text */
};

enum opl_gate_outcome { OPL_GATE_DENIED, OPL_GATE_ALLOWED, OPL_GATE_OVERRIDDEN };

const char *opl_gate_outcome_name(enum opl_gate_outcome outcome);

struct opl_gate_input {
    const char *change;              /* id */
    const struct opl_hash *manifest; /* as found by the caller; NULL: the change's own */
    const struct opl_hash *base;     /* as found by the caller; NULL: the manifest's own */
    const char
        *origin;   /* of the log: approvals of another epoch do not count. NULL: not compared */
    uint64_t size; /* of the log that is judged */
    int64_t now;
};

/* An approval, and why it does not count where it does not. */
struct opl_approval {
    uint64_t seq;
    char signer[65];
    char role[65];
    bool counts;
    char why_not[160];
    const char *statement; /* borrowed from the world */
    const char *sshsig;
};

struct opl_gate_result {
    enum opl_gate_outcome outcome;
    char change[OPL_ID_SIZE];
    struct opl_hash manifest;
    struct opl_hash base;
    struct opl_hash policy; /* the gate digest */
    bool bootstrap_closed;
    struct opl_requirement require[OPL_GATE_REQUIREMENTS_MAX];
    size_t require_count;
    struct opl_approval approvals[OPL_FACTS_MAX]; /* the newest of them, in log order */
    size_t approval_count;
    int64_t hold_s; /* the shortest that the applying policies allow */
};

/*
 * Judges a change. False only when it could not be judged at all (unknown change, unreadable
 * manifest or policy, OPL_E_NOMEM); then nobody is allowed anything. The result is large: keep it
 * on the heap.
 */
OPL_MUST_CHECK bool opl_gate_evaluate(struct opl_world *world, const struct opl_gate_input *input,
                                      struct opl_gate_result *out, struct opl_err *err);

/*
 * The parts of the reply that a result gives (CONTRACT section 5): outcome, manifest, base, policy,
 * requirements (with policy, facts, detail and next), approvals (those that count), not_counted
 * (the others: seq, role, why), bootstrap. New reference.
 */
json_t *opl_gate_result_json(const struct opl_gate_result *result);

/* [{name,status}] for gate.decided, one per requirement and policy, in order. New reference. */
json_t *opl_gate_result_statuses(const struct opl_gate_result *result);

/*
 * The digest over policies that a Statement or decision names (CONTRACT section 3): `models` and
 * {name: sha256} pairs, under the key `set` ("gate" or "redact").
 */
struct opl_named_hash {
    char name[65];
    struct opl_hash sha256;
};

OPL_MUST_CHECK bool opl_policies_digest(const char *set, const struct opl_hash *models,
                                        const struct opl_named_hash *policies, size_t count,
                                        struct opl_hash *out, struct opl_err *err);

/* The gate digest over the policies that apply to a change as adopted in this world. */
OPL_MUST_CHECK bool opl_gate_digest(struct opl_world *world, const char *change,
                                    struct opl_hash *out, struct opl_err *err);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of CONTRACT section 3, in its order. */
#include "kinds_fields.h"

#define P OPL_W_PERSON
#define S OPL_W_SERVICE
#define A OPL_W_AGENT
#define X OPL_W_ITSELF

#define ON_INC OPL_ON(OPL_ID_INC)
#define ON_HYP OPL_ON(OPL_ID_HYP)
#define ON_CHG OPL_ON(OPL_ID_CHG)
#define ON_OVR OPL_ON(OPL_ID_OVR)

#define RECORDER "recorder"
#define APPROVER "approver.*"

#define ADMIN_ROW(kind, fields_, writers_, summary_)                                               \
    {                                                                                              \
        .name = kind, .on = OPL_ON_NOTHING, .writers = (writers_), .roles = "admin",               \
        .fields = opl_fields_##fields_, .flags = OPL_KIND_ADMIN, .statement = "opledger/admin",    \
        .summary = (summary_)                                                                      \
    }

/* Administration whose effect does not exist yet. */
#define ADMIN_ROW_LATER(kind, fields_, summary_)                                                   \
    {                                                                                              \
        .name = kind, .on = OPL_ON_NOTHING, .writers = P, .roles = "admin",                        \
        .fields = opl_fields_##fields_, .flags = OPL_KIND_ADMIN | OPL_KIND_LATER,                  \
        .statement = "opledger/admin", .summary = (summary_)                                       \
    }

/* Laid out by hand: clang-format 14 misaligns arrays of designated initialisers. */
/* clang-format off */
const struct opl_kind opl_kinds[] = {
    {
        .name = "incident.opened",
        .creates = OPL_ID_INC,
        .on = OPL_ON_NOTHING,
        .writers = P | S,
        .roles = RECORDER,
        .fields = opl_fields_incident_opened,
        .summary = "An incident begins",
    },
    {
        .name = "incident.noted",
        .on = ON_INC,
        .writers = P | S | A,
        .roles = RECORDER,
        .fields = opl_fields_incident_noted,
        .summary = "A note on an incident",
    },
    {
        .name = "incident.closed",
        .on = ON_INC,
        .writers = P,
        .roles = RECORDER,
        .fields = opl_fields_incident_closed,
        .from = OPL_FROM(OPL_S_OPEN),
        .summary = "An incident ends",
    },
    {
        .name = "incident.reopened",
        .on = ON_INC,
        .writers = P,
        .roles = RECORDER,
        .fields = opl_fields_incident_reopened,
        .from = OPL_FROM(OPL_S_CLOSED),
        .summary = "A closed incident goes on",
    },
    {
        .name = "modelcall.recorded",
        .creates = OPL_ID_CALL,
        .on = ON_INC | OPL_ON_NOTHING,
        .writers = P | S | A,
        .roles = RECORDER,
        .fields = opl_fields_modelcall_recorded,
        .summary = "A model was called",
    },
    {
        .name = "hypothesis.recorded",
        .creates = OPL_ID_HYP,
        .on = ON_INC,
        .writers = P | S | A,
        .roles = RECORDER,
        .fields = opl_fields_hypothesis_recorded,
        .exactly_one = "prompt_sha256|prompt_unavailable",
        .summary = "A model's explanation of an incident",
    },
    {
        .name = "hypothesis.closed",
        .on = ON_HYP,
        .writers = P,
        .roles = RECORDER,
        .fields = opl_fields_hypothesis_closed,
        .from = OPL_FROM(OPL_S_OPEN),
        .flags = OPL_KIND_NEGATIVE,
        .summary = "A hypothesis is given up or replaced",
    },
    {
        .name = "evidence.attached",
        .on = ON_INC | ON_HYP | ON_CHG,
        .writers = P | S | A,
        .roles = RECORDER,
        .fields = opl_fields_evidence_attached,
        .flags = OPL_KIND_POSITIVE,
        .summary = "Stored bytes become evidence",
    },
    {
        .name = "verdict.recorded",
        .on = ON_HYP,
        .writers = P | S | A,
        .roles = RECORDER,
        .fields = opl_fields_verdict_recorded,
        .exactly_one = "prompt_sha256|prompt_unavailable",
        .flags = OPL_KIND_POSITIVE | OPL_KIND_NEGATIVE,
        .summary = "A second model's judgement of a hypothesis",
    },
    {
        .name = "reproduction.recorded",
        .on = ON_HYP,
        .writers = P | S,
        .roles = RECORDER,
        .fields = opl_fields_reproduction_recorded,
        .flags = OPL_KIND_POSITIVE | OPL_KIND_NEGATIVE,
        .summary = "A hypothesis was tried out",
    },
    {
        .name = "vendor.updated",
        .on = ON_HYP,
        .writers = P,
        .roles = RECORDER,
        .fields = opl_fields_vendor_updated,
        .flags = OPL_KIND_POSITIVE | OPL_KIND_NEGATIVE,
        .summary = "What the vendor says of a hypothesis",
    },
    {
        .name = "change.proposed",
        .creates = OPL_ID_CHG,
        .on = ON_INC | OPL_ON_NOTHING,
        .writers = P | S,
        .roles = RECORDER,
        .fields = opl_fields_change_proposed,
        .summary = "A change that rests on hypotheses",
    },
    {
        .name = "change.revised",
        .on = ON_CHG,
        .writers = P | S,
        .roles = RECORDER,
        .fields = opl_fields_change_revised,
        .from = OPL_FROM(OPL_S_PROPOSED),
        .summary = "The proposer replaces the manifest",
    },
    {
        .name = "testrun.recorded",
        .on = ON_CHG,
        .writers = P | S,
        .roles = RECORDER,
        .fields = opl_fields_testrun_recorded,
        .flags = OPL_KIND_POSITIVE | OPL_KIND_NEGATIVE,
        .summary = "A manifest was tried on a test box",
    },
    {
        .name = "rehearsal.recorded",
        .on = ON_CHG,
        .writers = P | S,
        .roles = RECORDER,
        .fields = opl_fields_rehearsal_recorded,
        .flags = OPL_KIND_POSITIVE | OPL_KIND_NEGATIVE,
        .summary = "Calling off, or restoring, was rehearsed",
    },
    {
        .name = "confirmation.signed",
        .on = ON_HYP | ON_CHG,
        .writers = P,
        .roles = "recorder|reviewer|approver.*",
        .fields = opl_fields_confirmation_signed,
        .flags = OPL_KIND_SIGNED | OPL_KIND_POSITIVE,
        .statement = "opledger/confirmation",
        .summary = "A second person signs somebody's fact",
    },
    {
        .name = "approval.signed",
        .on = ON_CHG,
        .writers = P,
        .roles = APPROVER,
        .fields = opl_fields_approval_signed,
        .from = OPL_FROM(OPL_S_PROPOSED),
        .flags = OPL_KIND_SIGNED | OPL_KIND_POSITIVE,
        .statement = "opledger/approval",
        .summary = "An approver signs a change",
    },
    {
        .name = "approval.revoked",
        .on = ON_CHG,
        .writers = P,
        .roles = APPROVER,
        .fields = opl_fields_approval_revoked,
        .flags = OPL_KIND_NEGATIVE,
        .summary = "An approver takes an approval back",
    },
    {
        /* the roles are those of the gate route, the only way to write it */
        .name = "gate.decided",
        .on = ON_CHG,
        .writers = X,
        .roles = "gate|recorder",
        .fields = opl_fields_gate_decided,
        .summary = "The gate's decision at this place in the log",
    },
    {
        .name = "change.started",
        .on = ON_CHG,
        .writers = P | S,
        .roles = "gate|recorder",
        .fields = opl_fields_change_started,
        .from = OPL_FROM(OPL_S_PROPOSED),
        .summary = "A change is being applied",
    },
    {
        /* applied and failed may be followed by the outcome "reverted" alone */
        .name = "change.finished",
        .on = ON_CHG,
        .writers = P | S,
        .roles = "gate|recorder",
        .fields = opl_fields_change_finished,
        .from = OPL_FROM(OPL_S_STARTED) | OPL_FROM(OPL_S_UNKNOWN) | OPL_FROM(OPL_S_APPLIED) |
                OPL_FROM(OPL_S_FAILED),
        .summary = "How applying a change ended",
    },
    {
        .name = "override.opened",
        .creates = OPL_ID_OVR,
        .on = ON_CHG,
        .writers = P,
        .roles = APPROVER,
        .fields = opl_fields_override_opened,
        .from = OPL_FROM(OPL_S_PROPOSED),
        .flags = OPL_KIND_SIGNED | OPL_KIND_LATER,
        .statement = "opledger/override",
        .summary = "The gate is overridden for one manifest, with a reason and an end",
    },
    {
        .name = "override.reviewed",
        .on = ON_OVR,
        .writers = P,
        .roles = "reviewer|approver.*",
        .fields = opl_fields_override_reviewed,
        .from = OPL_FROM(OPL_S_OPEN),
        .flags = OPL_KIND_SIGNED | OPL_KIND_LATER,
        .statement = "opledger/override-review",
        .summary = "Another person judges an override",
    },
    {
        .name = "egress.recorded",
        .creates = OPL_ID_EGR,
        .on = ON_INC | ON_HYP,
        .writers = P | S,
        .roles = RECORDER,
        .fields = opl_fields_egress_recorded,
        .summary = "Scrubbed text left the site",
    },
    {
        .name = "egress.restored",
        .on = ON_INC | ON_HYP,
        .writers = P,
        .roles = RECORDER,
        .fields = opl_fields_egress_restored,
        .flags = OPL_KIND_LATER,
        .summary = "Names were put back into a model's answer",
    },
    {
        .name = "egress.rescanned",
        .on = OPL_ON_NOTHING,
        .writers = P | S,
        .roles = RECORDER,
        .fields = opl_fields_egress_rescanned,
        .flags = OPL_KIND_LATER,
        .summary = "Today's rules were run over what left before",
    },
    {
        .name = "fact.withdrawn",
        .on = ON_INC | ON_HYP | ON_CHG,
        .writers = P | S,
        .roles = "recorder|reviewer",
        .fields = opl_fields_fact_withdrawn,
        .flags = OPL_KIND_NEGATIVE,
        .summary = "A positive fact no longer stands",
    },

    ADMIN_ROW("principal.enrolled", principal_enrolled, P | X, "A principal joins"),
    ADMIN_ROW("principal.changed", principal_changed, P | X, "A principal's roles change"),
    ADMIN_ROW("principal.revoked", principal_revoked, P | X, "A principal leaves"),
    ADMIN_ROW("key.added", key_added, P, "A person's signing key is enrolled"),
 /* one's own key may be revoked without the role */
    ADMIN_ROW("key.revoked", key_revoked, P, "A signing key counts no longer"),
    ADMIN_ROW("token.created", token_created, P | X, "A token is given out"),
    {
        .name = "token.revoked",
        .on = OPL_ON_NOTHING,
        .writers = P | X,
        .roles = "admin",
        .fields = opl_fields_token_revoked,
        .flags = OPL_KIND_ADMIN,
        .summary = "A token counts no longer",
    },
    ADMIN_ROW("policy.adopted", policy_adopted, P | X, "A policy comes into force"),
    ADMIN_ROW_LATER("witness.added", witness_added, "A witness of the log joins"),
    ADMIN_ROW_LATER("witness.removed", witness_removed, "A witness of the log leaves"),
    {
        .name = "content.erased",
        .on = OPL_ON_NOTHING,
        .writers = P,
        .roles = "admin",
        .fields = opl_fields_content_erased,
        .exactly_one = "seq,field|sha256",
        .flags = OPL_KIND_ADMIN | OPL_KIND_LATER,
        .statement = "opledger/admin",
        .summary = "A sealed text or a blob is erased",
    },
    {
        .name = "bootstrap.closed",
        .on = OPL_ON_NOTHING,
        .writers = P,
        .roles = "admin",
        .fields = opl_fields_bootstrap_closed,
        .flags = OPL_KIND_ADMIN,
        .summary = "From now on administration takes a second person's signature",
    },
    ADMIN_ROW_LATER("epoch.begun", epoch_begun, "The log goes on under a new origin"),
    ADMIN_ROW_LATER("clock.corrected", clock_corrected, "The log's time may fall, once"),
    {.name = NULL                       },
};
/* clang-format on */

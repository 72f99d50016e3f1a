/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Each array reads like the "body" column of CONTRACT section 3: type, name, and its one line of
 * help. Required and single unless marked; lists are always present unless OPTIONAL.
 */
#include "kinds_fields.h"

#define OPTIONAL OPL_FIELD_OPTIONAL
#define LIST OPL_FIELD_LIST

#define FIELD(type, name, flags, help)                                                             \
    {                                                                                              \
        name, OPL_F_##type, flags, 0, NULL, OPL_ID_NONE, help                                      \
    }
#define TEXT(name, max, flags, help)                                                               \
    {                                                                                              \
        name, OPL_F_TEXT, flags, max, NULL, OPL_ID_NONE, help                                      \
    }
#define WORD(name, words, help)                                                                    \
    {                                                                                              \
        name, OPL_F_ENUM, 0, 0, words, OPL_ID_NONE, help                                           \
    }
#define SUBJECT(name, prefix, flags, help)                                                         \
    {                                                                                              \
        name, OPL_F_ID, flags, 0, NULL, OPL_ID_##prefix, help                                      \
    }
#define REQUIREMENTS(name, max, help)                                                              \
    {                                                                                              \
        name, OPL_F_REQUIREMENTS, 0, max, NULL, OPL_ID_NONE, help                                  \
    }
#define END                                                                                        \
    {                                                                                              \
        NULL, OPL_F_TEXT, 0, 0, NULL, OPL_ID_NONE, NULL                                            \
    }

#define EVIDENCE FIELD(DIGEST, "evidence", LIST, "digests of evidence attached before")
#define SIGNED(flags)                                                                              \
    TEXT("statement", 8192, flags, "the signed Statement, without its line feed"),                 \
        TEXT("sshsig", 8192, flags, "base64 of the SSH signature over it")

const struct opl_field opl_fields_incident_opened[] = {
    FIELD(SEALED, "title", 0, "what happens, in one line"),
    WORD("severity", "low|medium|high|critical", "how bad it is"),
    FIELD(SEALED, "text", OPTIONAL, "what is known so far"),
    END,
};

const struct opl_field opl_fields_incident_noted[] = {
    FIELD(SEALED, "text", 0, "the note"),
    FIELD(SEQ, "corrects", OPTIONAL, "the entry that this note corrects"),
    END,
};

const struct opl_field opl_fields_incident_closed[] = {
    WORD("outcome", "resolved|called-off|unexplained|duplicate", "how it ended"),
    FIELD(SEALED, "text", OPTIONAL, "what was learned"),
    END,
};

const struct opl_field opl_fields_incident_reopened[] = {
    FIELD(SEALED, "text", 0, "why it is open again"),
    END,
};

const struct opl_field opl_fields_modelcall_recorded[] = {
    FIELD(MODEL, "model", 0, "the model that was called"),
    TEXT("operation", 64, 0, "what was asked of it, such as chat or embeddings"),
    TEXT("conversation", 128, OPTIONAL, "the conversation that the call belongs to"),
    FIELD(HEX, "request_sha256", 0, "SHA-256 of the request as sent"),
    FIELD(HEX, "response_sha256", OPTIONAL, "SHA-256 of the response"),
    FIELD(INT, "input_tokens", OPTIONAL, "tokens in"),
    FIELD(INT, "output_tokens", OPTIONAL, "tokens out"),
    FIELD(INT, "attempt", 0, "which try this was"),
    TEXT("status", 32, 0, "how the call ended"),
    TEXT("provider_id", 128, OPTIONAL, "the provider's own name of the call"),
    END,
};

const struct opl_field opl_fields_hypothesis_recorded[] = {
    FIELD(SEALED, "claim", 0, "what the model says is the cause"),
    FIELD(SEALED, "predicts", OPTIONAL, "what should be seen if it is true"),
    FIELD(SEALED, "refuted_by", OPTIONAL, "what would show it false"),
    FIELD(MODEL, "model", 0, "the model that said it"),
    TEXT("tool", 128, OPTIONAL, "the program through which the model was asked"),
    FIELD(HEX, "prompt_sha256", OPTIONAL, "SHA-256 of the prompt as sent, after redaction"),
    FIELD(SEALED, "prompt_unavailable", OPTIONAL, "why there is no prompt to hash"),
    FIELD(HEX, "response_sha256", OPTIONAL, "SHA-256 of the response"),
    SUBJECT("call", CALL, OPTIONAL, "the recorded model call"),
    SUBJECT("refines", HYP, OPTIONAL, "the hypothesis that this one refines"),
    SUBJECT("egress", EGR, LIST | OPTIONAL, "the egresses whose text the prompt contained"),
    FIELD(DIGEST, "evidence", LIST | OPTIONAL, "digests of evidence that the model saw"),
    END,
};

const struct opl_field opl_fields_hypothesis_closed[] = {
    WORD("how", "superseded|withdrawn|refuted|inconclusive", "how it ended"),
    SUBJECT("by", HYP, OPTIONAL, "the hypothesis that takes its place"),
    FIELD(SEALED, "reason", 0, "why"),
    END,
};

const struct opl_field opl_fields_evidence_attached[] = {
    FIELD(HEX, "sha256", 0, "SHA-256 of the stored bytes"),
    FIELD(INT, "size", 0, "how many bytes they are"),
    TEXT("media_type", 128, 0, "what sort of bytes, such as text/plain"),
    FIELD(SEALED, "name", 0, "file name or title"),
    TEXT("source", 64, 0, "where it comes from, such as strace or slurm.conf"),
    FIELD(HOST, "host", OPTIONAL, "the host on which it was taken"),
    FIELD(SEALED, "command", OPTIONAL, "the command that made it"),
    FIELD(VERSION, "at_version", OPTIONAL, "the software version it was taken at"),
    FIELD(DIGEST, "baseline_of", OPTIONAL, "the evidence that this one is the baseline of"),
    SUBJECT("egress", EGR, OPTIONAL, "the egress whose output this is"),
    END,
};

const struct opl_field opl_fields_verdict_recorded[] = {
    FIELD(MODEL, "model", 0, "the second model"),
    WORD("mode", "blind|review", "asked without, or with, the first answer before it"),
    WORD("verdict", "agrees|partly|disagrees|inconclusive", "what it says of the hypothesis"),
    FIELD(SEALED, "rationale", 0, "the reason that it gives"),
    FIELD(HEX, "prompt_sha256", OPTIONAL, "SHA-256 of the prompt as sent, after redaction"),
    FIELD(SEALED, "prompt_unavailable", OPTIONAL, "why there is no prompt to hash"),
    SUBJECT("egress", EGR, LIST | OPTIONAL, "the egresses whose text the prompt contained"),
    FIELD(DIGEST, "evidence", LIST, "digests of evidence that the second model saw"),
    END,
};

const struct opl_field opl_fields_reproduction_recorded[] = {
    TEXT("where", 128, 0, "where it was tried"),
    WORD("outcome", "reproduced|not-reproduced|contradicted",
         "contradicted: what refuted_by names was seen"),
    EVIDENCE,
    FIELD(SEALED, "notes", OPTIONAL, "how it was done"),
    END,
};

const struct opl_field opl_fields_vendor_updated[] = {
    TEXT("vendor", 64, 0, "whose word this is"),
    WORD("state", "asked|acknowledged|confirmed|rejected|withdrawn", "what the vendor says"),
    TEXT("ticket", 128, OPTIONAL, "the vendor's ticket"),
    FIELD(VERSION, "introduced_in", OPTIONAL, "the first version that has the fault"),
    FIELD(VERSION, "fixed_in", OPTIONAL, "the first version without it"),
    FIELD(RANGE, "versions", OPTIONAL, "the versions it holds for, as 25.11.0..25.11.3,26.05.."),
    FIELD(SEALED, "statement", OPTIONAL, "the vendor's own words"),
    EVIDENCE,
    END,
};

const struct opl_field opl_fields_change_proposed[] = {
    FIELD(SEALED, "title", 0, "what the change does, in one line"),
    WORD("class", "config|upgrade|script", "what sort of change"),
    FIELD(TARGET, "target", 0, "what it touches, as engaging/slurm"),
    FIELD(DIGEST, "manifest", 0, "digest of the manifest: files, base and command"),
    FIELD(INT, "files", 0, "how many files the manifest names"),
    SUBJECT("hypotheses", HYP, LIST, "the hypotheses that it rests on"),
    FIELD(VERSION, "running_version", OPTIONAL, "the software version that runs now"),
    FIELD(WINDOW, "window", OPTIONAL, "when it may be applied, FROM/TO"),
    FIELD(TIME, "call_off_by", OPTIONAL, "until when it can be called off"),
    FIELD(HEX, "call_off_plan_sha256", OPTIONAL, "SHA-256 of the plan to call it off"),
    END,
};

const struct opl_field opl_fields_change_revised[] = {
    FIELD(DIGEST, "manifest", 0, "digest of the new manifest"),
    FIELD(INT, "files", 0, "how many files it names"),
    SUBJECT("hypotheses", HYP, LIST, "the hypotheses that it rests on"),
    FIELD(VERSION, "running_version", OPTIONAL, "the software version that runs now"),
    END,
};

const struct opl_field opl_fields_testrun_recorded[] = {
    FIELD(HOST, "host", 0, "the test box"),
    FIELD(DIGEST, "manifest", 0, "digest of the manifest that was tested"),
    WORD("outcome", "passed|failed", "how it went"),
    EVIDENCE,
    END,
};

const struct opl_field opl_fields_rehearsal_recorded[] = {
    WORD("what", "call-off|restore", "what was rehearsed"),
    WORD("outcome", "passed|failed", "how it went"),
    FIELD(INT, "duration_s", 0, "how long it took, in seconds"),
    EVIDENCE,
    END,
};

const struct opl_field opl_fields_confirmation_signed[] = {
    FIELD(SEQ, "fact", 0, "the entry that is confirmed"),
    SIGNED(0),
    END,
};

const struct opl_field opl_fields_approval_signed[] = {
    SIGNED(0),
    FIELD(ROLE_NAME, "role", 0, "the approver role in which it is given"),
    END,
};

const struct opl_field opl_fields_approval_revoked[] = {
    FIELD(SEQ, "approval", 0, "the approval, one's own"),
    FIELD(SEALED, "reason", 0, "why"),
    END,
};

const struct opl_field opl_fields_gate_decided[] = {
    WORD("use", "check|apply|hook|start", "what asked"),
    WORD("outcome", "allowed|denied|overridden", "what was decided"),
    FIELD(NONCE, "nonce", 0, "drawn by who asked"),
    FIELD(DIGEST, "manifest", 0, "digest of the manifest that was judged"),
    FIELD(DIGEST, "base", 0, "digest of the base that was judged"),
    FIELD(DIGEST, "policy", 0, "the gate digest in force"),
    REQUIREMENTS("requirements", OPL_GATE_NAMES_MAX, "each requirement and its status"),
    SUBJECT("override", OVR, OPTIONAL, "the override that allows it"),
    FIELD(HOST, "host", OPTIONAL, "the host that asked"),
    FIELD(TIME, "expires", 0, "until when the decision may be used"),
    END,
};

const struct opl_field opl_fields_change_started[] = {
    FIELD(SEQ, "decision", 0, "the decision that allows it"),
    FIELD(HOST, "host", OPTIONAL, "where it is applied"),
    FIELD(DIGEST, "drift", OPTIONAL, "the live base, where no recorded change left it so"),
    FIELD(TIME, "deadline", OPTIONAL, "after this moment its outcome is unknown"),
    END,
};

const struct opl_field opl_fields_change_finished[] = {
    WORD("outcome", "applied|failed|called-off|reverted|unknown", "how it ended"),
    FIELD(INT, "exit_status", OPTIONAL, "exit status of the command"),
    EVIDENCE,
    END,
};

const struct opl_field opl_fields_override_opened[] = {
    FIELD(SEALED, "reason", 0, "why the gate is overridden"),
    FIELD(TIME, "expires", 0, "when the override ends"),
    FIELD(DIGEST, "manifest", 0, "digest of the only manifest that it is good for"),
    FIELD(HOST, "host", OPTIONAL, "the only host that it is good for"),
    SIGNED(0),
    END,
};

const struct opl_field opl_fields_override_reviewed[] = {
    WORD("verdict", "justified|not-justified", "what the reviewer finds"),
    FIELD(SEALED, "text", 0, "why"),
    SIGNED(0),
    END,
};

const struct opl_field opl_fields_egress_recorded[] = {
    TEXT("destination", 64, 0, "where it went: a destination of models.yaml"),
    FIELD(MODEL, "model", 0, "the model it was for"),
    FIELD(DIGEST, "rules", 0, "the rules digest, of adopted rules"),
    FIELD(HEX, "sent_sha256", 0, "SHA-256 of the scrubbed output"),
    FIELD(HEX, "manifest_sha256", 0, "SHA-256 of the redaction manifest"),
    FIELD(HEX, "source_sha256", OPTIONAL, "SHA-256 of the source, if it is attached evidence"),
    FIELD(INT, "bytes", 0, "how many bytes left"),
    FIELD(COUNTS, "hits", 0, "how much was masked, by class"),
    FIELD(INT, "unscannable", 0, "how many regions could not be read and were masked whole"),
    WORD("outcome", "sent|refused|failed", "what became of it"),
    END,
};

const struct opl_field opl_fields_egress_restored[] = {
    FIELD(HEX, "map_sha256", 0, "SHA-256 of the identity map"),
    FIELD(INT, "restored", 0, "how many names were put back"),
    FIELD(INT, "left", 0, "how many were left masked"),
    END,
};

const struct opl_field opl_fields_egress_rescanned[] = {
    FIELD(DIGEST, "rules", 0, "the rules digest of the scan"),
    FIELD(INT, "checked", 0, "how many outputs were scanned"),
    SUBJECT("flagged", EGR, LIST, "the egresses in which something was found"),
    END,
};

const struct opl_field opl_fields_fact_withdrawn[] = {
    FIELD(SEQ, "fact", 0, "the positive fact that no longer stands"),
    FIELD(SEALED, "reason", 0, "why"),
    END,
};

const struct opl_field opl_fields_principal_enrolled[] = {
    FIELD(PRINCIPAL, "name", 0, "the new principal"),
    WORD("class", "person|service|agent", "what it is"),
    FIELD(ROLE, "roles", LIST, "what it may do"),
    FIELD(PRINCIPAL, "owner", OPTIONAL, "the person behind a service or agent"),
    FIELD(MODEL, "model", OPTIONAL, "the model that an agent is bound to"),
    SIGNED(OPTIONAL),
    END,
};

const struct opl_field opl_fields_principal_changed[] = {
    FIELD(PRINCIPAL, "name", 0, "the principal"),
    FIELD(ROLE, "roles", LIST, "what it may do from now on"),
    SIGNED(OPTIONAL),
    END,
};

const struct opl_field opl_fields_principal_revoked[] = {
    FIELD(PRINCIPAL, "name", 0, "the principal"),
    FIELD(SEALED, "reason", 0, "why"),
    SIGNED(OPTIONAL),
    END,
};

const struct opl_field opl_fields_key_added[] = {
    FIELD(PRINCIPAL, "principal", 0, "whose key it is"),
    TEXT("public_key", 2048, 0, "OpenSSH public key line, without comment"),
    WORD("hardware", "no|seen", "seen: a second person has seen the token"),
    FIELD(TIME, "not_before", OPTIONAL, "valid from"),
    FIELD(TIME, "not_after", OPTIONAL, "valid until"),
    SIGNED(OPTIONAL),
    END,
};

const struct opl_field opl_fields_key_revoked[] = {
    FIELD(PRINCIPAL, "principal", 0, "whose key it is"),
    TEXT("fingerprint", 64, 0, "SHA256:... of the key"),
    FIELD(SEALED, "reason", 0, "why"),
    SIGNED(OPTIONAL),
    END,
};

const struct opl_field opl_fields_token_created[] = {
    FIELD(PRINCIPAL, "principal", 0, "who may use it"),
    FIELD(ROLE, "scope", LIST, "what it allows, never more than the principal's roles"),
    FIELD(TIME, "expires", 0, "when it ends"),
    TEXT("token_id", 16, 0, "its name"),
    FIELD(HEX, "token_sha256", 0, "SHA-256 of the 32 random bytes"),
    SIGNED(OPTIONAL),
    END,
};

const struct opl_field opl_fields_token_revoked[] = {
    TEXT("token_id", 16, 0, "its name"),
    FIELD(SEALED, "reason", 0, "why"),
    END,
};

const struct opl_field opl_fields_policy_adopted[] = {
    WORD("what", "gate|redact|models", "what sort of policy"),
    TEXT("name", 64, 0, "its name"),
    FIELD(HEX, "sha256", 0, "SHA-256 of the stored file"),
    FIELD(DIGEST, "replaces", OPTIONAL, "digest of the policy that it replaces"),
    SIGNED(OPTIONAL),
    END,
};

const struct opl_field opl_fields_witness_added[] = {
    TEXT("vkey", 512, 0, "the witness's verifier key"),
    TEXT("url", 512, 0, "where it is reached"),
    SIGNED(OPTIONAL),
    END,
};

const struct opl_field opl_fields_witness_removed[] = {
    TEXT("vkey", 512, 0, "the witness's verifier key"),
    FIELD(SEALED, "reason", 0, "why"),
    SIGNED(OPTIONAL),
    END,
};

const struct opl_field opl_fields_content_erased[] = {
    FIELD(SEQ, "seq", OPTIONAL, "the entry whose text is erased"),
    FIELD(POINTER, "field", OPTIONAL, "the sealed field of it, such as /body/claim"),
    FIELD(HEX, "sha256", OPTIONAL, "the blob that is erased"),
    FIELD(SEALED, "reason", 0, "why"),
    SIGNED(OPTIONAL),
    END,
};

const struct opl_field opl_fields_bootstrap_closed[] = {
    END,
};

const struct opl_field opl_fields_epoch_begun[] = {
    FIELD(HEAD, "previous", 0, "the largest head of the last epoch that anyone knows"),
    SIGNED(OPTIONAL),
    END,
};

const struct opl_field opl_fields_clock_corrected[] = {
    FIELD(TIME, "floor", 0, "the moment to which the log's time may fall, once"),
    SIGNED(OPTIONAL),
    END,
};

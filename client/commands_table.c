/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rows, nouns in the order of DESIGN: an incident from its opening to the gate, then the
 * filter, policies and the log, then people, then the program itself.
 */
#include "cmd.h"

/* Laid out by hand: clang-format 14 misaligns arrays of designated initialisers. */
/* clang-format off */
const struct command commands[] = {
    {
        .noun = "incident", .verb = "open", .arguments = "",
        .summary = "Open an incident",
        .kind = "incident.opened", .options = incident_open_options, .run = cmd_incident_open,
        .flags = COMMAND_SERVER,
        .examples = "opledger incident open --title 'slurmctld: save warning repeats' --severity "
                    "high\n"
                    "opledger incident open    # asks for the title: paste it, nothing goes "
                    "through a shell",
    },
    {
        .noun = "incident", .verb = "note", .arguments = "ID [TEXT]",
        .summary = "Add a note to an incident",
        .kind = "incident.noted", .options = incident_note_options, .run = cmd_incident_note,
        .flags = COMMAND_SERVER,
        .examples = "opledger incident note inc-3\n"
                    "tail -50 /var/log/slurmctld.log | opledger incident note inc-3 -\n"
                    "opledger incident note inc-3 'the upgrade was called off at 02:40' --corrects "
                    "41",
    },
    {
        .noun = "incident", .verb = "close", .arguments = "ID",
        .summary = "Close an incident with its outcome",
        .kind = "incident.closed", .options = incident_close_options, .run = cmd_incident_close,
        .flags = COMMAND_SERVER,
        .examples = "opledger incident close inc-3 --outcome resolved\n"
                    "opledger incident close inc-3 --outcome unexplained --text -  < summary.txt",
    },
    {
        .noun = "incident", .verb = "reopen", .arguments = "ID",
        .summary = "Reopen a closed incident",
        .kind = "incident.reopened", .options = incident_reopen_options, .run = cmd_incident_reopen,
        .flags = COMMAND_SERVER,
        .examples = "opledger incident reopen inc-3 --text 'the warning is back'",
    },
    {
        .noun = "incident", .verb = "show", .arguments = "ID",
        .summary = "Print the whole timeline of an incident",
        .run = cmd_incident_show, .flags = COMMAND_SERVER,
        .examples = "opledger incident show inc-3\n"
                    "opledger incident show inc-3 --json | jq '.subjects[].status'",
    },
    {
        .noun = "incident", .verb = "list", .arguments = "",
        .summary = "List incidents, the newest first",
        .options = list_options, .run = cmd_incident_list, .flags = COMMAND_SERVER,
        .examples = "opledger incident list\n"
                    "opledger incident list --status open",
    },
    {
        .noun = "hyp", .arguments = "[INC] [TEXT]",
        .summary = "Record in one line what a model said",
        .kind = "hypothesis.recorded", .options = hyp_options, .run = cmd_hyp,
        .flags = COMMAND_SERVER,
        .examples = "opledger hyp inc-3 -m openai/gpt-5 -p prompt.txt    # asks for the claim: "
                    "paste it\n"
                    "opledger hyp -m anthropic/claude-opus-5     # last incident of this terminal\n"
                    "opledger hyp inc-3 'lock contention in the state save' -m openai/gpt-5",
    },
    {
        .noun = "hypothesis", .verb = "record", .arguments = "INC",
        .summary = "Record a hypothesis of a model in full",
        .kind = "hypothesis.recorded", .options = hypothesis_record_options,
        .run = cmd_hypothesis_record, .flags = COMMAND_SERVER,
        .examples = "opledger hypothesis record inc-3 --model openai/gpt-5@2026-08-01 --tool codex "
                    "--prompt-file prompt.txt --egress egr-1 --evidence trace.red\n"
                    "opledger hypothesis record inc-3 -m openai/gpt-5 --prompt-unavailable 'asked "
                    "on a phone' --predicts 'save time falls with one lock less'",
    },
    {
        .noun = "hypothesis", .verb = "show", .arguments = "ID",
        .summary = "Show a hypothesis and all that was said of it",
        .run = cmd_hypothesis_show, .flags = COMMAND_SERVER,
        .examples = "opledger hypothesis show hyp-12",
    },
    {
        .noun = "hypothesis", .verb = "list", .arguments = "",
        .summary = "List hypotheses, the newest first",
        .options = list_options, .run = cmd_hypothesis_list, .flags = COMMAND_SERVER,
        .examples = "opledger hypothesis list --status unconfirmed\n"
                    "opledger hypothesis list --model openai/gpt-5 --limit 200",
    },
    {
        .noun = "hypothesis", .verb = "close", .arguments = "ID",
        .summary = "Close a hypothesis",
        .kind = "hypothesis.closed", .options = hypothesis_close_options,
        .run = cmd_hypothesis_close, .flags = COMMAND_SERVER,
        .examples = "opledger hypothesis close hyp-12 --how refuted --reason 'the lock is never "
                    "held for long'\n"
                    "opledger hypothesis close hyp-12 --how superseded --by hyp-14",
    },
    {
        .noun = "hypothesis", .verb = "stats", .arguments = "",
        .summary = "Count by model what became of hypotheses",
        .options = hypothesis_stats_options, .run = cmd_hypothesis_stats, .flags = COMMAND_SERVER,
        .examples = "opledger hypothesis stats\n"
                    "opledger hypothesis stats --since 2026-10-01T00:00:00Z",
    },
    {
        .noun = "evidence", .verb = "attach", .arguments = "ID FILE",
        .summary = "Attach a file as evidence to an incident, hypothesis or change",
        .kind = "evidence.attached", .options = evidence_attach_options, .run = cmd_evidence_attach,
        .flags = COMMAND_SERVER,
        .examples = "opledger evidence attach inc-3 trace.red --source strace --host mgmt01 "
                    "--egress egr-1\n"
                    "sdiag | opledger evidence attach inc-3 - --source sdiag --command sdiag",
    },
    {
        .noun = "evidence", .verb = "get", .arguments = "SHA256",
        .summary = "Fetch the bytes of a piece of evidence, digest checked",
        .options = evidence_get_options, .run = cmd_evidence_get, .flags = COMMAND_SERVER,
        .examples = "opledger evidence get "
                    "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 -o trace.red",
    },
    {
        .noun = "evidence", .verb = "list", .arguments = "ID",
        .summary = "List the evidence of a subject",
        .run = cmd_evidence_list, .flags = COMMAND_SERVER,
        .examples = "opledger evidence list inc-3",
    },
    {
        .noun = "verdict", .verb = "record", .arguments = "HYP",
        .summary = "Record what a second model says of a hypothesis",
        .kind = "verdict.recorded", .options = verdict_options, .run = cmd_verdict_record,
        .flags = COMMAND_SERVER,
        .examples = "opledger verdict record hyp-12 -m anthropic/claude-opus-5 --mode blind "
                    "--verdict partly --prompt-file prompt2.txt --evidence trace.red",
    },
    {
        .noun = "vendor", .verb = "update", .arguments = "HYP",
        .summary = "Record what the vendor says of a hypothesis",
        .kind = "vendor.updated", .options = vendor_options, .run = cmd_vendor_update,
        .flags = COMMAND_SERVER,
        .examples = "opledger vendor update hyp-12 --vendor SchedMD --state asked --ticket 21345\n"
                    "opledger vendor update hyp-12 --vendor SchedMD --state confirmed --versions "
                    "25.11.0..25.11.3 --evidence mail.txt",
    },
    {
        .noun = "reproduction", .verb = "record", .arguments = "HYP",
        .summary = "Record that a hypothesis was tried out",
        .kind = "reproduction.recorded", .options = reproduction_options,
        .run = cmd_reproduction_record, .flags = COMMAND_SERVER,
        .examples = "opledger reproduction record hyp-12 --where testbox1 --outcome reproduced "
                    "--evidence run.log",
    },
    {
        .noun = "change", .verb = "propose", .arguments = "[INC] [-- CMD...]",
        .summary = "Propose a change of files, and the command that then runs",
        .kind = "change.proposed", .options = change_propose_options, .run = cmd_change_propose,
        .flags = COMMAND_SERVER,
        .examples = "opledger change propose inc-3 --title 'one save thread less' --class config "
                    "--target engaging/slurm --file /etc/slurm/slurm.conf --hypothesis hyp-12 -- "
                    "scontrol reconfigure\n"
                    "opledger change propose --title 'new prolog' --class script --target "
                    "engaging/slurm --file /etc/slurm/prolog.sh --from ./staging",
    },
    {
        .noun = "change", .verb = "revise", .arguments = "ID [-- CMD...]",
        .summary = "Replace the manifest of one's own proposed change",
        .kind = "change.revised", .options = change_revise_options, .run = cmd_change_revise,
        .flags = COMMAND_SERVER,
        .examples = "opledger change revise chg-7 --file /etc/slurm/slurm.conf\n"
                    "opledger change revise chg-7 --hypothesis hyp-14 -- scontrol reconfigure",
    },
    {
        .noun = "change", .verb = "start", .arguments = "ID",
        .summary = "Record that a change is being applied by hand, if the gate allows it",
        .kind = "change.started", .options = change_start_options, .run = cmd_change_start,
        .flags = COMMAND_SERVER,
        .examples = "opledger change start chg-7 --host mgmt01 --deadline 30m",
    },
    {
        .noun = "change", .verb = "finish", .arguments = "ID",
        .summary = "Record how applying a change ended",
        .kind = "change.finished", .options = change_finish_options, .run = cmd_change_finish,
        .flags = COMMAND_SERVER,
        .examples = "opledger change finish chg-7 --outcome applied --evidence after.txt\n"
                    "opledger change finish chg-7 --outcome failed --exit-status 1",
    },
    {
        .noun = "change", .verb = "show", .arguments = "ID",
        .summary = "Show a change, its manifest and all that was said of it",
        .run = cmd_change_show, .flags = COMMAND_SERVER,
        .examples = "opledger change show chg-7",
    },
    {
        .noun = "change", .verb = "list", .arguments = "",
        .summary = "List changes, the newest first",
        .options = list_options, .run = cmd_change_list, .flags = COMMAND_SERVER,
        .examples = "opledger change list --status proposed",
    },
    {
        .noun = "testrun", .verb = "record", .arguments = "CHG",
        .summary = "Record a run of a change's manifest on a test box",
        .kind = "testrun.recorded", .options = testrun_options, .run = cmd_testrun_record,
        .flags = COMMAND_SERVER,
        .examples = "opledger testrun record chg-7 --host testbox1 --outcome passed --evidence "
                    "run.log",
    },
    {
        .noun = "rehearsal", .verb = "record", .arguments = "CHG",
        .summary = "Record that calling off, or restoring, was rehearsed",
        .kind = "rehearsal.recorded", .options = rehearsal_options, .run = cmd_rehearsal_record,
        .flags = COMMAND_SERVER,
        .examples = "opledger rehearsal record chg-7 --what call-off --outcome passed --duration "
                    "12m --evidence rehearsal.log",
    },
    {
        .noun = "confirm", .arguments = "HYP|CHG SEQ",
        .summary = "Sign under somebody else's fact, as a second person",
        .kind = "confirmation.signed", .options = confirm_options, .run = cmd_confirm,
        .flags = COMMAND_SERVER,
        .examples = "opledger confirm hyp-12 57\n"
                    "opledger confirm hyp-12 57 --key ~/.ssh/id_ed25519_sk",
    },
    {
        .noun = "approval", .verb = "sign", .arguments = "CHG",
        .summary = "Approve a change with an SSH key",
        .kind = "approval.signed", .options = approval_sign_options, .run = cmd_approval_sign,
        .flags = COMMAND_SERVER,
        .examples = "opledger approval sign chg-7 --role slurm    # after gate explain\n"
                    "opledger approval sign chg-7 --role slurm --expires 2d --key "
                    "~/.ssh/id_ed25519_sk",
    },
    {
        .noun = "approval", .verb = "revoke", .arguments = "CHG SEQ",
        .summary = "Take one's own approval back",
        .kind = "approval.revoked", .options = approval_revoke_options, .run = cmd_approval_revoke,
        .flags = COMMAND_SERVER,
        .examples = "opledger approval revoke chg-7 61 --reason 'the vendor changed its mind'",
    },
    {
        .noun = "approval", .verb = "list", .arguments = "CHG",
        .summary = "List approvals, and why some do not count",
        .run = cmd_approval_list, .flags = COMMAND_SERVER,
        .examples = "opledger approval list chg-7",
    },
    {
        .noun = "gate", .verb = "check", .arguments = "CHG",
        .summary = "Ask whether a change may be applied",
        .options = gate_check_options, .run = cmd_gate_check,
        .examples = "opledger gate check chg-7 && echo allowed\n"
                    "opledger gate check chg-7 --record\n"
                    "opledger gate check chg-7 --file /etc/slurm/slurm.conf    # what is staged "
                    "here now",
    },
    {
        .noun = "gate", .verb = "explain", .arguments = "CHG",
        .summary = "Print the page to read before signing: diff, beliefs, dissent, requirements",
        .run = cmd_gate_explain,
        .examples = "opledger gate explain chg-7",
    },
    {
        .noun = "gate", .verb = "apply", .arguments = "CHG",
        .summary = "Install an approved change and run its command, if the gate allows it",
        .options = gate_apply_options, .run = cmd_gate_apply,
        .examples = "opledger gate apply chg-7\n"
                    "opledger gate apply chg-7 --from /root/staged --revert-on-failure\n"
                    "opledger gate apply chg-7 --dry-run",
    },
    {
        .noun = "egress", .verb = "record", .arguments = "FILE",
        .summary = "Record that a scrubbed output left the site",
        .kind = "egress.recorded", .options = egress_record_options, .run = cmd_egress_record,
        .flags = COMMAND_SERVER,
        .examples = "opledger egress record trace.red --manifest trace.manifest --destination "
                    "openai-api -m openai/gpt-5 --for inc-3",
    },
    {
        .noun = "egress", .verb = "list", .arguments = "",
        .summary = "List what left the site",
        .options = egress_list_options, .run = cmd_egress_list, .flags = COMMAND_SERVER,
        .examples = "opledger egress list\n"
                    "opledger egress list --unaccounted    # exit 1 when there is any",
    },
    {
        .noun = "egress", .verb = "show", .arguments = "ID",
        .summary = "Show one egress",
        .run = cmd_egress_show, .flags = COMMAND_SERVER,
        .examples = "opledger egress show egr-1",
    },
    {
        .noun = "redact", .arguments = "[FILE]",
        .summary = "Scrub a trace, log or configuration before it leaves the site",
        .options = redact_options, .run = cmd_redact,
        .examples = "opledger redact trace.strace > trace.red\n"
                    "opledger redact --learn /etc/slurm/slurm.conf --manifest m.json slurmctld.log\n"
                    "opledger redact --record inc-3 --destination anthropic-api -m "
                    "anthropic/claude-opus-4-5 trace.strace > trace.red",
    },
    {
        .noun = "policy", .verb = "lint", .arguments = "[FILE...]",
        .summary = "Run every policy against its own examples",
        .options = policy_lint_options, .run = cmd_policy_lint,
        .examples = "opledger policy lint    # the built-in ones\n"
                    "opledger policy lint policies/gate/slurm-config.yaml\n"
                    "opledger policy lint --anchors > anchors.txt",
    },
    {
        .noun = "policy", .verb = "adopt", .arguments = "FILE",
        .summary = "Bring a policy into force",
        .kind = "policy.adopted", .options = policy_adopt_options, .run = cmd_policy_adopt,
        .flags = COMMAND_SERVER,
        .examples = "opledger policy adopt policies/gate/slurm-config.yaml",
    },
    {
        .noun = "log", .verb = "checkpoint", .arguments = "",
        .summary = "Verify the head of the log, and that it continues what was seen",
        .run = cmd_log_checkpoint, .flags = COMMAND_SERVER,
        .examples = "opledger log checkpoint",
    },
    {
        .noun = "log", .verb = "verify", .arguments = "[SEQ]",
        .summary = "Check the log without taking the ledger's word for it",
        .options = log_verify_options, .run = cmd_log_verify, .flags = COMMAND_SERVER,
        .examples = "opledger log verify            # the head, and that it continues what was seen\n"
                    "opledger log verify 41         # one entry, proven to be in it\n"
                    "opledger log verify --deep     # everything; names the first entry that is wrong",
    },
    {
        .noun = "principal", .verb = "add", .arguments = "NAME",
        .summary = "Enrol a person, service or agent",
        .kind = "principal.enrolled", .options = principal_add_options, .run = cmd_principal_add,
        .flags = COMMAND_SERVER,
        .examples = "opledger principal add alice --class person --role recorder --role "
                    "approver.slurm\n"
                    "opledger principal add claude --class agent --owner alice --model "
                    "anthropic/claude-opus-5 --role recorder",
    },
    {
        .noun = "principal", .verb = "key add", .arguments = "NAME FILE",
        .summary = "Enrol a person's SSH public key",
        .kind = "key.added", .options = principal_key_add_options, .run = cmd_principal_key_add,
        .flags = COMMAND_SERVER,
        .examples = "opledger principal key add alice ~alice/.ssh/id_ed25519.pub\n"
                    "opledger principal key add alice token.pub --hardware seen",
    },
    {
        .noun = "principal", .verb = "key revoke", .arguments = "NAME FINGERPRINT",
        .summary = "Revoke a key",
        .kind = "key.revoked", .options = reason_options, .run = cmd_principal_key_revoke,
        .flags = COMMAND_SERVER,
        .examples = "opledger principal key revoke alice "
                    "SHA256:0tZP1ZyW1fY3B0mF8yZt0h3n4bqS5l0y7q1r2s3t4u4 --reason 'laptop lost'",
    },
    {
        .noun = "principal", .verb = "list", .arguments = "",
        .summary = "List principals, roles and keys",
        .run = cmd_principal_list, .flags = COMMAND_SERVER,
        .examples = "opledger principal list",
    },
    {
        .noun = "principal", .verb = "revoke", .arguments = "NAME",
        .summary = "Revoke a principal",
        .kind = "principal.revoked", .options = reason_options, .run = cmd_principal_revoke,
        .flags = COMMAND_SERVER,
        .examples = "opledger principal revoke bob --reason 'has left'",
    },
    {
        .noun = "principal", .verb = "close-bootstrap", .arguments = "",
        .summary = "From now on administration takes a second person's signature",
        .kind = "bootstrap.closed", .run = cmd_principal_close_bootstrap, .flags = COMMAND_SERVER,
        .examples = "opledger principal close-bootstrap",
    },
    {
        .noun = "token", .verb = "create", .arguments = "NAME",
        .summary = "Create a token for a service or agent",
        .options = token_create_options, .run = cmd_token_create, .flags = COMMAND_SERVER,
        .examples = "opledger token create ci --scope recorder --expires 90d -o ci.token",
    },
    {
        .noun = "token", .verb = "revoke", .arguments = "ID",
        .summary = "Revoke a token",
        .kind = "token.revoked", .options = reason_options, .run = cmd_token_revoke,
        .flags = COMMAND_SERVER,
        .examples = "opledger token revoke 5f2c9a7d10e34b68 --reason 'host was reinstalled'",
    },
    {
        .noun = "login", .arguments = "",
        .summary = "Sign in with an SSH key and keep the token for the day",
        .options = login_options, .run = cmd_login, .flags = COMMAND_SERVER,
        .examples = "opledger login\n"
                    "opledger login --as alice --key ~/.ssh/id_ed25519_ops",
    },
    {
        .noun = "whoami", .arguments = "",
        .summary = "Show who the ledger takes you for, and what you may do",
        .run = cmd_whoami, .flags = COMMAND_SERVER,
        .examples = "opledger whoami",
    },
    {
        .noun = "doctor", .arguments = "",
        .summary = "Check the way to the ledger, and say how to mend it",
        .run = cmd_doctor, .flags = COMMAND_SERVER,
        .examples = "opledger doctor",
    },
    {
        .noun = "completion", .arguments = "SHELL",
        .summary = "Print the completion script of bash, zsh or fish",
        .run = cmd_completion,
        .examples = "opledger completion bash > /etc/bash_completion.d/opledger\n"
                    "opledger completion zsh > ~/.zfunc/_opledger\n"
                    "opledger completion fish > ~/.config/fish/completions/opledger.fish",
    },
    {
        .noun = "help", .arguments = "[NOUN] [VERB...]",
        .summary = "Show what there is, or one command in full",
        .options = help_options, .run = cmd_help,
        .examples = "opledger help\n"
                    "opledger help change propose\n"
                    "opledger help --man > opledger.1",
    },
    {
        .noun = "version", .arguments = "",
        .summary = "Print the version",
        .run = cmd_version,
        .examples = "opledger version",
    },
    {.noun = NULL},
};
/* clang-format on */

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd - the functions and option tables that the rows of the command table name, by file.
 */
#ifndef OPLEDGER_CLIENT_CMD_H
#define OPLEDGER_CLIENT_CMD_H

#include "commands.h"

/* The end of an option table, and options that many commands share. */
#define OPTION_END                                                                                 \
    {                                                                                              \
        NULL, NULL, NULL, 0, 0                                                                     \
    }
#define OPTION_EVIDENCE                                                                            \
    {                                                                                              \
        "evidence", "F|SHA", "file (uploaded and attached first) or digest", OPTION_LIST, 0        \
    }
#define OPTION_KEY                                                                                 \
    {                                                                                              \
        "key", "F", "key that signs, private, or public with an agent (OPLEDGER_SSH_KEY)", 0, 0    \
    }
#define OPTION_OBSERVED                                                                            \
    {                                                                                              \
        "observed-at", "TIME", "when it happened, where that is not now", 0, 0                     \
    }
#define OPTION_LIMIT                                                                               \
    {                                                                                              \
        "limit", "N", "at most so many, the newest (default 50)", 0, 0                             \
    }

extern const struct option_spec list_options[];

/* cmd_incident.c */
command_fn cmd_incident_open, cmd_incident_note, cmd_incident_close, cmd_incident_reopen;
command_fn cmd_incident_show, cmd_incident_list;
extern const struct option_spec incident_open_options[], incident_note_options[];
extern const struct option_spec incident_close_options[], incident_reopen_options[];

/* cmd_hypothesis.c */
command_fn cmd_hyp, cmd_hypothesis_record, cmd_hypothesis_close;
extern const struct option_spec hyp_options[], hypothesis_record_options[];
extern const struct option_spec hypothesis_close_options[];

/* cmd_hypothesis_show.c */
command_fn cmd_hypothesis_show, cmd_hypothesis_list, cmd_hypothesis_stats;
extern const struct option_spec hypothesis_stats_options[];

/* cmd_evidence.c */
command_fn cmd_evidence_attach, cmd_evidence_get, cmd_evidence_list;
extern const struct option_spec evidence_attach_options[], evidence_get_options[];

/* cmd_fact.c */
command_fn cmd_verdict_record, cmd_vendor_update, cmd_reproduction_record, cmd_testrun_record;
command_fn cmd_rehearsal_record, cmd_confirm;
extern const struct option_spec verdict_options[], vendor_options[], reproduction_options[];
extern const struct option_spec testrun_options[], rehearsal_options[], confirm_options[];

/* cmd_change.c, cmd_change_run.c */
command_fn cmd_change_propose, cmd_change_revise, cmd_change_start, cmd_change_finish;
command_fn cmd_change_show, cmd_change_list;
extern const struct option_spec change_propose_options[], change_revise_options[];
extern const struct option_spec change_start_options[], change_finish_options[];

/* cmd_approval.c */
command_fn cmd_approval_sign, cmd_approval_revoke, cmd_approval_list;
extern const struct option_spec approval_sign_options[], approval_revoke_options[];

/* cmd_gate.c */
command_fn cmd_gate_check, cmd_gate_explain;
extern const struct option_spec gate_check_options[];

/* cmd_apply.c */
command_fn cmd_gate_apply;
extern const struct option_spec gate_apply_options[];

/* cmd_egress.c */
command_fn cmd_egress_record, cmd_egress_list, cmd_egress_show;
extern const struct option_spec egress_record_options[], egress_list_options[];

/* cmd_redact.c */
command_fn cmd_redact;
extern const struct option_spec redact_options[];

/* cmd_policy.c */
command_fn cmd_policy_lint, cmd_policy_adopt;
extern const struct option_spec policy_lint_options[], policy_adopt_options[];

/* cmd_log.c */
command_fn cmd_log_checkpoint;

/* cmd_verify.c */
command_fn cmd_log_verify;
extern const struct option_spec log_verify_options[];

/* cmd_principal.c */
command_fn cmd_principal_add, cmd_principal_revoke, cmd_principal_list, cmd_principal_key_add;
command_fn cmd_principal_key_revoke, cmd_principal_close_bootstrap;
extern const struct option_spec principal_add_options[], principal_key_add_options[];
extern const struct option_spec reason_options[];

/* cmd_token.c */
command_fn cmd_token_create, cmd_token_revoke;
extern const struct option_spec token_create_options[];

/* cmd_login.c */
command_fn cmd_login, cmd_whoami;
extern const struct option_spec login_options[];

/* cmd_doctor.c */
command_fn cmd_doctor;

/* cmd_self.c */
command_fn cmd_help, cmd_completion, cmd_version;
extern const struct option_spec help_options[];

#endif

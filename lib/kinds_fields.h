/* SPDX-License-Identifier: Apache-2.0 */
/* kinds_fields - the body of each kind, field by field; kinds_table.c names them in its rows. */
#ifndef OPLEDGER_LIB_KINDS_FIELDS_H
#define OPLEDGER_LIB_KINDS_FIELDS_H

#include <opledger/kinds.h>

#define OPL_GATE_NAMES_MAX 128 /* requirements of one decision: one per requirement and policy */

extern const struct opl_field opl_fields_incident_opened[];
extern const struct opl_field opl_fields_incident_noted[];
extern const struct opl_field opl_fields_incident_closed[];
extern const struct opl_field opl_fields_incident_reopened[];
extern const struct opl_field opl_fields_modelcall_recorded[];
extern const struct opl_field opl_fields_hypothesis_recorded[];
extern const struct opl_field opl_fields_hypothesis_closed[];
extern const struct opl_field opl_fields_evidence_attached[];
extern const struct opl_field opl_fields_verdict_recorded[];
extern const struct opl_field opl_fields_reproduction_recorded[];
extern const struct opl_field opl_fields_vendor_updated[];
extern const struct opl_field opl_fields_change_proposed[];
extern const struct opl_field opl_fields_change_revised[];
extern const struct opl_field opl_fields_testrun_recorded[];
extern const struct opl_field opl_fields_rehearsal_recorded[];
extern const struct opl_field opl_fields_confirmation_signed[];
extern const struct opl_field opl_fields_approval_signed[];
extern const struct opl_field opl_fields_approval_revoked[];
extern const struct opl_field opl_fields_gate_decided[];
extern const struct opl_field opl_fields_change_started[];
extern const struct opl_field opl_fields_change_finished[];
extern const struct opl_field opl_fields_override_opened[];
extern const struct opl_field opl_fields_override_reviewed[];
extern const struct opl_field opl_fields_egress_recorded[];
extern const struct opl_field opl_fields_egress_restored[];
extern const struct opl_field opl_fields_egress_rescanned[];
extern const struct opl_field opl_fields_fact_withdrawn[];

/* Administration. */
extern const struct opl_field opl_fields_principal_enrolled[];
extern const struct opl_field opl_fields_principal_changed[];
extern const struct opl_field opl_fields_principal_revoked[];
extern const struct opl_field opl_fields_key_added[];
extern const struct opl_field opl_fields_key_revoked[];
extern const struct opl_field opl_fields_token_created[];
extern const struct opl_field opl_fields_token_revoked[];
extern const struct opl_field opl_fields_policy_adopted[];
extern const struct opl_field opl_fields_witness_added[];
extern const struct opl_field opl_fields_witness_removed[];
extern const struct opl_field opl_fields_content_erased[];
extern const struct opl_field opl_fields_bootstrap_closed[];
extern const struct opl_field opl_fields_epoch_begun[];
extern const struct opl_field opl_fields_clock_corrected[];

#endif

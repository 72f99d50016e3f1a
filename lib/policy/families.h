/* SPDX-License-Identifier: Apache-2.0 */
/*
 * families - which models are kin, by the `families` of policies/models.yaml.
 *
 * A model that no family claims is of unknown family, and so is one that two claim: neither can be
 * said to be independent of another.
 */
#ifndef OPLEDGER_LIB_POLICY_FAMILIES_H
#define OPLEDGER_LIB_POLICY_FAMILIES_H

#include <opledger/name.h>

struct families;

/* Reads them from the text of a models policy; NULL on failure, OPL_E_CONFIG with the pointer. */
OPL_MUST_CHECK struct families *families_parse(const char *yaml, size_t len, struct opl_err *err);
void families_free(struct families *families);

/* The family of PROVIDER/NAME, borrowed; NULL when it is not known. */
const char *families_of(const struct families *families, const struct opl_model *model);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* kinds_rules - what a row of the kinds table says beyond its single fields, for drafts and
 * entries. */
#ifndef OPLEDGER_LIB_KINDS_RULES_H
#define OPLEDGER_LIB_KINDS_RULES_H

#include <jansson.h>

#include <opledger/kinds.h>

/* Whether an entry of this kind may be about this id (NULL: about nothing). */
OPL_MUST_CHECK bool opl_rules_on(const struct opl_kind *kind, const char *on, struct opl_err *err);

/* Records OPL_E_INVALID at /on with what the kind may be about, and returns false. */
bool opl_rules_refuse_on(const struct opl_kind *kind, const char *why, struct opl_err *err);

/* exactly_one, and that a second signature comes whole. */
OPL_MUST_CHECK bool opl_rules_body(const struct opl_kind *kind, const json_t *body,
                                   struct opl_err *err);

#endif

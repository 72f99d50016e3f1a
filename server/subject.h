/* SPDX-License-Identifier: Apache-2.0 */
/*
 * subject - what lists and reads call the status of a subject, worked out from its fold.
 */
#ifndef OPLEDGER_SERVER_SUBJECT_H
#define OPLEDGER_SERVER_SUBJECT_H

#include <opledger/world.h>

/* The status word, static; `now` decides whether a started change has become unknown. */
OPL_MUST_CHECK bool subject_status(struct opl_world *world, const struct opl_fold *fold,
                                   int64_t now, const char **status, struct opl_err *err);

/* Whether an entry of this kind can move the status of the subject that it is on. */
bool subject_moves(const struct opl_kind *kind);

/* PROVIDER/NAME[@VERSION] of a creation's body into out ("" when it names none). */
void subject_model(const json_t *body, char *out, size_t size);

/* "hypotheses" for OPL_ID_HYP; NULL for prefixes without a list. */
const char *subject_noun(enum opl_prefix prefix);

#endif

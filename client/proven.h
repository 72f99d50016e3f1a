/* SPDX-License-Identifier: Apache-2.0 */
/*
 * proven - entries are believed only where they stand in the signed tree.
 *
 * A leaf that fits its bytes proves nothing: whoever makes up an entry can hash it too. So each one
 * is led, by tiles, to the root of a head that this client has verified.
 */
#ifndef OPLEDGER_CLIENT_PROVEN_H
#define OPLEDGER_CLIENT_PROVEN_H

#include "subject.h"

/* OPL_E_VERIFY names the first entry that is not at its number in the log. */
OPL_MUST_CHECK bool proven_entries(struct client *client, const struct subject_entry *entries,
                                   size_t count, struct opl_err *err);

#endif

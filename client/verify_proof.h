/* SPDX-License-Identifier: Apache-2.0 */
/*
 * verify_proof - one entry, proven to be in a verified tree.
 */
#ifndef OPLEDGER_CLIENT_VERIFY_PROOF_H
#define OPLEDGER_CLIENT_VERIFY_PROOF_H

#include <opledger/checkpoint.h>
#include <opledger/merkle.h>

#include "subject.h"

/* A JSON list of digests; OPL_E_VERIFY when it is something else. */
OPL_MUST_CHECK bool verify_proof_read(const json_t *list, struct opl_proof *out,
                                      struct opl_err *err);

/*
 * The entry with this number: canonical bytes, leaf, texts, and the inclusion path to the head,
 * which the caller has verified. OPL_E_VERIFY says which does not hold.
 */
OPL_MUST_CHECK bool verify_proof_entry(struct client *client, uint64_t seq,
                                       const struct opl_head *head, struct subject_entry *out,
                                       struct opl_err *err);

#endif

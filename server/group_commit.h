/* SPDX-License-Identifier: Apache-2.0 */
/*
 * group_commit - the second half of a group: sign, insert, commit, and what a lost COMMIT did.
 */
#ifndef OPLEDGER_SERVER_GROUP_COMMIT_H
#define OPLEDGER_SERVER_GROUP_COMMIT_H

#include "group.h"

/*
 * Writes the folded group, durable when this is true; gives every write its proof and checkpoint
 * and makes the head the state's. A COMMIT whose outcome is not known is looked up over a new
 * connection before this returns.
 */
OPL_MUST_CHECK bool group_commit(struct group *group, struct db_txn *txn, struct opl_err *err);

#endif

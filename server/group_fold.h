/* SPDX-License-Identifier: Apache-2.0 */
/*
 * group_fold - one write of a group, line by line: admitted, finished, hashed, applied to the
 * world, and its rows made.
 */
#ifndef OPLEDGER_SERVER_GROUP_FOLD_H
#define OPLEDGER_SERVER_GROUP_FOLD_H

#include "group.h"

/*
 * Folds a write, or leaves its refusal in write->err; a refusal of a later line spoils the group
 * (group->is_spoiled), which must then be alone in it. False: the group as a whole cannot go on.
 */
OPL_MUST_CHECK bool group_fold_write(struct group *group, struct write *write, struct opl_err *err);

/* Notes a subject whose status may have moved. */
OPL_MUST_CHECK bool group_touch(struct group *group, const char *id, struct opl_err *err);

/* The answers that admission asks for; group->current names the write. */
struct opl_admit_env group_env(struct group *group);

#endif

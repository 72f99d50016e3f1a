/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scrubbed - the server's own verify pass over what is said to have left the site scrubbed.
 *
 * The filter ran on somebody's machine; before egress.recorded is written, the rules adopted now
 * search the stored output again, and what the body claims is held against the manifest and against
 * the destination of the adopted models.yaml. What does not hold refuses the entry.
 */
#ifndef OPLEDGER_SERVER_SCRUBBED_H
#define OPLEDGER_SERVER_SCRUBBED_H

#include "db.h"
#include "write.h"

struct server;

/*
 * Checks the output that an egress.recorded body names, and notes it as clean in the write.
 * OPL_E_INVALID: rule and place of what was found, or the field that is not true. On a worker.
 */
OPL_MUST_CHECK bool scrubbed_check(struct server *server, struct write *write, const json_t *body,
                                   struct db *db, struct opl_err *err);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * receipt_reply - the answer to a write (CONTRACT section 2), fresh or rebuilt from the log: the
 * same bytes both times.
 */
#ifndef OPLEDGER_SERVER_RECEIPT_REPLY_H
#define OPLEDGER_SERVER_RECEIPT_REPLY_H

#include "request.h"
#include "write.h"

/* On the HTTP thread, after the write: 201; a replay is left to a worker. */
OPL_MUST_CHECK bool receipt_reply(struct request *request, struct db *db, struct opl_err *err);

#endif

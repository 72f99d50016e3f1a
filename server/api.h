/* SPDX-License-Identifier: Apache-2.0 */
/*
 * api - the handlers that the route table names, one file per resource.
 *
 * Each is a request_fn: true with a reply, or with a next step (request->work, request->write);
 * false with an error, which becomes the problem. Lanes and threads are the table's business.
 */
#ifndef OPLEDGER_SERVER_API_H
#define OPLEDGER_SERVER_API_H

#include "request.h"

#define API_HANDLER(name)                                                                          \
    OPL_MUST_CHECK bool name(struct request *request, struct db *db, struct opl_err *err)

/* api_entries.c */
API_HANDLER(api_entries_append);

/* api_read.c */
API_HANDLER(api_entries_list);
API_HANDLER(api_entry_get);
API_HANDLER(api_entry_proof);

/* api_subjects.c */
API_HANDLER(api_subjects_list);
API_HANDLER(api_subject_get);

/* api_blobs.c */
API_HANDLER(api_blob_put);
API_HANDLER(api_blob_get);

/* api_log.c */
API_HANDLER(api_checkpoint);
API_HANDLER(api_tile);
API_HANDLER(api_keys);

/* api_gate.c */
API_HANDLER(api_gate);

/* api_login.c */
API_HANDLER(api_login_challenge);
API_HANDLER(api_login);

/* api_tokens.c */
API_HANDLER(api_token_create);

/* api_admin.c */
API_HANDLER(api_whoami);
API_HANDLER(api_principals);
API_HANDLER(api_policies);

/* api_health.c */
API_HANDLER(api_healthz);
API_HANDLER(api_readyz);
API_HANDLER(api_metrics);
API_HANDLER(api_problem);
API_HANDLER(api_openapi);

#endif

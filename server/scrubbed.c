/* SPDX-License-Identifier: Apache-2.0 */
#include "scrubbed.h"

#include "server.h"

bool scrubbed_check(struct server *server, struct write *write, const json_t *body, struct db *db,
                    struct opl_err *err)
{
    (void)server, (void)write, (void)body, (void)db;
    return opl_fail(err, OPL_E_UNAVAILABLE, "this build cannot verify scrubbed outputs yet");
}

/* SPDX-License-Identifier: Apache-2.0 */
/* POST /v1/tokens: an admin gives a token to a service, an agent or a person. */
#include <opledger/encode.h>
#include <opledger/json.h>

#include "api.h"
#include "auth.h"
#include "server.h"
#include "token_write.h"
#include "write.h"

static bool created(struct request *request, struct db *db, struct opl_err *err)
{
    const struct auth_token *token = request->extra;

    (void)db;
    return reply_json(&request->reply, 201,
                      json_pack("{s:s, s:s, s:I}", "token", token->text, "token_id", token->id,
                                "seq", (json_int_t)request->write->lines[0].seq),
                      err);
}

bool api_token_create(struct request *request, struct db *db, struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *body = request_json(request, err);
    struct auth_token *token;
    struct write *write;

    (void)db;
    if (body == NULL || !request_members(body, "principal scope expires statement sshsig", err))
        return false;
    token = token_keep(request);
    write = request->write = write_new();
    if (token == NULL || write == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for a token");
    write->writer = request->identity;
    request->after = created;
    return token_write(write, body, token, err);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "token_write.h"

#include <opledger/encode.h>
#include <opledger/time.h>

static void wipe(void *token)
{
    opl_wipe(token, sizeof(struct auth_token));
    free(token);
}

struct auth_token *token_keep(struct request *request)
{
    struct auth_token *token = malloc(sizeof *token);

    if (token == NULL)
        return NULL;
    auth_token_draw(token);
    request->extra = token;
    request->extra_free = wipe;
    return token;
}

bool token_write(struct write *write, const json_t *body, const struct auth_token *token,
                 struct opl_err *err)
{
    json_t *copy = json_copy((json_t *)body);
    char hex[OPL_HEX_SIZE];

    opl_hash_hex(&token->sha256, hex);
    if (copy == NULL || json_object_set_new(copy, "token_id", json_string(token->id)) != 0 ||
        json_object_set_new(copy, "token_sha256", json_string(hex)) != 0) {
        json_decref(copy);
        return opl_fail(err, OPL_E_NOMEM, "no memory for a token");
    }
    return write_add_json(write, json_pack("{s:s, s:o}", "kind", "token.created", "body", copy),
                          opl_time_now(), err);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * log checkpoint - the head of the log, verified and proven to continue what was seen before.
 */
#include "client.h"
#include "cmd.h"

#include <opledger/encode.h>
#include <opledger/json.h>
#include <opledger/statement.h>

#include "log_view.h"

static void say_known(struct client *client, const struct opl_head *known, bool found)
{
    if (found)
        output_line(&client->out, "continues the %llu entries seen before",
                    (unsigned long long)known->size);
    else
        output_line(&client->out, "first checkpoint that this client has seen of it");
}

bool cmd_log_checkpoint(struct client *client, struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *value = NULL;
    char root[OPL_DIGEST_SIZE];
    struct opl_vkey vkey;
    struct opl_head known = {0}, head;
    bool found = false;

    if (!log_view_meet(client, &vkey, err) || !log_view_known(client, &vkey, &known, &found, err) ||
        !log_view_head(client, &head, err))
        return false;
    opl_hash_digest(&head.root, root);
    output_line(&client->out, "origin %s", head.origin);
    output_line(&client->out, "size %llu", (unsigned long long)head.size);
    output_line(&client->out, "root %s", root);
    output_line(&client->out, "signed by the pinned log key %08x", (unsigned)vkey.id);
    say_known(client, &known, found);
    output_line(&client->out, "no independent witness has signed it");
    value = opl_head_json(&head);
    return value == NULL ? opl_fail(err, OPL_E_NOMEM, "no memory for a checkpoint")
                         : output_json(&client->out, value, err);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * change start and finish: the record of a change that people carry out by hand. `gate apply` does
 * it all itself.
 */
#include "client.h"
#include "cmd.h"

#include <opledger/json.h>

#include "evidence.h"
#include "fields.h"
#include "gate_reply.h"
#include "record.h"

#define CHG OPL_ON(OPL_ID_CHG)

const struct option_spec change_start_options[] = {
    {"host",     "H", NULL,                                              0, 0},
    {"deadline", "T", "moment or duration: then its outcome is unknown", 0, 0},
    OPTION_END,
};
const struct option_spec change_finish_options[] = {
    {"outcome",     "O", "applied, failed, called-off, reverted or unknown", OPTION_REQUIRED, 0},
    {"exit-status", "N", NULL,                                               0,               0},
    OPTION_EVIDENCE,
    OPTION_END,
};

static bool start_allowed(struct client *client, const char *change, const struct gate_reply *reply,
                          struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep)
    json_t *body = json_pack("{s:I}", "decision", (json_int_t)reply->decision_seq);
    char id[OPL_ID_SIZE];

    if (body == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for a start");
    if (!record_command(client, change, body, id, err))
        return false;
    output_next(&client->out, "opledger change finish %s --outcome applied --evidence FILE",
                change);
    return true;
}

bool cmd_change_start(struct client *client, struct opl_err *err)
{
    OPL_CLEANUP(gate_reply_close) struct gate_reply reply = {0};
    struct gate_question question = {
        .use = "start", .record = true, .host = client_option(client, "host")};

    if (!fields_id(client, 0, CHG, &question.change, err) ||
        !gate_ask(client, &question, &reply, err))
        return false;
    client->exit_status = gate_exit(reply.outcome, false);
    if (client->exit_status == 0)
        return start_allowed(client, question.change, &reply, err);
    gate_reply_print(client, &reply);
    gate_reply_last_line(client, "start", reply.outcome, client->exit_status);
    return output_json(&client->out, reply.root, err);
}

bool cmd_change_finish(struct client *client, struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *body = json_object();
    char id[OPL_ID_SIZE];
    const char *change;

    return fields_id(client, 0, CHG, &change, err) && evidence_add(client, change, body, err) &&
           record_command(client, change, body, id, err);
}

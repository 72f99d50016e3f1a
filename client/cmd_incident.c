/* SPDX-License-Identifier: Apache-2.0 */
/*
 * incident - where everything hangs: opened, noted on, closed, shown as one timeline.
 */
#include "client.h"
#include "cmd.h"
#include "fields.h"
#include "list.h"
#include "record.h"
#include "text_input.h"
#include "timeline.h"

#include <opledger/json.h>

#define INC OPL_ON(OPL_ID_INC)

const struct option_spec incident_open_options[] = {
    {"title",    "T", NULL,                                             0, 0},
    {"severity", "S", "low, medium, high or critical (default medium)", 0, 0},
    {"text",     "T", NULL,                                             0, 0},
    OPTION_OBSERVED,
    OPTION_END,
};
const struct option_spec incident_note_options[] = {
    {"corrects", "SEQ", NULL, 0, 0},
    OPTION_OBSERVED,
    OPTION_END,
};
const struct option_spec incident_close_options[] = {
    {"outcome", "O", "resolved, called-off, unexplained or duplicate", OPTION_REQUIRED, 0},
    {"text",    "T", NULL,                                             0,               0},
    OPTION_END,
};
const struct option_spec incident_reopen_options[] = {
    {"text", "T", NULL, 0, 0},
    OPTION_END,
};

bool cmd_incident_open(struct client *client, struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *body = json_object();
    char id[OPL_ID_SIZE];

    if (client_option(client, "severity") == NULL &&
        !fields_set_take(body, "severity", json_string("medium"), err))
        return false;
    if (!record_command(client, NULL, body, id, err) ||
        !state_set_incident(&client->state, id, err))
        return false;
    output_next(&client->out, "opledger hyp %s -m PROVIDER/NAME", id);
    return true;
}

bool cmd_incident_note(struct client *client, struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *body = json_object();
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};
    char id[OPL_ID_SIZE];
    const char *incident;

    return fields_id(client, 0, INC, &incident, err) &&
           text_input(client, args_positional(&client->args, 1), "note", &text, err) &&
           fields_set_take(body, "text", json_stringn(text.data, text.len), err) &&
           record_command(client, incident, body, id, err);
}

static bool record_on(struct client *client, struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *body = json_object();
    char id[OPL_ID_SIZE];
    const char *incident;

    return fields_id(client, 0, INC, &incident, err) &&
           record_command(client, incident, body, id, err);
}

bool cmd_incident_close(struct client *client, struct opl_err *err)
{
    return record_on(client, err);
}

bool cmd_incident_reopen(struct client *client, struct opl_err *err)
{
    return record_on(client, err);
}

bool cmd_incident_show(struct client *client, struct opl_err *err)
{
    const char *incident;

    return fields_id(client, 0, INC, &incident, err) && timeline_print(client, incident, err);
}

bool cmd_incident_list(struct client *client, struct opl_err *err)
{
    return list_print(client, "incidents", err);
}

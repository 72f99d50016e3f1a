/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hypothesis - what a model said: recorded in full, or by the short form `hyp` at 02:00.
 */
#include "client.h"
#include "cmd.h"
#include "evidence.h"
#include "fields.h"
#include "prompt.h"
#include "record.h"
#include "text_input.h"

#include <opledger/json.h>

#define INC OPL_ON(OPL_ID_INC)
#define HYP OPL_ON(OPL_ID_HYP)

const struct option_spec hyp_options[] = {
    {"model",       "MODEL", "PROVIDER/NAME[@VERSION] (OPLEDGER_MODEL)", 0,           'm'},
    {"prompt-file", "F",     "the prompt as it was sent; - is stdin",    0,           'p'},
    {"tool",        "T",     NULL,                                       0,           0  },
    {"egress",      "EGR",   NULL,                                       OPTION_LIST, 0  },
    OPTION_EVIDENCE,
    OPTION_END,
};
const struct option_spec hypothesis_record_options[] = {
    {"claim",              "T",      NULL,                                       0,           0  },
    {"model",              "MODEL",  "PROVIDER/NAME[@VERSION] (OPLEDGER_MODEL)", 0,           'm'},
    {"tool",               "T",      NULL,                                       0,           0  },
    {"endpoint",           "HOST",   "where the model was reached",              0,           0  },
    {"served",             "NAME",   "the model that really answered",           0,           0  },
    {"egress",             "EGR",    NULL,                                       OPTION_LIST, 0  },
    {"prompt-file",        "F",      "the prompt as it was sent; - is stdin",    0,           'p'},
    {"prompt-sha256",      "H",      NULL,                                       0,           0  },
    {"prompt-unavailable", "REASON", NULL,                                       0,           0  },
    {"response-file",      "F",      "the response; its digest is recorded",     0,           0  },
    {"response-sha256",    "H",      NULL,                                       0,           0  },
    {"predicts",           "T",      NULL,                                       0,           0  },
    {"refuted-by",         "T",      NULL,                                       0,           0  },
    {"call",               "ID",     NULL,                                       0,           0  },
    {"refines",            "HYP",    NULL,                                       0,           0  },
    OPTION_EVIDENCE,
    OPTION_OBSERVED,
    OPTION_END,
};
const struct option_spec hypothesis_close_options[] = {
    {"how",    "H",   "superseded, withdrawn, refuted or inconclusive", OPTION_REQUIRED, 0},
    {"by",     "HYP", NULL,                                             0,               0},
    {"reason", "T",   NULL,                                             0,               0},
    OPTION_END,
};

static void say_next(struct client *client, const char *id)
{
    output_next(&client->out, "opledger verdict record %s --mode blind --verdict V -m MODEL", id);
    output_next(&client->out, "opledger vendor update %s --vendor V --state asked", id);
}

static bool record(struct client *client, const char *incident, json_t *body, struct opl_err *err)
{
    char id[OPL_ID_SIZE];

    if (!prompt_add_model(client, body, err) || !prompt_add(client, body, err) ||
        !evidence_add(client, incident, body, err) ||
        !record_command(client, incident, body, id, err) ||
        !state_set_incident(&client->state, incident, err))
        return false;
    say_next(client, id);
    return true;
}

bool cmd_hypothesis_record(struct client *client, struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *body = json_object();
    const char *incident;

    return fields_id(client, 0, INC, &incident, err) && record(client, incident, body, err);
}

/* The incident that is named, or the last one of this user and terminal. */
static bool which_incident(struct client *client, bool named, struct opl_buf *out,
                           struct opl_err *err)
{
    if (named) {
        opl_buf_str(out, client_arg(client, 0));
        return opl_buf_ok(out, err);
    }
    if (!state_incident(&client->state, out, err))
        return false;
    if (out->len == 0) {
        opl_fail(err, OPL_E_USAGE, "no incident was used on this terminal yet");
        return opl_hint(err, "opledger hyp INC TEXT");
    }
    output_note(&client->out, "incident %s", opl_buf_text(out));
    return true;
}

bool cmd_hyp(struct client *client, struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *body = json_object();
    OPL_CLEANUP(opl_buf_close) struct opl_buf incident = {0};
    OPL_CLEANUP(opl_buf_close) struct opl_buf claim = {0};
    struct opl_err no_id = {0};
    const char *first;
    bool named = fields_id(client, 0, INC, &first, &no_id);

    if (!named && client->args.positional_count > 1)
        return opl_fail(err, OPL_E_USAGE, "the first of two arguments is no incident: %s", first);
    if (!which_incident(client, named, &incident, err) ||
        !text_input(client, args_positional(&client->args, named ? 1 : 0), "claim", &claim, err) ||
        !fields_set_take(body, "claim", json_stringn(claim.data, claim.len), err))
        return false;
    if (client_option(client, "prompt-file") == NULL &&
        !fields_set_take(body, "prompt_unavailable", json_string("not given"), err))
        return false;
    return record(client, opl_buf_text(&incident), body, err);
}

bool cmd_hypothesis_close(struct client *client, struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *body = json_object();
    char id[OPL_ID_SIZE];
    const char *hypothesis;

    return fields_id(client, 0, HYP, &hypothesis, err) &&
           record_command(client, hypothesis, body, id, err);
}

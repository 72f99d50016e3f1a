/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What people and machines found out about a hypothesis or a change, and who else vouches for it.
 */
#include "client.h"
#include "cmd.h"
#include "evidence.h"
#include "fields.h"
#include "prompt.h"
#include "record.h"
#include "sign.h"
#include "subject.h"

#include <opledger/json.h>
#include <opledger/time.h>
#include <opledger/world.h>

#define HYP OPL_ON(OPL_ID_HYP)
#define CHG OPL_ON(OPL_ID_CHG)

const struct option_spec verdict_options[] = {
    {"model",              "MODEL",  "the second model, PROVIDER/NAME[@VERSION]", 0,               'm'},
    {"mode",               "MODE",   "blind or review",                           OPTION_REQUIRED, 0  },
    {"verdict",            "V",      "agrees, partly, disagrees or inconclusive", OPTION_REQUIRED, 0  },
    {"rationale",          "T",      NULL,                                        0,               0  },
    {"prompt-file",        "F",      "the prompt as it was sent; - is stdin",     0,               'p'},
    {"prompt-sha256",      "H",      NULL,                                        0,               0  },
    {"prompt-unavailable", "REASON", NULL,                                        0,               0  },
    {"egress",             "EGR",    NULL,                                        OPTION_LIST,     0  },
    {"endpoint",           "HOST",   "where the model was reached",               0,               0  },
    {"served",             "NAME",   "the model that really answered",            0,               0  },
    OPTION_EVIDENCE,
    OPTION_OBSERVED,
    OPTION_END,
};
const struct option_spec vendor_options[] = {
    {"vendor",        "V", NULL,                                                  OPTION_REQUIRED, 0},
    {"state",         "S", "asked, acknowledged, confirmed, rejected, withdrawn", OPTION_REQUIRED, 0},
    {"ticket",        "N", NULL,                                                  0,               0},
    {"introduced-in", "V", NULL,                                                  0,               0},
    {"fixed-in",      "V", NULL,                                                  0,               0},
    {"versions",      "R", NULL,                                                  0,               0},
    {"statement",     "T", NULL,                                                  0,               0},
    OPTION_EVIDENCE,
    OPTION_OBSERVED,
    OPTION_END,
};
const struct option_spec reproduction_options[] = {
    {"where",   "H", NULL,                                       OPTION_REQUIRED, 0},
    {"outcome", "O", "reproduced, not-reproduced, contradicted", OPTION_REQUIRED, 0},
    {"notes",   "T", NULL,                                       0,               0},
    OPTION_EVIDENCE,
    OPTION_OBSERVED,
    OPTION_END,
};
const struct option_spec testrun_options[] = {
    {"host",    "H", NULL,               OPTION_REQUIRED, 0},
    {"outcome", "O", "passed or failed", OPTION_REQUIRED, 0},
    OPTION_EVIDENCE,
    OPTION_OBSERVED,
    OPTION_END,
};
const struct option_spec rehearsal_options[] = {
    {"what",     "W", "call-off or restore",   OPTION_REQUIRED, 0},
    {"outcome",  "O", "passed or failed",      OPTION_REQUIRED, 0},
    {"duration", "D", "how long, such as 45m", OPTION_REQUIRED, 0},
    OPTION_EVIDENCE,
    OPTION_OBSERVED,
    OPTION_END,
};
const struct option_spec confirm_options[] = {
    OPTION_KEY,
    OPTION_END,
};

static bool record_fact(struct client *client, const char *on, json_t *body, struct opl_err *err)
{
    char id[OPL_ID_SIZE];

    return evidence_add(client, on, body, err) && record_command(client, on, body, id, err);
}

bool cmd_verdict_record(struct client *client, struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *body = json_object();
    const char *hypothesis;

    return fields_id(client, 0, HYP, &hypothesis, err) && prompt_add_model(client, body, err) &&
           prompt_add(client, body, err) && record_fact(client, hypothesis, body, err);
}

static bool record_on_hypothesis(struct client *client, struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *body = json_object();
    const char *hypothesis;

    return fields_id(client, 0, HYP, &hypothesis, err) &&
           record_fact(client, hypothesis, body, err);
}

bool cmd_vendor_update(struct client *client, struct opl_err *err)
{
    return record_on_hypothesis(client, err);
}

bool cmd_reproduction_record(struct client *client, struct opl_err *err)
{
    return record_on_hypothesis(client, err);
}

/* A test run counts for the manifest that was in force when it ran: the one there is now. */
bool cmd_testrun_record(struct client *client, struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *body = json_object();
    char manifest[OPL_DIGEST_SIZE];
    const char *change;

    return fields_id(client, 0, CHG, &change, err) &&
           subject_manifest(client, change, manifest, err) &&
           fields_set_take(body, "manifest", json_string(manifest), err) &&
           record_fact(client, change, body, err);
}

bool cmd_rehearsal_record(struct client *client, struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *body = json_object();
    const char *change;
    int64_t seconds;

    return fields_id(client, 0, CHG, &change, err) &&
           opl_duration_parse(client_option(client, "duration"), &seconds, err) &&
           fields_set_take(body, "duration_s", json_integer(seconds), err) &&
           record_fact(client, change, body, err);
}

static bool sign_fact(struct client *client, int64_t fact, json_t *body, struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *about = json_pack("{s:I}", "fact", (json_int_t)fact);
    OPL_CLEANUP(signed_statement_close) struct signed_statement made = {0};
    struct sign_request request = {
        .type = "opledger/confirmation", .about = about, .key = client_option(client, "key")};

    if (about == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for a confirmation");
    return sign_statement(client, &request, &made, err) &&
           fields_set_take(body, "fact", json_integer(fact), err) &&
           fields_set_take(body, "statement", json_string(made.text), err) &&
           fields_set_take(body, "sshsig", json_string(made.sshsig), err);
}

bool cmd_confirm(struct client *client, struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *body = json_object();
    char id[OPL_ID_SIZE];
    const char *subject;
    int64_t fact;

    return fields_id(client, 0, HYP | CHG, &subject, err) &&
           fields_integer(client_arg(client, 1), "SEQ", &fact, err) &&
           subject_show_fact(client, subject, (uint64_t)fact, err) &&
           sign_fact(client, fact, body, err) && record_command(client, subject, body, id, err);
}

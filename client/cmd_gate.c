/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gate check and explain: may this change be applied, and if not, why not.
 */
#include "client.h"
#include "cmd.h"

#include <opledger/json.h>

#include "change_manifest.h"
#include "explain.h"
#include "fields.h"
#include "gate_conf.h"
#include "gate_local.h"
#include "gate_reply.h"
#include "staged.h"
#include "subject.h"

/* How long a log is folded again for mere advice; what is recorded is always folded. */
#define FOLD_ADVICE_MAX 20000
#define CHG OPL_ON(OPL_ID_CHG)

const struct option_spec gate_check_options[] = {
    {"record",      NULL,     "record the decision as an entry",                         0,           0},
    {"file",        "TARGET", "judge what is staged on this host now",                   OPTION_LIST, 0},
    {"from",        "DIR",    "new bytes are DIR/TARGET (default: TARGET.new)",          0,           0},
    {"base-dir",    "D",      "the base is D/TARGET (default: the live TARGET)",         0,           0},
    {"no-override", NULL,     "exit 5 where only an override would allow it",            0,           0},
    {"gate-conf",   "F",      "what to rely on where /etc/opledger/gate.conf is absent", 0,           0},
    OPTION_END,
};

/* Digests of what lies here, over the target and command that the change names. */
static bool digest_staged(struct client *client, const char *change, struct opl_hash *manifest,
                          struct opl_hash *base, struct opl_err *err)
{
    OPL_CLEANUP(opl_manifest_close) struct opl_manifest staged = {0};
    OPL_CLEANUP(opl_buf_close) struct opl_buf bytes = {0};
    char digest[OPL_DIGEST_SIZE];

    if (!subject_manifest(client, change, digest, err) ||
        !change_manifest_fetch(client, digest, &staged, err) ||
        !change_manifest_build(client, &staged, &bytes, err) ||
        !opl_manifest_base(&staged, base, err))
        return false;
    opl_sha256(bytes.data, bytes.len, manifest);
    return true;
}

/* Where a gate.conf is in force it says which ledger is asked, and whose key is believed. */
static bool pin(struct client *client, struct gate_conf *conf, struct gate_question *question,
                struct opl_err *err)
{
    if (!gate_conf_enforce(client, conf, err) || !client_connect(client, err))
        return false;
    question->host = conf->host;
    return true;
}

/* An allowance must follow from the log that this client folds itself. */
static bool check_allowance(struct client *client, const struct gate_question *question,
                            const struct gate_reply *reply, struct opl_err *err)
{
    if (reply->outcome == OPL_GATE_DENIED)
        return true;
    if (question->record || reply->head.size <= FOLD_ADVICE_MAX)
        return gate_local_agrees(client, question, reply, err);
    output_note(&client->out, "the ledger's word, not folded again here: opledger gate explain %s",
                question->change);
    return true;
}

bool cmd_gate_check(struct client *client, struct opl_err *err)
{
    OPL_CLEANUP(gate_conf_close) struct gate_conf conf = {0};
    OPL_CLEANUP(gate_reply_close) struct gate_reply reply = {0};
    struct gate_question question = {.use = "check"};
    struct opl_hash manifest, base;
    bool no_override = args_has(&client->args, "no-override");

    if (!fields_id(client, 0, CHG, &question.change, err) || !pin(client, &conf, &question, err))
        return false;
    question.record = conf.file != NULL || args_has(&client->args, "record");
    if (args_has(&client->args, "file")) {
        if (!digest_staged(client, question.change, &manifest, &base, err))
            return false;
        question.manifest = &manifest;
        question.base = &base;
    }
    if (!gate_ask(client, &question, &reply, err) ||
        !check_allowance(client, &question, &reply, err))
        return false;
    client->exit_status =
        gate_exit(reply.outcome, no_override || (conf.file != NULL && !conf.override));
    gate_reply_print(client, &reply);
    gate_reply_last_line(client, "check", reply.outcome, client->exit_status);
    return output_json(&client->out, reply.root, err);
}

/*
 * Reading is for all who may read: where the gate's own route is closed to this token, the page is
 * what this client folds itself.
 */
static bool ask_or_fold(struct client *client, const struct gate_question *question,
                        struct gate_reply *reply, struct opl_err *err)
{
    struct opl_err why = {0};

    if (gate_ask(client, question, reply, &why))
        return true;
    if (why.code == OPL_E_FORBIDDEN)
        return gate_local_reply(client, question->change, reply, err);
    opl_fail(err, why.code, "%s", why.text);
    return opl_hint(err, "%s", why.hint);
}

bool cmd_gate_explain(struct client *client, struct opl_err *err)
{
    OPL_CLEANUP(gate_conf_close) struct gate_conf conf = {0};
    OPL_CLEANUP(gate_reply_close) struct gate_reply reply = {0};
    struct gate_question question = {.use = "explain"};

    if (!fields_id(client, 0, CHG, &question.change, err) || !pin(client, &conf, &question, err) ||
        !ask_or_fold(client, &question, &reply, err))
        return false;
    client->exit_status = gate_exit(reply.outcome, false);
    if (!client->out.json && !explain_print(client, question.change, &reply, err))
        return false;
    gate_reply_print(client, &reply);
    gate_reply_last_line(client, "explain", reply.outcome, client->exit_status);
    return output_json(&client->out, reply.root, err);
}

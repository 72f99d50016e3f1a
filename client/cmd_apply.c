/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gate apply: installs a change over its verified base and runs its command, if and only if the
 * gate's decision, and what this host itself verifies, allow exactly that.
 */
#include "client.h"
#include "cmd.h"

#include <opledger/json.h>

#include "apply.h"
#include "fields.h"

#define CHG OPL_ON(OPL_ID_CHG)
#define EXIT_UNDECIDED 3
#define EXIT_COMMAND_FAILED 6

const struct option_spec gate_apply_options[] = {
    {"from",              "DIR", "new bytes are DIR/TARGET (default: TARGET.new)",           0, 0},
    {"no-override",       NULL,  "exit 5 where only an override would allow it",             0, 0},
    {"revert-on-failure", NULL,  "put the base back when the command fails",                 0, 0},
    {"dry-run",           NULL,  "advice: verify everything, change and record nothing",     0, 0},
    {"gate-conf",         "F",   "what to rely on where /etc/opledger/gate.conf is absent",  0, 0},
    {"unpinned",          NULL,  "without a gate.conf: believe the ledger of first contact", 0, 0},
    OPTION_END,
};

/* Where gate.conf does not open this exit, an override is not enough, whoever asks. */
static int exit_of(const struct apply *apply)
{
    bool no_override = args_has(&apply->client->args, "no-override") ||
                       (apply->conf.file != NULL && !apply->conf.override);

    return gate_exit(apply->reply.outcome, no_override);
}

static bool refuse(struct apply *apply, struct opl_err *err)
{
    struct client *client = apply->client;

    gate_reply_print(client, &apply->reply);
    output_line(&client->out, "nothing was changed, the command was not run");
    gate_reply_last_line(client, "apply", apply->reply.outcome, client->exit_status);
    return output_json(&client->out, apply->reply.root, err);
}

static bool print_result(const struct apply *apply, const char *what, struct opl_err *err)
{
    struct client *client = apply->client;
    OPL_CLEANUP(opl_json_freep)
    json_t *value = json_pack("{s:s, s:s, s:s, s:b}", "change", apply->change, "outcome", what,
                              "host", apply->host, "recorded", apply->recorded);

    if (value == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for a result");
    if (apply->reply.decided)
        json_object_set_new(value, "decision", json_integer((json_int_t)apply->reply.decision_seq));
    if (apply->exit_status >= 0)
        json_object_set_new(value, "exit_status", json_integer(apply->exit_status));
    if (apply->started > 0)
        json_object_set_new(value, "started", json_integer((json_int_t)apply->started));
    output_line(&client->out, "gate apply: %s (exit %d)", what, client->exit_status);
    return output_json(&client->out, value, err);
}

/* --dry-run: what the gate says, of which nothing is kept. */
static bool advise(const struct apply *apply, struct opl_err *err)
{
    output_line(&apply->client->out, "this is advice: nothing was recorded");
    return print_result(apply, "allowed, nothing was done", err);
}

/* From here on something has happened, and success means that this is said. */
static bool carry_out(struct apply *apply, struct opl_err *err)
{
    struct client *client = apply->client;
    bool recorded;

    apply_carry_out(apply);
    apply_finish(apply);
    recorded = apply->recorded;
    if (apply->outcome == APPLY_FAILED)
        client->exit_status = EXIT_COMMAND_FAILED;
    if (apply->outcome == APPLY_FAILED && args_has(&client->args, "revert-on-failure")) {
        apply_revert(apply);
        if (apply->outcome == APPLY_REVERTED)
            apply_finish(apply);
        recorded = recorded && apply->recorded;
    }
    apply->recorded = recorded;
    if (!recorded)
        client->exit_status = EXIT_UNDECIDED;
    return print_result(apply, apply_outcome_name(apply->outcome), err);
}

/* From the start on nobody can interrupt us before the outcome is recorded. */
static bool start(struct apply *apply, struct opl_err *err)
{
    bool ok;

    apply_hold(apply);
    ok = apply_start(apply, err) && carry_out(apply, err);
    apply_release(apply);
    return ok;
}

bool cmd_gate_apply(struct client *client, struct opl_err *err)
{
    OPL_CLEANUP(apply_close) struct apply apply = {.client = client, .exit_status = -1};

    if (!fields_id(client, 0, CHG, &apply.change, err) || !apply_read(&apply, err) ||
        !apply_ask(&apply, err))
        return false;
    client->exit_status = exit_of(&apply);
    if (client->exit_status != 0)
        return refuse(&apply, err);
    if (!apply_trust(&apply, err))
        return false;
    if (args_has(&client->args, "dry-run"))
        return advise(&apply, err);
    return start(&apply, err);
}

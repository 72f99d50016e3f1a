/* SPDX-License-Identifier: Apache-2.0 */
#include "doctor.h"

#include <unistd.h>

#include <opledger/encode.h>

#include "adopted.h"
#include "client.h"
#include "files.h"
#include "gate_conf.h"
#include "process.h"
#include "redact_rules.h"
#include "sign.h"

void finding_fail(struct finding *finding, const struct opl_err *err, const char *remedy)
{
    finding->good = false;
    output_recorded(&finding->says, err->text, strlen(err->text), OUTPUT_INLINE);
    finding->remedy = remedy;
}

/* ---- rules ---- */

static void say_rules(struct finding *finding, const struct redact_rules *rules,
                      const struct adopted *adopted)
{
    char digest[OPL_DIGEST_SIZE], age[ADOPTED_AGE_SIZE];

    opl_hash_digest(&rules->digest, digest);
    opl_buf_fmt(&finding->says, "redact goes by %s rules, %s", rules->from, digest);
    if (adopted->document == NULL)
        return;
    adopted_age(adopted, age);
    opl_buf_fmt(&finding->says, ", read from the ledger %s", age);
}

/* Whether they would do their work: rules that do not compile release nothing. */
static void try_rules(struct finding *finding, const struct adopted *adopted)
{
    struct redact_rules *rules = calloc(1, sizeof(*rules));
    struct redact_options options = {0};
    struct opl_err err = {0};

    if (rules == NULL)
        return;
    if (adopted->document != NULL)
        adopted_use(adopted, &options);
    if (redact_rules_open(rules, &options, &err) && opl_rules_ready(rules->rules, &err))
        say_rules(finding, rules, adopted);
    else
        finding_fail(finding, &err, "opledger policy lint FILE, then opledger policy adopt FILE");
    redact_rules_close(rules);
    free(rules);
}

/* The ledger's where it answers, else what is remembered of it. */
void doctor_rules(struct client *client, struct finding *finding)
{
    OPL_CLEANUP(adopted_close) struct adopted adopted = {0};
    struct opl_err err = {0}, why = {0};
    bool found;

    if (adopted_refresh(client, &adopted, &err)) {
        try_rules(finding, &adopted);
        return;
    }
    if (err.code == OPL_E_VERIFY || err.code == OPL_E_LOG)
        finding_fail(finding, &err, "opledger log verify");
    else if (err.code == OPL_E_WRONG_STATE)
        finding_fail(finding, &err, "opledger policy adopt FILE");
    else if (!adopted_recall(client, &adopted, &found, &why))
        finding_fail(finding, &why, "opledger doctor again, once the ledger answers");
    else
        try_rules(finding, &adopted);
}

/* ---- what is kept ---- */

static size_t count_lines(const struct opl_buf *text)
{
    size_t count = 0;

    for (size_t i = 0; i < text->len; i++)
        count += text->data[i] == '\n';
    return count;
}

/* Receipts are what proves later that something was recorded. */
void doctor_receipts(struct client *client, struct finding *finding)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf origin = {0}, text = {0};
    OPL_CLEANUP(file_free) char *path = NULL;
    struct opl_err err = {0};
    bool known = false, found = false;

    if (!state_get(&client->state, "servers", config_get(&client->config, CONFIG_URL), &origin,
                   &known, &err) ||
        (known &&
         (!state_path(&client->state, "receipts", opl_buf_text(&origin), &path, &err) ||
          !state_get(&client->state, "receipts", opl_buf_text(&origin), &text, &found, &err)))) {
        finding_fail(finding, &err, "make the folder of opledger's memory yours: chmod -R u+rwX");
        return;
    }
    finding->good = !found || access(path, W_OK) == 0;
    if (found)
        opl_buf_fmt(&finding->says, "receipts are kept: %zu in %s", count_lines(&text), path);
    else
        opl_buf_str(&finding->says, "receipts will be kept; nothing was recorded from here yet");
    finding->remedy = finding->good ? NULL : "make that file writable: chmod u+w";
}

void doctor_state(struct client *client, struct finding *finding)
{
    finding->good = access(client->state.folder, R_OK | W_OK | X_OK) == 0;
    opl_buf_fmt(&finding->says, "remembers in %s", client->state.folder);
    finding->remedy = finding->good ? NULL : "make that folder writable: chmod u+rwx";
}

/* ---- signing ---- */

void doctor_key_file(struct client *client, struct finding *finding)
{
    OPL_CLEANUP(file_free) char *path = NULL;
    struct opl_err err = {0};

    if (!sign_key_file(client, NULL, &path, &err)) {
        finding_fail(finding, &err, "ssh-keygen -t ed25519, then have it enrolled");
        return;
    }
    opl_buf_fmt(&finding->says, "signs with %s", path);
}

void doctor_ssh_keygen(struct client *client, struct finding *finding)
{
    static const char *const argv[] = {"ssh-keygen", "-Y", "check-novalidate", NULL};
    OPL_CLEANUP(opl_buf_close) struct opl_buf input = {0};
    OPL_CLEANUP(opl_buf_close) struct opl_buf output = {0};
    struct opl_err err = {0};
    int status;

    (void)client;
    if (!process_quiet(argv, &input, &output, &status, &err)) {
        finding_fail(finding, &err, "apt install openssh-client");
        return;
    }
    opl_buf_str(&finding->says, "ssh-keygen is there");
}

/* ---- the gate ---- */

/* Most hosts only ask: it is those that apply changes which need the file. */
void doctor_gate_conf(struct client *client, struct finding *finding)
{
    const struct gate_conf_places places = {.standard = GATE_CONF_STANDARD};
    OPL_CLEANUP(gate_conf_close) struct gate_conf conf = {0};
    struct opl_err err = {0};

    (void)client;
    if (!gate_conf_load(&places, &conf, &err)) {
        finding_fail(finding, &err,
                     "as root: chown root:root " GATE_CONF_STANDARD
                     "; chmod 644 " GATE_CONF_STANDARD);
        return;
    }
    if (conf.file == NULL) {
        opl_buf_str(&finding->says, "this host does not enforce: there is no " GATE_CONF_STANDARD);
        return;
    }
    opl_buf_fmt(&finding->says, "this host enforces by %s: %s, log key %08x of %s, %s", conf.file,
                conf.url, (unsigned)conf.log_key.id, conf.origin,
                conf.signers != NULL ? "its own list of signers" : "no list of signers of its own");
}

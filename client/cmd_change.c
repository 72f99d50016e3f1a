/* SPDX-License-Identifier: Apache-2.0 */
/*
 * change - what is to be put in place, proposed and revised by its manifest.
 */
#include "client.h"
#include "cmd.h"

#include <opledger/json.h>

#include "change_manifest.h"
#include "evidence.h"
#include "fields.h"
#include "list.h"
#include "record.h"
#include "subject.h"
#include "timeline.h"

#define INC OPL_ON(OPL_ID_INC)
#define CHG OPL_ON(OPL_ID_CHG)

#define OPTIONS_OF_MANIFEST                                                                        \
    {"from", "DIR", "new bytes are DIR/TARGET (default: TARGET.new beside it)", 0, 0},             \
        {"base-dir", "D", "the base is D/TARGET (default: the live TARGET)", 0, 0},                \
        {"hypothesis", "HYP", NULL, OPTION_LIST, 0},                                               \
    {                                                                                              \
        "running-version", "V", NULL, 0, 0                                                         \
    }

const struct option_spec change_propose_options[] = {
    {"title",         "T",       NULL,                                                           0,                             0},
    {"class",         "C",       "config, upgrade or script",                                    OPTION_REQUIRED,               0},
    {"target",        "T",       NULL,                                                           OPTION_REQUIRED,               0},
    {"file",          "TARGET",  "absolute path of a file to replace",                           OPTION_REQUIRED | OPTION_LIST, 0},
    OPTIONS_OF_MANIFEST,
    {"window",        "FROM/TO", NULL,                                                           0,                             0},
    {"call-off-by",   "T",       "moment or duration from now: until when it can be called off", 0,                             0},
    {"call-off-plan", "F",       "the plan to call it off; its digest is recorded",              0,                             0},
    OPTION_END,
};
const struct option_spec change_revise_options[] = {
    {"file", "TARGET", "absolute path of a file to replace", OPTION_LIST, 0},
    OPTIONS_OF_MANIFEST,
    OPTION_END,
};

static void say_next(struct client *client, const char *change)
{
    output_next(&client->out, "opledger gate explain %s", change);
    output_next(&client->out, "opledger approval sign %s --role ROLE", change);
}

static bool set_target(struct opl_manifest *manifest, const char *target, struct opl_err *err)
{
    if (!opl_is_target(target)) {
        opl_fail(err, OPL_E_USAGE, "%s is no target", target);
        return opl_hint(err, "SITE/SERVICE, as engaging/slurm");
    }
    snprintf(manifest->target, sizeof(manifest->target), "%s", target);
    return true;
}

static bool add_plan(struct client *client, json_t *body, struct opl_err *err)
{
    const char *plan = client_option(client, "call-off-plan");

    return plan == NULL || evidence_hash_file(client, plan, "call_off_plan_sha256", body, err);
}

static bool propose(struct client *client, const char *incident, struct opl_err *err)
{
    OPL_CLEANUP(opl_manifest_close) struct opl_manifest manifest = {0};
    OPL_CLEANUP(opl_buf_close) struct opl_buf bytes = {0};
    OPL_CLEANUP(opl_json_freep) json_t *body = json_object();
    char id[OPL_ID_SIZE];

    if (!set_target(&manifest, client_option(client, "target"), err) ||
        !change_manifest_build(client, &manifest, &bytes, err) || !add_plan(client, body, err) ||
        !change_manifest_store(client, &manifest, &bytes, body, err) ||
        !record_command(client, incident, body, id, err))
        return false;
    change_manifest_print(client, &manifest);
    say_next(client, id);
    return true;
}

bool cmd_change_propose(struct client *client, struct opl_err *err)
{
    const char *incident = NULL;

    if (client->args.positional_count > 0 && !fields_id(client, 0, INC, &incident, err))
        return false;
    return propose(client, incident, err);
}

/* The body of the proposal or last revision: what a revision leaves out stays. */
static const json_t *version_of(const struct subject *subject)
{
    const json_t *body = NULL;

    for (size_t i = 0; i < subject->count; i++) {
        const struct opl_entry *entry = &subject->entries[i].entry;

        if (strcmp(entry->kind_name, "change.proposed") == 0 ||
            strcmp(entry->kind_name, "change.revised") == 0)
            body = entry->body;
    }
    return body;
}

static bool keep_left_out(struct client *client, const json_t *version, json_t *body,
                          struct opl_err *err)
{
    json_t *hypotheses = json_object_get(version, "hypotheses");
    json_t *running = json_object_get(version, "running_version");

    if (args_count(&client->args, "hypothesis") == 0 &&
        !fields_set_take(body, "hypotheses", json_incref(hypotheses), err))
        return false;
    return client_option(client, "running-version") != NULL || running == NULL ||
           fields_set_take(body, "running_version", json_incref(running), err);
}

static bool revise(struct client *client, const char *change, const json_t *version,
                   struct opl_err *err)
{
    OPL_CLEANUP(opl_manifest_close) struct opl_manifest manifest = {0};
    OPL_CLEANUP(opl_buf_close) struct opl_buf bytes = {0};
    OPL_CLEANUP(opl_json_freep) json_t *body = json_object();
    char id[OPL_ID_SIZE];

    if (!change_manifest_fetch(client, opl_json_str(version, "manifest"), &manifest, err) ||
        !change_manifest_build(client, &manifest, &bytes, err) ||
        !keep_left_out(client, version, body, err) ||
        !change_manifest_store(client, &manifest, &bytes, body, err) ||
        !record_command(client, change, body, id, err))
        return false;
    change_manifest_print(client, &manifest);
    say_next(client, change);
    return true;
}

bool cmd_change_revise(struct client *client, struct opl_err *err)
{
    OPL_CLEANUP(subject_close) struct subject subject = {0};
    const json_t *version;
    const char *change;

    if (!fields_id(client, 0, CHG, &change, err) || !subject_load(client, change, &subject, err))
        return false;
    version = version_of(&subject);
    if (version == NULL)
        return opl_fail(err, OPL_E_VERIFY, "%s was never proposed", change);
    return revise(client, change, version, err);
}

bool cmd_change_show(struct client *client, struct opl_err *err)
{
    OPL_CLEANUP(opl_manifest_close) struct opl_manifest manifest = {0};
    char digest[OPL_DIGEST_SIZE];
    const char *change;

    if (!fields_id(client, 0, CHG, &change, err) || !timeline_print(client, change, err) ||
        client->out.json)
        return err->code == OPL_OK;
    if (!subject_manifest(client, change, digest, err) ||
        !change_manifest_fetch(client, digest, &manifest, err))
        return false;
    output_line(&client->out, "%s", "");
    output_line(&client->out, "manifest %s", digest);
    change_manifest_print(client, &manifest);
    return true;
}

bool cmd_change_list(struct client *client, struct opl_err *err)
{
    return list_print(client, "changes", err);
}

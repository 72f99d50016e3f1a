/* SPDX-License-Identifier: Apache-2.0 */
#include "adopted.h"

#include <errno.h>
#include <unistd.h>

#include <opledger/admit.h>
#include <opledger/encode.h>
#include <opledger/json.h>
#include <opledger/time.h>
#include <opledger/yaml.h>

#include "blobs.h"
#include "client.h"
#include "files.h"
#include "registry_view.h"

#define FOLDER "rules"
#define ASK_SECONDS 2 /* one request at most, of a run that can do without the answer */

void adopted_close(struct adopted *adopted)
{
    json_decref(adopted->document);
    memset(adopted, 0, sizeof(*adopted));
}

void adopted_use(const struct adopted *adopted, struct redact_options *options)
{
    options->adopted = adopted->files;
    options->adopted_count = adopted->count;
    options->models = adopted->models;
    options->models_len = adopted->models_len;
}

void adopted_age(const struct adopted *adopted, char out[static ADOPTED_AGE_SIZE])
{
    static const struct {
        int64_t seconds;
        const char *name;
    } units[] = {
        {86400, "days"   },
        {3600,  "hours"  },
        {60,    "minutes"},
    };

    int64_t age = (opl_time_now() - adopted->read_at) / OPL_SECOND;

    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        if (age < 2 * units[i].seconds)
            continue;
        (void)snprintf(out, ADOPTED_AGE_SIZE, "%lld %s ago", (long long)(age / units[i].seconds),
                       units[i].name);
        return;
    }
    (void)snprintf(out, ADOPTED_AGE_SIZE, "just now");
}

/* ---- the document: {digest, policies: [{name, sha256, text, what}], read} ---- */

static bool is_text_of(const char *text, const char *digest)
{
    struct opl_hash says, is;

    if (text == NULL || digest == NULL || !opl_hash_from_digest(digest, &says, NULL))
        return false;
    opl_sha256(text, strlen(text), &is);
    return opl_hash_equal(&says, &is);
}

static bool take_policy(struct adopted *adopted, const json_t *policy)
{
    const char *what = opl_json_str(policy, "what"), *name = opl_json_str(policy, "name");
    const char *text = opl_json_str(policy, "text");

    if (what == NULL || name == NULL || !is_text_of(text, opl_json_str(policy, "sha256")))
        return false;
    if (strcmp(what, "models") == 0) {
        adopted->models = text;
        adopted->models_len = strlen(text);
        return true;
    }
    if (adopted->count == REDACT_RULE_FILES)
        return false;
    adopted->files[adopted->count++] =
        (struct opl_rule_file){.name = name, .text = text, .len = strlen(text)};
    return true;
}

static bool digest_of(const struct adopted *adopted, struct opl_hash *out)
{
    struct opl_hash models;

    if (adopted->models == NULL || adopted->count == 0)
        return false;
    opl_sha256(adopted->models, adopted->models_len, &models);
    return opl_rules_digest(&models, adopted->files, adopted->count, out, NULL);
}

/* Fills in the rest from the document; false unless all of it is what its digests say. */
static bool read_document(struct adopted *adopted)
{
    const json_t *policies = json_object_get(adopted->document, "policies");
    const char *says = opl_json_str(adopted->document, "digest");
    const char *read_at = opl_json_str(adopted->document, "read");
    struct opl_hash digest;

    for (size_t i = 0; i < json_array_size(policies); i++)
        if (!take_policy(adopted, json_array_get(policies, i)))
            return false;
    return says != NULL && read_at != NULL && opl_hash_from_digest(says, &adopted->digest, NULL) &&
           opl_time_parse(read_at, &adopted->read_at, NULL) && digest_of(adopted, &digest) &&
           opl_hash_equal(&digest, &adopted->digest);
}

/* ---- what was remembered ---- */

static bool fail_memory(const struct client *client, struct opl_err *err)
{
    opl_fail(err, OPL_E_VERIFY,
             "the adopted rules remembered in %s/%s are not what their digest says",
             client->state.folder, FOLDER);
    return opl_hint(err, "opledger doctor reads them from the ledger anew");
}

/* Whether there is a memory to look at: who only filters needs no home, and none is made. */
static bool has_memory(const char *leaf)
{
    OPL_CLEANUP(file_free) char *folder = config_xdg_path("XDG_STATE_HOME", ".local/state", leaf);

    return folder != NULL && (access(folder, F_OK) == 0 || errno != ENOENT);
}

bool adopted_recall(struct client *client, struct adopted *out, bool *found, struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};
    struct opl_err why = {0};

    memset(out, 0, sizeof(*out));
    *found = false;
    if (!has_memory(FOLDER))
        return true;
    if (!state_open(&client->state, err) ||
        !state_get(&client->state, FOLDER, config_get(&client->config, CONFIG_URL), &text, found,
                   err))
        return false;
    if (!*found)
        return true;
    out->document = opl_json_parse(opl_buf_text(&text), text.len, &why);
    if (out->document != NULL && read_document(out))
        return true;
    adopted_close(out);
    return fail_memory(client, err);
}

/* ---- what is in force ---- */

static bool add_policy(struct client *client, const struct opl_adopted *policy, json_t *policies,
                       struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = OPL_BUF_INIT(OPL_YAML_MAX);
    char digest[OPL_DIGEST_SIZE];
    json_t *row;

    opl_hash_digest(&policy->sha256, digest);
    if (!blobs_get(client, &policy->sha256, &text, err))
        return false;
    row = json_pack("{s:s, s:s, s:s, s:s#}", "what", policy->what, "name", policy->name, "sha256",
                    digest, "text", opl_buf_text(&text), (int)text.len);
    if (row != NULL && json_array_append_new(policies, row) == 0)
        return true;
    return opl_fail(err, OPL_E_INVALID, "the adopted policy %s is no UTF-8 text", policy->name);
}

/* Of several models policies the newest holds. */
static const struct opl_adopted *newest_models(const struct opl_registry *registry)
{
    const struct opl_adopted *policy, *newest = NULL;

    for (size_t i = 0; (policy = opl_registry_policy_at(registry, i)) != NULL; i++)
        if (strcmp(policy->what, "models") == 0 && (newest == NULL || policy->seq > newest->seq))
            newest = policy;
    return newest;
}

static bool add_policies(struct client *client, const struct opl_registry *registry,
                         json_t *policies, struct opl_err *err)
{
    const struct opl_adopted *policy, *models = newest_models(registry);

    if (models == NULL) {
        opl_fail(err, OPL_E_WRONG_STATE, "no models policy is adopted in this ledger");
        return opl_hint(err, "opledger policy adopt models.yaml");
    }
    if (!add_policy(client, models, policies, err))
        return false;
    for (size_t i = 0; (policy = opl_registry_policy_at(registry, i)) != NULL; i++)
        if (strcmp(policy->what, "redact") == 0 && !add_policy(client, policy, policies, err))
            return false;
    if (json_array_size(policies) > 1)
        return true;
    opl_fail(err, OPL_E_WRONG_STATE, "no redaction rules are adopted in this ledger");
    return opl_hint(err, "opledger policy adopt secrets.yaml");
}

static bool remember(struct client *client, const struct adopted *adopted, struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = OPL_BUF_INIT((size_t)256 << 20);

    return opl_json_canonical(adopted->document, &text, err) &&
           state_set(&client->state, FOLDER, config_get(&client->config, CONFIG_URL),
                     opl_buf_text(&text), err);
}

/* The document of what the registry says; its digest is the registry's own. */
static json_t *document_of(struct client *client, const struct opl_registry *registry,
                           struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *policies = json_array();
    char digest[OPL_DIGEST_SIZE], now[OPL_TIME_SIZE];
    struct opl_hash rules;
    json_t *document;

    if (!add_policies(client, registry, policies, err) || !opl_adopted_rules(registry, &rules, err))
        return NULL;
    opl_hash_digest(&rules, digest);
    opl_time_format(opl_time_now(), now);
    document = json_pack("{s:s, s:O, s:s}", "digest", digest, "policies", policies, "read", now);
    if (document == NULL)
        opl_fail(err, OPL_E_NOMEM, "no memory for the adopted rules");
    return document;
}

bool adopted_refresh(struct client *client, struct adopted *out, struct opl_err *err)
{
    OPL_CLEANUP(opl_registry_freep) struct opl_registry *registry = NULL;

    memset(out, 0, sizeof(*out));
    if (!client_connect(client, err) || !registry_view_load(client, &registry, err))
        return false;
    out->document = document_of(client, registry, err);
    if (out->document == NULL)
        return false;
    if (read_document(out) && remember(client, out, err))
        return true;
    adopted_close(out);
    return opl_fail(err, OPL_E_VERIFY, "the adopted rules are not what their digest says");
}

/* ---- the newest that can be had ---- */

/* Without a login there is nobody to ask as; who only filters needs neither login nor home. */
static bool may_ask(const struct client *client)
{
    return *config_get(&client->config, CONFIG_TOKEN) != '\0' ||
           *config_get(&client->config, CONFIG_TOKEN_FILE) != '\0' || has_memory("tokens");
}

static bool ask(struct client *client, struct adopted *out, struct opl_err *why)
{
    if (client->config.timeout_s > ASK_SECONDS)
        client->config.timeout_s = ASK_SECONDS;
    return adopted_refresh(client, out, why);
}

/* A ledger that contradicts itself is no reason to go on with what it said before. */
static bool is_alarm(const struct opl_err *why)
{
    return opl_code_exit(why->code) == 4;
}

bool adopted_newest(struct client *client, struct adopted *out, bool *found, struct opl_err *err)
{
    struct opl_err why = {0};

    *found = may_ask(client);
    if (!*found)
        return adopted_recall(client, out, found, err);
    if (ask(client, out, &why))
        return true;
    if (is_alarm(&why)) {
        opl_fail(err, why.code, "%s", why.text);
        return opl_hint(err, "%s", why.hint);
    }
    output_note(&client->out, "the ledger was not asked for today's rules: %s", why.text);
    return adopted_recall(client, out, found, err);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "scrubbed.h"

#include <opledger/encode.h>
#include <opledger/json.h>
#include <opledger/models.h>
#include <opledger/yaml.h>

#include "scrubbed_pass.h"
#include "server.h"

/* The rule files in force, and the models policy if there is one. */
struct adopted {
    struct scrubbed_file files[SCRUBBED_FILES_MAX];
    size_t count;
    bool has_models;
    struct opl_hash models;
};

static bool read_adopted(struct server *server, struct adopted *adopted, struct opl_err *err)
{
    OPL_CLEANUP(opl_registry_freep)
    struct opl_registry *registry = published_registry(&server->published);
    const struct opl_adopted *policy;
    uint64_t newest = 0;

    *adopted = (struct adopted){0};
    for (size_t i = 0; registry && (policy = opl_registry_policy_at(registry, i)); i++) {
        if (strcmp(policy->what, "models") == 0 && (!adopted->has_models || policy->seq > newest)) {
            adopted->has_models = true;
            adopted->models = policy->sha256;
            newest = policy->seq;
        }
        if (strcmp(policy->what, "redact") != 0)
            continue;
        if (adopted->count == SCRUBBED_FILES_MAX)
            return opl_fail(err, OPL_E_CONFIG, "more than %d redaction policies are adopted",
                            SCRUBBED_FILES_MAX);
        memcpy(adopted->files[adopted->count].name, policy->name, sizeof policy->name);
        adopted->files[adopted->count++].sha256 = policy->sha256;
    }
    return adopted->count > 0 || opl_fail(err, OPL_E_WRONG_STATE, "no redaction policy is adopted");
}

/* The classes that may pass to a destination, by the models in force. */
static bool read_unmasked(const struct adopted *adopted, const char *name, struct db *db,
                          unsigned *unmasked, struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = OPL_BUF_INIT(OPL_YAML_MAX);
    OPL_CLEANUP(opl_models_freep) struct opl_models *models = NULL;
    const struct opl_destination *destination;

    *unmasked = 0;
    if (!adopted->has_models)
        return true;
    if (!blob_get(db, &adopted->models, &text, err))
        return false;
    models = opl_models_new(opl_buf_text(&text), text.len, err);
    destination = models != NULL ? opl_models_destination(models, name, err) : NULL;
    if (destination != NULL)
        *unmasked = destination->unmasked;
    return destination != NULL;
}

static bool note_clean(struct write *write, const struct opl_hash *sha256, struct opl_err *err)
{
    struct opl_hash *clean = realloc(write->clean, (write->clean_count + 1) * sizeof *clean);

    if (clean == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for a verified output");
    write->clean = clean;
    write->clean[write->clean_count++] = *sha256;
    return true;
}

bool scrubbed_check(struct server *server, struct write *write, const json_t *body, struct db *db,
                    struct opl_err *err)
{
    const char *sent = opl_json_str(body, "sent_sha256");
    const char *destination = opl_json_str(body, "destination");
    struct opl_err why = {0};
    struct opl_hash sha256;
    struct blob_info info;
    struct adopted adopted;
    unsigned unmasked;

    if (sent == NULL || destination == NULL || !opl_hash_from_hex(sent, &sha256, err))
        return opl_fail(err, OPL_E_INVALID, "an egress names its output and destination");
    if (!blob_find(db, &sha256, &info, &why)) {
        if (why.code == OPL_E_NOT_FOUND)
            return true; /* admission says so in its own words */
        *err = why;
        return false;
    }
    return read_adopted(server, &adopted, err) &&
           read_unmasked(&adopted, destination, db, &unmasked, err) &&
           scrubbed_pass(server->scrubbed_rules, adopted.files, adopted.count, unmasked, &info, db,
                         err) &&
           note_clean(write, &sha256, err);
}

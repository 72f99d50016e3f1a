/* SPDX-License-Identifier: Apache-2.0 */
#include "scrubbed.h"

#include <opledger/egress.h>
#include <opledger/encode.h>
#include <opledger/json.h>
#include <opledger/time.h>
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

/* Where the policy in force says that it may go; `models` keeps what is borrowed. */
static bool find_destination(const struct adopted *adopted, const char *name, struct db *db,
                             struct opl_models **models, const struct opl_destination **destination,
                             struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = OPL_BUF_INIT(OPL_YAML_MAX);

    *destination = NULL;
    if (!adopted->has_models)
        return opl_fail(err, OPL_E_WRONG_STATE, "no models policy is adopted");
    if (!blob_get(db, &adopted->models, &text, err))
        return false;
    *models = opl_models_new(opl_buf_text(&text), text.len, err);
    if (*models == NULL)
        return false;
    *destination = opl_models_destination(*models, name, NULL);
    if (*destination != NULL)
        return true;
    opl_fail_at(err, OPL_E_INVALID, "/body/destination", "no adopted policy has a destination %s",
                name);
    return opl_hint(err, "add it to models.yaml and adopt that: opledger policy adopt models.yaml");
}

static bool read_manifest(struct db *db, const char *name, struct opl_buf *out, struct opl_err *err)
{
    struct opl_err why = {0};
    struct opl_hash sha256;

    if (name == NULL || !opl_hash_from_hex(name, &sha256, NULL))
        return opl_fail_at(err, OPL_E_INVALID, "/body/manifest_sha256", "is no SHA-256");
    if (blob_get(db, &sha256, out, &why))
        return true;
    if (why.code != OPL_E_NOT_FOUND && why.code != OPL_E_TOO_LARGE) {
        *err = why;
        return false;
    }
    opl_fail_at(err, OPL_E_INVALID, "/body/manifest_sha256", "no manifest %s is stored", name);
    return opl_hint(err, "PUT /v1/blobs/%s first, at most %zu bytes", name,
                    OPL_EGRESS_MANIFEST_MAX);
}

/* What is said to have been sent is held against the manifest and the destination. */
static bool check_claim(const json_t *body, const struct opl_destination *destination,
                        uint64_t stored, struct db *db, struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf manifest = OPL_BUF_INIT(OPL_EGRESS_MANIFEST_MAX);
    const char *name = opl_json_str(body, "manifest_sha256"), *outcome;
    struct opl_egress_claim claim = {
        .body = body, .stored = stored, .destination = destination, .now = opl_time_now()};

    outcome = opl_json_str(body, "outcome");
    if (outcome == NULL || strcmp(outcome, "sent") != 0)
        return true;
    if (!read_manifest(db, name, &manifest, err))
        return false;
    claim.manifest = opl_buf_text(&manifest);
    claim.len = manifest.len;
    return opl_egress_check(&claim, err);
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
    OPL_CLEANUP(opl_models_freep) struct opl_models *models = NULL;
    const struct opl_destination *to;

    if (sent == NULL || destination == NULL || !opl_hash_from_hex(sent, &sha256, err))
        return opl_fail(err, OPL_E_INVALID, "an egress names its output and destination");
    if (!blob_find(db, &sha256, &info, &why)) {
        if (why.code == OPL_E_NOT_FOUND)
            return true; /* admission says so in its own words */
        *err = why;
        return false;
    }
    return read_adopted(server, &adopted, err) &&
           find_destination(&adopted, destination, db, &models, &to, err) &&
           scrubbed_pass(server->scrubbed_rules, adopted.files, adopted.count, to->unmasked, &info,
                         db, err) &&
           check_claim(body, to, info.size, db, err) && note_clean(write, &sha256, err);
}

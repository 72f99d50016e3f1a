/* SPDX-License-Identifier: Apache-2.0 */
/*
 * verify_blobs - the bytes that entries name, against the digests that they name them by.
 */
#include "verify.h"

#include <fcntl.h>

#include <opledger/encode.h>
#include <opledger/json.h>
#include <opledger/manifest.h>

#include "api.h"
#include "blobs.h"
#include "client.h"
#include "files.h"

/* Which fields keep a blob, by kind. */
static const struct reference {
    const char *kind;
    const char *field;
    bool manifest; /* of a change: names further ones */
    bool raw;      /* needs evidence-raw; to others the ledger says that there is none */
} references[] = {
    {"evidence.attached", "sha256",               false, true },
    {"change.proposed",   "manifest",             true,  false},
    {"change.proposed",   "call_off_plan_sha256", false, true },
    {"change.revised",    "manifest",             true,  false},
    {"egress.recorded",   "sent_sha256",          false, false},
    {"egress.recorded",   "manifest_sha256",      false, false},
    {"policy.adopted",    "sha256",               false, false},
};

static bool read_hash(const char *text, struct opl_hash *out)
{
    return text != NULL &&
           (opl_hash_from_digest(text, out, NULL) || opl_hash_from_hex(text, out, NULL));
}

/* Each blob once, however often it is named. */
static bool is_new(struct verify *verify, const struct opl_hash *sha256)
{
    char hex[OPL_HEX_SIZE];

    opl_hash_hex(sha256, hex);
    if (json_object_get(verify->blobs, hex) != NULL)
        return false;
    return json_object_set_new(verify->blobs, hex, json_true()) == 0;
}

/* A broken-off download is tried again before it counts as damage that the ledger noticed. */
static bool fetch(struct verify *verify, const struct opl_hash *sha256, struct opl_err *err)
{
    OPL_CLEANUP(file_closep) int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    struct opl_err why = {0};
    OPL_CLEANUP(opl_json_freep) json_t *alive = NULL;

    if (nowhere < 0)
        return opl_fail(err, OPL_E_IO, "cannot open /dev/null");
    if (api_get_blob(verify->client->api, sha256, nowhere, &why))
        return true;
    if (why.code != OPL_E_UNAVAILABLE)
        return opl_fail(err, why.code, "%s", why.text);
    memset(&why, 0, sizeof(why));
    if (api_get_blob(verify->client->api, sha256, nowhere, &why))
        return true;
    if (why.code != OPL_E_UNAVAILABLE || !api_get(verify->client->api, "/v1/keys", &alive, err))
        return opl_fail(err, why.code, "%s", why.text);
    return opl_fail(err, OPL_E_DIGEST, "the ledger breaks off its download twice");
}

/* Whether "not there" may only mean "not for you". */
static bool is_hidden(const struct verify *verify, const struct opl_err *why, bool raw)
{
    if (why->code == OPL_E_FORBIDDEN)
        return true;
    return why->code == OPL_E_NOT_FOUND && (verify->is_agent || (raw && !verify->sees_raw));
}

static bool check_blob(struct verify *verify, const struct opl_entry *entry,
                       const struct opl_hash *sha256, bool raw, struct opl_err *err)
{
    struct opl_err why = {0};
    char hex[OPL_HEX_SIZE];

    if (!is_new(verify, sha256))
        return true;
    if (fetch(verify, sha256, &why)) {
        verify->counts.blobs++;
        return true;
    }
    opl_hash_hex(sha256, hex);
    if (is_hidden(verify, &why, raw))
        verify->counts.blobs_hidden++;
    else if (why.code == OPL_E_NOT_FOUND)
        verify_wrong(verify, entry->seq, "the blob %s that it names is not there", hex);
    else if (verify_is_finding(&why))
        verify_wrong(verify, entry->seq, "the blob %s that it names is damaged: %s", hex, why.text);
    else
        return opl_fail(err, why.code, "%s", why.text);
    return true;
}

/* A manifest that cannot be read was counted already, as hidden or as wrong. */
static bool check_manifest(struct verify *verify, const struct opl_entry *entry,
                           const struct opl_hash *sha256, struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = OPL_BUF_INIT(OPL_MANIFEST_MAX);
    OPL_CLEANUP(opl_manifest_close) struct opl_manifest manifest = {0};
    struct opl_err why = {0};

    if (!blobs_get(verify->client, sha256, &text, &why))
        return true;
    if (!opl_manifest_parse(opl_buf_text(&text), text.len, &manifest, &why)) {
        verify_wrong(verify, entry->seq, "its manifest is none: %s", why.text);
        return true;
    }
    for (size_t i = 0; i < manifest.file_count; i++) {
        const struct opl_manifest_file *file = &manifest.files[i];

        if (file->next.present && !check_blob(verify, entry, &file->next.sha256, true, err))
            return false;
        if (file->base.present && !check_blob(verify, entry, &file->base.sha256, true, err))
            return false;
    }
    return true;
}

bool verify_blobs(struct verify *verify, const struct opl_entry *entry, struct opl_err *err)
{
    for (size_t i = 0; i < sizeof(references) / sizeof(references[0]); i++) {
        const struct reference *reference = &references[i];
        struct opl_hash sha256;

        if (strcmp(entry->kind_name, reference->kind) != 0 ||
            !read_hash(opl_json_str(entry->body, reference->field), &sha256))
            continue;
        if (!check_blob(verify, entry, &sha256, reference->raw, err) ||
            (reference->manifest && !check_manifest(verify, entry, &sha256, err)))
            return false;
    }
    return true;
}

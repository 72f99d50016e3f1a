/* SPDX-License-Identifier: Apache-2.0 */
#include "evidence.h"

#include <opledger/encode.h>
#include <opledger/json.h>

#include "blobs.h"
#include "client.h"
#include "fields.h"
#include "files.h"
#include "record.h"
#include "secrets.h"
#include "subject.h"

#define SOURCE_OF_FILES "file"

/* "sha256:<hex>" or the bare hex; else it is a file. */
static bool is_digest(const char *text, struct opl_hash *out)
{
    struct opl_err ignored = {0};
    struct opl_err also = {0};

    return opl_hash_from_digest(text, out, &ignored) || opl_hash_from_hex(text, out, &also);
}

static const char *leaf_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    if (strcmp(path, "-") == 0)
        return "stdin";
    return slash != NULL && slash[1] != '\0' ? slash + 1 : path;
}

bool evidence_upload(struct client *client, const char *path, json_t *body, struct opl_err *err)
{
    struct blob blob;
    char hex[OPL_HEX_SIZE];
    const char *media_type = client_option(client, "media-type");

    secrets_warn_file(client, path);
    if (!blobs_put_file(client, path, &blob, err))
        return false;
    opl_hash_hex(&blob.sha256, hex);
    if (media_type == NULL)
        media_type = blob.text ? "text/plain" : "application/octet-stream";
    return fields_set_take(body, "sha256", json_string(hex), err) &&
           fields_set_take(body, "size", json_integer(blob.size), err) &&
           fields_set_take(body, "media_type", json_string(media_type), err) &&
           fields_set_take(body, "name", json_string(leaf_of(path)), err);
}

static bool subject_holds(const struct subject *subject, const char *hex)
{
    for (size_t i = 0; i < subject->count; i++) {
        const struct opl_entry *entry = &subject->entries[i].entry;
        const char *sha256 = opl_json_str(entry->body, "sha256");

        if (strcmp(entry->kind_name, "evidence.attached") == 0 && sha256 != NULL &&
            strcmp(sha256, hex) == 0)
            return true;
    }
    return false;
}

/* On the subject itself or on its incident; what cannot be read is attached once more. */
static bool is_attached(struct client *client, const char *on, const char *hex)
{
    OPL_CLEANUP(subject_close) struct subject subject = {0};
    OPL_CLEANUP(subject_close) struct subject above = {0};
    struct opl_err ignored = {0};
    const char *parent;

    if (!subject_load(client, on, &subject, &ignored) || subject.count == 0)
        return false;
    parent = subject.entries[0].entry.on;
    return subject_holds(&subject, hex) ||
           (parent != NULL && subject_load(client, parent, &above, &ignored) &&
            subject_holds(&above, hex));
}

static bool attach(struct client *client, const char *on, json_t *body, struct opl_err *err)
{
    OPL_CLEANUP(opl_receipt_close) struct opl_receipt receipt = {0};
    struct record record = {"evidence.attached", on, body};

    if (!fields_set_take(body, "source", json_string(SOURCE_OF_FILES), err) ||
        !record_entry(client, &record, &receipt, err))
        return false;
    record_say(client, &receipt);
    return true;
}

/* A file is uploaded, and attached unless it already is. */
static bool use_file(struct client *client, const char *on, const char *path, struct opl_hash *out,
                     struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *body = json_object();
    const char *hex;

    if (!evidence_upload(client, path, body, err))
        return false;
    hex = opl_json_str(body, "sha256");
    return (is_attached(client, on, hex) || attach(client, on, body, err)) &&
           opl_hash_from_hex(hex, out, err);
}

static bool add_one(struct client *client, const char *on, const char *value, json_t *list,
                    struct opl_err *err)
{
    char digest[OPL_DIGEST_SIZE];
    struct opl_hash hash;

    if (!is_digest(value, &hash) && !use_file(client, on, value, &hash, err))
        return false;
    opl_hash_digest(&hash, digest);
    return json_array_append_new(list, json_string(digest)) == 0 ||
           opl_fail(err, OPL_E_NOMEM, "no memory for evidence");
}

bool evidence_add(struct client *client, const char *on, json_t *body, struct opl_err *err)
{
    json_t *list = json_array();

    if (!fields_set_take(body, "evidence", list, err))
        return false;
    for (size_t i = 0; i < args_count(&client->args, "evidence"); i++)
        if (!add_one(client, on, args_at(&client->args, "evidence", i), list, err))
            return false;
    return true;
}

bool evidence_hash_file(struct client *client, const char *path, const char *name, json_t *body,
                        struct opl_err *err)
{
    OPL_CLEANUP(file_closep) int fd = blobs_open(client, path, err);
    struct opl_hash hash;
    char hex[OPL_HEX_SIZE];
    int64_t size;

    if (fd < 0 || !file_digest(fd, path, &hash, &size, err))
        return false;
    opl_hash_hex(&hash, hex);
    return fields_set_take(body, name, json_string(hex), err);
}

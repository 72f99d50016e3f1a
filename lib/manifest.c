/* SPDX-License-Identifier: Apache-2.0 */
#include <opledger/manifest.h>

#include <opledger/encode.h>
#include <opledger/json.h>

#include "field.h"

#define TYPE "opledger/manifest"
#define NULLABLE OPL_FIELD_NULLABLE
#define LIST OPL_FIELD_LIST

static const struct opl_field manifest_fields[] = {
    {"command", OPL_F_TEXT,   LIST, 4096,               NULL, OPL_ID_NONE, "what then runs"      },
    {"files",   OPL_F_OBJECT, LIST, OPL_MANIFEST_FILES, NULL, OPL_ID_NONE, "what is put in place"},
    {"target",  OPL_F_TARGET, 0,    0,                  NULL, OPL_ID_NONE, "what is touched"     },
    {"type",    OPL_F_ENUM,   0,    0,                  TYPE, OPL_ID_NONE, "what this is"        },
    {"v",       OPL_F_INT,    0,    0,                  NULL, OPL_ID_NONE, "the format's version"},
    {NULL,      OPL_F_TEXT,   0,    0,                  NULL, OPL_ID_NONE, NULL                  },
};

static const struct opl_field file_fields[] = {
    {"base_mode",   OPL_F_TEXT, NULLABLE, 7,    NULL, OPL_ID_NONE, "mode before"         },
    {"base_owner",  OPL_F_TEXT, NULLABLE, 23,   NULL, OPL_ID_NONE, "owner before"        },
    {"base_sha256", OPL_F_HEX,  NULLABLE, 0,    NULL, OPL_ID_NONE, "bytes before"        },
    {"mode",        OPL_F_TEXT, NULLABLE, 7,    NULL, OPL_ID_NONE, "mode after, as 0644" },
    {"owner",       OPL_F_TEXT, NULLABLE, 23,   NULL, OPL_ID_NONE, "owner after, as 0:0" },
    {"path",        OPL_F_TEXT, 0,        4095, NULL, OPL_ID_NONE, "where"               },
    {"sha256",      OPL_F_HEX,  NULLABLE, 0,    NULL, OPL_ID_NONE, "bytes after"         },
    {"size",        OPL_F_INT,  0,        0,    NULL, OPL_ID_NONE, "how many bytes after"},
    {NULL,          OPL_F_TEXT, 0,        0,    NULL, OPL_ID_NONE, NULL                  },
};

/* The keys of one side of a file. */
struct side_keys {
    const char *sha256, *mode, *owner;
};

static const struct side_keys next_keys = {"sha256", "mode", "owner"};
static const struct side_keys base_keys = {"base_sha256", "base_mode", "base_owner"};

static bool is_mode(const char *text)
{
    return strlen(text) == 4 && strspn(text, "01234567") == 4;
}

/* Digits without a leading zero that fit 32 bits; their length, or 0. */
static size_t id_len(const char *text)
{
    size_t len = strspn(text, "0123456789");

    if (len == 0 || len > 10 || (text[0] == '0' && len > 1))
        return 0;
    return strtoull(text, NULL, 10) <= UINT32_MAX ? len : 0;
}

static bool is_owner(const char *text)
{
    size_t user = id_len(text), group;

    if (user == 0 || text[user] != ':')
        return false;
    group = id_len(text + user + 1);
    return group > 0 && text[user + 1 + group] == '\0';
}

/* Absolute, each part a name: no empty part, no . and no .. */
static bool is_path(const char *path)
{
    size_t len;

    if (path[0] != '/' || path[1] == '\0')
        return false;
    for (const char *part = path; *part != '\0'; part += len) {
        part++;
        len = strcspn(part, "/");
        if (len == 0 || (len <= 2 && strspn(part, ".") >= len))
            return false;
    }
    return true;
}

static bool read_side(struct opl_check *check, const json_t *file, const struct side_keys *keys,
                      const struct opl_spot *at, struct opl_file_side *out)
{
    const char *sha256 = opl_json_str(file, keys->sha256), *mode = opl_json_str(file, keys->mode),
               *owner = opl_json_str(file, keys->owner);
    struct opl_spot mode_at = {at, keys->mode, 0}, owner_at = {at, keys->owner, 0};

    out->present = sha256 != NULL;
    if ((mode != NULL) != out->present || (out->present && !is_mode(mode)))
        return opl_refuse(check, &mode_at, "must be four octal digits, or null with %s",
                          keys->sha256);
    if ((owner != NULL) != out->present || (out->present && !is_owner(owner)))
        return opl_refuse(check, &owner_at, "must be numeric uid:gid, or null with %s",
                          keys->sha256);
    if (!out->present)
        return true;
    (void)snprintf(out->mode, sizeof out->mode, "%s", mode);
    (void)snprintf(out->owner, sizeof out->owner, "%s", owner);
    return opl_hash_from_hex(sha256, &out->sha256, check->err);
}

static bool read_file(struct opl_check *check, const json_t *json, const struct opl_spot *at,
                      struct opl_manifest_file *out)
{
    struct opl_spot path_at = {at, "path", 0}, size_at = {at, "size", 0},
                    sha256_at = {at, "sha256", 0};
    const char *path;

    if (!opl_fields_check(check, file_fields, json, at, NULL))
        return false;
    path = opl_json_str(json, "path");
    out->size = opl_json_int(json, "size", 0);
    if (!is_path(path))
        return opl_refuse(check, &path_at, "must be absolute, without . and .. and empty parts");
    if (!read_side(check, json, &next_keys, at, &out->next) ||
        !read_side(check, json, &base_keys, at, &out->base))
        return false;
    if (!out->next.present && out->size != 0)
        return opl_refuse(check, &size_at, "must be 0 for a file that will be absent");
    if (!out->next.present && !out->base.present)
        return opl_refuse(check, &sha256_at, "is null on both sides: no file at all");
    out->path = strdup(path);
    return out->path != NULL || opl_fail(check->err, OPL_E_NOMEM, "no memory for a path");
}

static bool read_files(struct opl_check *check, const json_t *files, struct opl_manifest *out)
{
    static const struct opl_spot list = {NULL, "files", 0};
    size_t count = json_array_size(files);

    out->files = calloc(count + 1, sizeof *out->files);
    if (out->files == NULL)
        return opl_fail(check->err, OPL_E_NOMEM, "no memory for %zu files", count);
    for (size_t i = 0; i < count; i++) {
        struct opl_spot at = {&list, NULL, i};

        out->file_count = i + 1;
        if (!read_file(check, json_array_get(files, i), &at, &out->files[i]))
            return false;
        if (i > 0 && strcmp(out->files[i - 1].path, out->files[i].path) >= 0)
            return opl_refuse(check, &at, "does not come after the file before it");
    }
    return true;
}

static bool read_command(struct opl_check *check, const json_t *command, struct opl_manifest *out)
{
    size_t count = json_array_size(command);

    out->command = calloc(count + 1, sizeof *out->command);
    for (size_t i = 0; out->command != NULL && i < count; i++) {
        out->command[i] = strdup(json_string_value(json_array_get(command, i)));
        if (out->command[i] == NULL)
            return opl_fail(check->err, OPL_E_NOMEM, "no memory for a command");
    }
    return out->command != NULL || opl_fail(check->err, OPL_E_NOMEM, "no memory for a command");
}

static bool read_manifest(const json_t *root, struct opl_manifest *out, struct opl_err *err)
{
    struct opl_check check = {NULL, err};

    if (!opl_fields_check(&check, manifest_fields, root, NULL, NULL))
        return false;
    if (opl_json_int(root, "v", 0) != 1)
        return opl_fail_at(err, OPL_E_INVALID, "/v", "is a version that is not known");
    if (strlen(opl_json_str(root, "target")) >= sizeof out->target)
        return opl_fail_at(err, OPL_E_INVALID, "/target", "is longer than %zu bytes",
                           sizeof out->target - 1);
    (void)snprintf(out->target, sizeof out->target, "%s", opl_json_str(root, "target"));
    return read_files(&check, json_object_get(root, "files"), out) &&
           read_command(&check, json_object_get(root, "command"), out);
}

bool opl_manifest_parse(const char *text, size_t len, struct opl_manifest *out, struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *root = NULL;
    struct opl_err why = {0};

    *out = (struct opl_manifest){0};
    if (len > OPL_MANIFEST_MAX)
        return opl_fail(err, OPL_E_INVALID, "a manifest has at most %d bytes", OPL_MANIFEST_MAX);
    root = opl_json_parse_canonical(text, len, &why);
    if (root != NULL && read_manifest(root, out, &why))
        return true;
    opl_manifest_close(out);
    return opl_fail_at(err, why.code == OPL_E_NOMEM ? OPL_E_NOMEM : OPL_E_INVALID, why.field,
                       "manifest: %s", why.text);
}

void opl_manifest_close(struct opl_manifest *manifest)
{
    for (size_t i = 0; i < manifest->file_count; i++)
        free(manifest->files[i].path);
    free(manifest->files);
    for (size_t i = 0; manifest->command != NULL && manifest->command[i] != NULL; i++)
        free(manifest->command[i]);
    free(manifest->command);
    *manifest = (struct opl_manifest){0};
}

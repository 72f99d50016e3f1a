/* SPDX-License-Identifier: Apache-2.0 */
#include <opledger/manifest.h>

#include <opledger/encode.h>
#include <opledger/json.h>

/* A side's digest in hexadecimal, or NULL for one that is absent. */
static const char *side_hex(const struct opl_file_side *side, char out[static OPL_HEX_SIZE])
{
    if (!side->present)
        return NULL;
    opl_hash_hex(&side->sha256, out);
    return out;
}

static const char *if_present(const struct opl_file_side *side, const char *text)
{
    return side->present ? text : NULL;
}

static json_t *file_json(const struct opl_manifest_file *file)
{
    char next[OPL_HEX_SIZE], base[OPL_HEX_SIZE];

    return json_pack("{s:s?,s:s?,s:s?,s:s?,s:s?,s:s,s:s?,s:I}", "base_mode",
                     if_present(&file->base, file->base.mode), "base_owner",
                     if_present(&file->base, file->base.owner), "base_sha256",
                     side_hex(&file->base, base), "mode", if_present(&file->next, file->next.mode),
                     "owner", if_present(&file->next, file->next.owner), "path", file->path,
                     "sha256", side_hex(&file->next, next), "size", (json_int_t)file->size);
}

static json_t *base_json(const struct opl_manifest_file *file)
{
    char base[OPL_HEX_SIZE];

    return json_pack("{s:s?,s:s?,s:s,s:s?}", "mode", if_present(&file->base, file->base.mode),
                     "owner", if_present(&file->base, file->base.owner), "path", file->path,
                     "sha256", side_hex(&file->base, base));
}

/* One item per file; NULL: no memory. */
static json_t *files_json(const struct opl_manifest *manifest,
                          json_t *(*item)(const struct opl_manifest_file *file))
{
    json_t *files = json_array();

    for (size_t i = 0; files != NULL && i < manifest->file_count; i++)
        if (json_array_append_new(files, item(&manifest->files[i]))) {
            json_decref(files);
            files = NULL;
        }
    return files;
}

static json_t *command_json(const struct opl_manifest *manifest)
{
    json_t *command = json_array();

    for (char **word = manifest->command; command != NULL && word != NULL && *word != NULL; word++)
        if (json_array_append_new(command, json_string(*word))) {
            json_decref(command);
            command = NULL;
        }
    return command;
}

static int compare_paths(const void *a, const void *b)
{
    return strcmp(((const struct opl_manifest_file *)a)->path,
                  ((const struct opl_manifest_file *)b)->path);
}

bool opl_manifest_write(struct opl_manifest *manifest, struct opl_buf *out, struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *root = NULL;
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = OPL_BUF_INIT(OPL_MANIFEST_MAX);
    OPL_CLEANUP(opl_manifest_close) struct opl_manifest read = {0};

    if (manifest->file_count > 1)
        qsort(manifest->files, manifest->file_count, sizeof *manifest->files, compare_paths);
    root = json_pack("{s:o,s:o,s:s,s:s,s:i}", "command", command_json(manifest), "files",
                     files_json(manifest, file_json), "target", manifest->target, "type",
                     "opledger/manifest", "v", 1);
    /* what cannot be read back must not be signed: the reader's rules hold for the writer */
    if (!opl_json_canonical(root, &text, err) ||
        !opl_manifest_parse(opl_buf_text(&text), text.len, &read, err))
        return false;
    opl_buf_add(out, opl_buf_text(&text), text.len);
    return opl_buf_ok(out, err);
}

bool opl_manifest_base(const struct opl_manifest *manifest, struct opl_hash *out,
                       struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *base = files_json(manifest, base_json);

    return opl_json_hash(base, out, err);
}

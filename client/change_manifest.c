/* SPDX-License-Identifier: Apache-2.0 */
#include "change_manifest.h"

#include "blobs.h"
#include "client.h"
#include "fields.h"
#include "secrets.h"
#include "staged.h"

static void drop_files(struct opl_manifest *manifest)
{
    for (size_t i = 0; i < manifest->file_count; i++)
        free(manifest->files[i].path);
    free(manifest->files);
    manifest->files = NULL;
    manifest->file_count = 0;
}

static void drop_command(struct opl_manifest *manifest)
{
    for (size_t i = 0; manifest->command != NULL && manifest->command[i] != NULL; i++)
        free(manifest->command[i]);
    free(manifest->command);
    manifest->command = NULL;
}

bool change_manifest_build(struct client *client, struct opl_manifest *out, struct opl_buf *bytes,
                           struct opl_err *err)
{
    if (args_count(&client->args, "file") > 0) {
        drop_files(out);
        if (!staged_files(client, out, err))
            return false;
    }
    if (client->args.rest != NULL || out->command == NULL) {
        drop_command(out);
        if (!staged_command(client, out, err))
            return false;
    }
    bytes->max = OPL_MANIFEST_MAX;
    return opl_manifest_write(out, bytes, err) && opl_buf_ok(bytes, err);
}

/* The secret rules look at both sides before anything is uploaded. */
static bool store_files(struct client *client, const struct opl_manifest *manifest,
                        struct opl_err *err)
{
    return args_count(&client->args, "file") == 0 ||
           (secrets_absent(client, manifest, err) && staged_upload(client, manifest, err));
}

bool change_manifest_store(struct client *client, const struct opl_manifest *manifest,
                           const struct opl_buf *bytes, json_t *body, struct opl_err *err)
{
    struct opl_hash sha256;
    char digest[OPL_DIGEST_SIZE];

    if (!store_files(client, manifest, err) ||
        !blobs_put_bytes(client, bytes->data, bytes->len, &sha256, err))
        return false;
    opl_hash_digest(&sha256, digest);
    return fields_set_take(body, "manifest", json_string(digest), err) &&
           fields_set_take(body, "files", json_integer((json_int_t)manifest->file_count), err);
}

bool change_manifest_fetch(struct client *client, const char *digest, struct opl_manifest *out,
                           struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = OPL_BUF_INIT(OPL_MANIFEST_MAX);
    struct opl_hash sha256;

    return opl_hash_from_digest(digest, &sha256, err) && blobs_get(client, &sha256, &text, err) &&
           opl_manifest_parse(opl_buf_text(&text), text.len, out, err);
}

static void add_side(struct opl_buf *line, const struct opl_file_side *side)
{
    char hex[OPL_HEX_SIZE];

    opl_hash_hex(&side->sha256, hex);
    if (side->present)
        opl_buf_fmt(line, "%.12s %s %s", hex, side->mode, side->owner);
    else
        opl_buf_str(line, "absent");
}

static void print_file(struct client *client, const struct opl_manifest_file *file)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf line = {0};

    opl_buf_str(&line, "  file ");
    output_recorded(&line, file->path, strlen(file->path), OUTPUT_INLINE);
    opl_buf_str(&line, ": ");
    add_side(&line, &file->base);
    opl_buf_str(&line, " -> ");
    add_side(&line, &file->next);
    opl_buf_chr(&line, '\n');
    output_text(&client->out, &line);
}

void change_manifest_print(struct client *client, const struct opl_manifest *manifest)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf line = {0};

    output_labelled(&client->out, "target", manifest->target);
    for (size_t i = 0; i < manifest->file_count; i++)
        print_file(client, &manifest->files[i]);
    opl_buf_str(&line, "  command: ");
    if (manifest->command == NULL || manifest->command[0] == NULL)
        opl_buf_str(&line, "none");
    else
        output_command(&line, manifest->command);
    opl_buf_chr(&line, '\n');
    output_text(&client->out, &line);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "scene.h"

#include <opledger/encode.h>
#include <opledger/json.h>
#include <opledger/sshkey.h>
#include <opledger/time.h>

bool scene_open(struct scene *scene, struct opl_err *err)
{
    *scene = (struct scene){.world = opl_world_new(NULL), .now = SCENE_START};
    return scene->world || opl_fail(err, OPL_E_NOMEM, "no memory for a world");
}

void scene_close(struct scene *scene)
{
    opl_world_free(scene->world);
    *scene = (struct scene){0};
}

/* The subject's newest entry, which the next one names. */
static bool add_subject(struct scene *scene, json_t *root, const char *on, struct opl_err *err)
{
    const struct opl_fold *fold;

    if (!on)
        return true;
    if (!opl_world_find(scene->world, on, &fold, err))
        return false;
    if (!fold)
        return opl_fail(err, OPL_E_NOT_FOUND, "nothing in the scene is %s", on);
    json_object_set_new(root, "on", json_string(on));
    json_object_set_new(root, "prev", json_integer((json_int_t)fold->last_seq));
    return true;
}

static void add_id(struct scene *scene, json_t *root, const struct opl_kind *kind)
{
    scene->last_id[0] = '\0';
    if (kind->creates == OPL_ID_NONE)
        return;
    opl_id_format(kind->creates, ++scene->numbers[kind->creates], scene->last_id);
    json_object_set_new(root, "id", json_string(scene->last_id));
}

static bool append(struct scene *scene, const json_t *root, struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf bytes = {0};
    OPL_CLEANUP(opl_entry_close) struct opl_entry entry = {0};

    if (!opl_json_canonical(root, &bytes, err) ||
        !opl_entry_parse(bytes.data, bytes.len, scene->size, &entry, err) ||
        !opl_world_apply(scene->world, &entry, err))
        return false;
    scene->size++;
    scene->now += OPL_SECOND;
    return true;
}

bool scene_add(struct scene *scene, const char *actor, const char *kind, const char *on,
               json_t *body_take, struct opl_err *err)
{
    const struct opl_kind *row = opl_kind_find(kind);
    char at[OPL_TIME_SIZE];
    OPL_CLEANUP(opl_json_freep) json_t *root = NULL;

    opl_time_format(scene->now, at);
    root = json_pack("{s:s, s:s, s:o, s:s, s:i}", "actor", actor, "at", at, "body", body_take,
                     "kind", kind, "v", 1);
    if (!root || !row)
        return opl_fail(err, OPL_E_INTERNAL, "%s cannot stand in a scene", kind);
    add_id(scene, root, row);
    return add_subject(scene, root, on, err) && append(scene, root, err);
}

/* Bodies are written with ' for " so that C sources stay readable. */
static void expand(const char *body, struct opl_buf *out)
{
    for (; *body != '\0'; body++) {
        if (*body == '\'')
            opl_buf_chr(out, '"');
        else if (*body == '$')
            opl_buf_str(out, *++body == '1' ? SCENE_EVIDENCE : SCENE_OTHER_EVIDENCE);
        else
            opl_buf_chr(out, *body);
    }
}

bool scene_tell(struct scene *scene, const char *actor, const char *kind, const char *on,
                const char *body, struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};
    json_t *parsed;

    expand(body, &text);
    parsed = opl_json_parse(opl_buf_text(&text), text.len, err);
    return parsed && scene_add(scene, actor, kind, on, parsed, err);
}

bool scene_adopt(struct scene *scene, const char *what, const char *name, const char *text,
                 size_t len, struct opl_err *err)
{
    struct opl_hash sha256;
    char digest[OPL_DIGEST_SIZE];

    opl_sha256(text, len, &sha256);
    opl_hash_hex(&sha256, digest);
    return opl_world_add_document(scene->world, text, len, err) &&
           scene_add(scene, OPL_SELF, "policy.adopted", NULL,
                     json_pack("{s:s, s:s, s:s}", "what", what, "name", name, "sha256", digest),
                     err);
}

bool scene_manifest(struct scene *scene, const char *target, const char *path,
                    char digest[static 72], struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};
    char program[] = "scontrol", verb[] = "reconfigure";
    char *command[] = {program, verb, NULL};
    struct opl_manifest_file file = {
        .path = (char *)path,
        .next = {.present = true, .sha256 = {{1}}, .mode = "0644", .owner = "0:0"},
        .base = {.present = true, .sha256 = {{2}}, .mode = "0644", .owner = "0:0"},
        .size = 1
    };
    struct opl_manifest manifest = {.files = &file, .file_count = 1, .command = command};
    struct opl_hash sha256;

    (void)snprintf(manifest.target, sizeof manifest.target, "%s", target);
    if (!opl_manifest_write(&manifest, &text, err))
        return false;
    opl_sha256(text.data, text.len, &sha256);
    opl_hash_digest(&sha256, digest);
    return opl_world_add_document(scene->world, text.data, text.len, err);
}

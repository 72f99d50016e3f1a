/* SPDX-License-Identifier: Apache-2.0 */
#include "story.h"

#include <stdarg.h>

static void die(const char *what, const struct opl_err *err)
{
    (void)fprintf(stderr, "story: %s: %s: %s (%s)\n", what, opl_code_slug(err->code), err->text,
                  err->field);
    abort();
}

static bool is_in(const json_t *set, const char *key)
{
    return json_object_get(set, key) != NULL;
}

static bool has_blob(void *ctx, const struct opl_hash *sha256, bool *yes, struct opl_err *err)
{
    const struct story *story = ctx;
    char hex[OPL_HEX_SIZE];

    (void)err;
    opl_hash_hex(sha256, hex);
    *yes = is_in(story->blobs, hex);
    return true;
}

/* Blobs have the size that the story gave them; without one, any. */
static bool blob_is(void *ctx, const struct opl_hash *sha256, uint64_t size, bool *yes,
                    struct opl_err *err)
{
    const struct story *story = ctx;
    const json_t *known;
    char hex[OPL_HEX_SIZE];

    (void)err;
    opl_hash_hex(sha256, hex);
    known = json_object_get(story->blobs, hex);
    *yes = !json_is_integer(known) || (uint64_t)json_integer_value(known) == size;
    return true;
}

static bool nonce_used(void *ctx, const char *nonce, bool *yes, struct opl_err *err)
{
    const struct story *story = ctx;

    (void)err;
    *yes = is_in(story->nonces, nonce);
    return true;
}

/* Any root will do, as long as it is the same one for a size. */
static void root_of(uint64_t size, struct opl_hash *root)
{
    char text[48];

    (void)snprintf(text, sizeof text, "root %llu", (unsigned long long)size);
    opl_sha256(text, strlen(text), root);
}

static bool on_history(void *ctx, const struct opl_head *head, bool *yes, struct opl_err *err)
{
    const struct story *story = ctx;
    struct opl_hash root;

    (void)err;
    root_of(head->size, &root);
    *yes = strcmp(head->origin, STORY_ORIGIN) == 0 && head->size <= story->seq &&
           opl_hash_equal(&root, &head->root);
    return true;
}

static bool clean_output(void *ctx, const struct opl_hash *sha256, struct opl_err *err)
{
    const struct story *story = ctx;

    (void)sha256;
    return !story->unclean || opl_fail(err, OPL_E_INVALID, "secret.password at byte 12");
}

struct story *story_new(void)
{
    struct story *story = calloc(1, sizeof *story);

    if (story == NULL || !opl_crypto_init(NULL))
        abort();
    story->world = opl_world_new(NULL);
    story->env =
        (struct opl_admit_env){story, has_blob, blob_is, nonce_used, on_history, clean_output};
    story->now = STORY_START;
    story->entries = json_array();
    story->blobs = json_object();
    story->nonces = json_object();
    return story;
}

void story_free(struct story *story)
{
    if (story == NULL)
        return;
    opl_world_free(story->world);
    opl_admission_close(&story->admission);
    json_decref(story->entries);
    json_decref(story->blobs);
    json_decref(story->nonces);
    free(story);
}

void story_freep(struct story **story)
{
    story_free(*story);
    *story = NULL;
}

json_t *story_body(const char *fmt, ...)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};
    struct opl_err err = {0};
    json_t *body;
    va_list args;

    va_start(args, fmt);
    opl_buf_vfmt(&text, fmt, args);
    va_end(args);
    for (size_t i = 0; i < text.len; i++) {
        if (text.data[i] == '\'')
            text.data[i] = '"';
    }
    body = opl_json_parse(opl_buf_text(&text), text.len, &err);
    if (body == NULL)
        die(opl_buf_text(&text), &err);
    return body;
}

static bool draft_of(const struct story *story, const char *kind, const char *on, json_t *body,
                     struct opl_draft *draft, struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep)
    json_t *request = json_pack("{s:s, s:o}", "kind", kind, "body", body);

    if (on != NULL)
        json_object_set_new(request, "on", json_string(on));
    return opl_draft_parse(request, story->now, draft, err);
}

static bool apply(struct story *story, const struct opl_buf *bytes, struct opl_err *err)
{
    OPL_CLEANUP(opl_entry_close) struct opl_entry entry = {0};

    return opl_buf_ok(bytes, err) &&
           opl_entry_parse(opl_buf_text(bytes), bytes->len, story->seq, &entry, err) &&
           opl_world_apply(story->world, &entry, err);
}

static bool finish(struct story *story, const char *actor, const struct opl_draft *draft,
                   int64_t prev, struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf bytes = {0};
    enum opl_prefix creates = draft->kind->creates;
    char id[OPL_ID_SIZE] = "";
    struct opl_place place = {actor, NULL, prev, story->now};

    if (creates != OPL_ID_NONE) {
        opl_id_format(creates, story->numbers[creates] + 1, id);
        place.id = id;
    }
    if (!opl_draft_finish(draft, &place, &bytes, err) || !apply(story, &bytes, err))
        return false;
    if (creates != OPL_ID_NONE)
        story->numbers[creates]++;
    memcpy(story->last_id, id, sizeof id);
    json_array_append_new(story->entries, json_stringn(bytes.data, bytes.len));
    story->seq++;
    story->now += OPL_SECOND;
    return true;
}

bool story_try(struct story *story, const char *actor, const char *kind, const char *on,
               json_t *body, struct opl_err *err)
{
    OPL_CLEANUP(opl_draft_close) struct opl_draft draft = {0};
    const struct opl_writer writer = {actor, story->scope};

    if (!draft_of(story, kind, on, body, &draft, err))
        return false;
    opl_admission_close(&story->admission);
    if (!opl_admit(story->world, &story->env, &writer, &draft, story->seq, story->now,
                   &story->admission, err))
        return false;
    if (story->admission.nonce[0] != '\0')
        json_object_set_new(story->nonces, story->admission.nonce, json_true());
    return finish(story, actor, &draft, story->admission.prev, err);
}

uint64_t story_write(struct story *story, const char *actor, const char *kind, const char *on,
                     json_t *body)
{
    struct opl_err err = {0};

    if (!story_try(story, actor, kind, on, body, &err))
        die(kind, &err);
    return story->seq - 1;
}

uint64_t story_force(struct story *story, const char *actor, const char *kind, const char *on,
                     json_t *body)
{
    OPL_CLEANUP(opl_draft_close) struct opl_draft draft = {0};
    const struct opl_fold *fold = NULL;
    struct opl_err err = {0};

    if (!draft_of(story, kind, on, body, &draft, &err) ||
        (on != NULL && !opl_world_find(story->world, on, &fold, &err)) ||
        !finish(story, actor, &draft, fold == NULL ? -1 : (int64_t)fold->last_seq, &err))
        die(kind, &err);
    return story->seq - 1;
}

const char *story_blob(struct story *story, const char *text)
{
    static char digests[8][OPL_DIGEST_SIZE];
    static size_t next;
    char *digest = digests[next++ % 8];
    struct opl_hash sha256;
    struct opl_err err = {0};

    opl_sha256(text, strlen(text), &sha256);
    opl_hash_digest(&sha256, digest);
    json_object_set_new(story->blobs, digest + strlen("sha256:"), json_true());
    if (!opl_world_add_document(story->world, text, strlen(text), &err))
        die("document", &err);
    return digest;
}

bool story_head(const struct story *story, uint64_t size, struct opl_head *head)
{
    *head = (struct opl_head){.origin = STORY_ORIGIN, .size = size};
    root_of(size, &head->root);
    return size <= story->seq;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "fake_ledger.h"

#include <opledger/gate.h>
#include <opledger/merkle_tree.h>
#include <opledger/tile.h>
#include <opledger/time.h>

#include "fake_ledger_reply.h"

/* ---- the tree ---- */

static const char *entry_bytes(const struct fake_ledger *ledger, uint64_t seq)
{
    if (ledger->fault == FAULT_REWRITTEN && seq == 0)
        return "{\"rewritten\":true}";
    return json_string_value(json_array_get(ledger->story->entries, seq));
}

uint64_t fake_size(const struct fake_ledger *ledger)
{
    return ledger->fault == FAULT_SHRUNK ? ledger->story->seq / 2 : ledger->story->seq;
}

static bool node(void *ctx, unsigned level, uint64_t index, struct opl_hash *out,
                 struct opl_err *err)
{
    struct opl_hash left, right;
    const char *bytes;

    if (level == 0) {
        bytes = entry_bytes(ctx, index);
        opl_leaf_hash(bytes, strlen(bytes), out);
        return true;
    }
    if (!node(ctx, level - 1, 2 * index, &left, err) ||
        !node(ctx, level - 1, 2 * index + 1, &right, err))
        return false;
    opl_node_hash(&left, &right, out);
    return true;
}

struct opl_tree fake_tree(struct fake_ledger *ledger)
{
    return (struct opl_tree){.node = node, .ctx = ledger};
}

void fake_head(struct fake_ledger *ledger, struct opl_head *head)
{
    struct opl_tree tree = fake_tree(ledger);

    *head = (struct opl_head){.origin = STORY_ORIGIN, .size = fake_size(ledger)};
    if (!opl_tree_root(&tree, head->size, &head->root, NULL))
        abort();
}

/* ---- the key ---- */

static void log_seed(const struct fake_ledger *ledger, struct opl_sign_seed *seed)
{
    memset(seed, ledger->fault == FAULT_KEY ? 9 : 7, sizeof(*seed));
}

void fake_note(struct fake_ledger *ledger, struct opl_buf *out)
{
    struct opl_sign_seed seed;
    struct opl_head head;

    log_seed(ledger, &seed);
    fake_head(ledger, &head);
    if (!opl_checkpoint_sign(&head, &seed, out, NULL))
        abort();
    if (ledger->fault == FAULT_NOTE) /* inside the root */
        out->data[strlen(STORY_ORIGIN) + 8] ^= 1;
}

static void reply_keys(struct fake_ledger *ledger, struct canned_reply *reply)
{
    struct opl_sign_public key;
    struct opl_sign_seed seed;
    char text[OPL_VKEY_SIZE];
    struct opl_vkey vkey;

    log_seed(ledger, &seed);
    opl_sign_public_from_seed(&seed, &key);
    if (!opl_vkey_make(STORY_ORIGIN, OPL_NOTE_ED25519, &key, &vkey, NULL))
        abort();
    opl_vkey_format(&vkey, text);
    fake_json(reply, 200, json_pack("{s:s, s:s}", "origin", STORY_ORIGIN, "log_key", text));
}

/* ---- plain routes ---- */

static void reply_checkpoint(struct fake_ledger *ledger, struct canned_reply *reply)
{
    reply->media = "text/plain";
    fake_note(ledger, &reply->body);
}

static void reply_tile(struct fake_ledger *ledger, const char *path, struct canned_reply *reply)
{
    struct opl_hash hash;
    struct opl_tile tile;

    if (!opl_tile_parse(path + 1, &tile, NULL)) {
        fake_problem(reply, OPL_E_NOT_FOUND, "no such tile");
        return;
    }
    reply->media = "application/octet-stream";
    for (unsigned i = 0; i < tile.width; i++) {
        if (!node(ledger, 8 * tile.level, tile.index * OPL_TILE_WIDTH + i, &hash, NULL))
            abort();
        opl_buf_add(&reply->body, &hash, sizeof(hash));
    }
}

/* What the story itself stored, such as its policies. */
static const char *story_document(struct fake_ledger *ledger, const char *hex)
{
    const char *text = NULL;
    struct opl_hash sha256;
    size_t len;

    if (!opl_hash_from_hex(hex, &sha256, NULL) ||
        !opl_world_document(ledger->story->world, &sha256, &text, &len, NULL))
        return NULL;
    return text;
}

static void reply_blob(struct fake_ledger *ledger, const struct canned_request *request,
                       struct canned_reply *reply)
{
    const char *hex = strrchr(request->path, '/') + 1;
    const char *text = json_string_value(json_object_get(ledger->blobs, hex));

    if (strcmp(request->method, "PUT") == 0) {
        json_object_set_new(ledger->blobs, hex, json_stringn(request->body, request->body_len));
        json_object_set_new(ledger->story->blobs, hex, json_true());
        if (!opl_world_add_document(ledger->story->world, request->body, request->body_len, NULL))
            abort();
        fake_json(reply, 201, json_object());
    } else if (text == NULL && (text = story_document(ledger, hex)) == NULL) {
        fake_problem(reply, OPL_E_NOT_FOUND, "no such blob");
    } else {
        reply->media = "application/octet-stream";
        opl_buf_str(&reply->body, text);
    }
}

static void reply_whoami(struct fake_ledger *ledger, struct canned_reply *reply)
{
    fake_json(reply, 200,
              json_pack("{s:s, s:s, s:[s], s:[s], s:s}", "name", ledger->actor, "class", "person",
                        "roles", "recorder", "scope", "recorder", "expires",
                        "9999-12-31T00:00:00.000000Z"));
}

/* ---- dispatch ---- */

static bool begins(const char *path, const char *with)
{
    return strncmp(path, with, strlen(with)) == 0;
}

static void route(struct fake_ledger *ledger, const struct canned_request *request,
                  struct canned_reply *reply)
{
    bool post = strcmp(request->method, "POST") == 0;
    const char *path = request->path;

    if (strcmp(path, "/v1/keys") == 0)
        reply_keys(ledger, reply);
    else if (strcmp(path, "/checkpoint") == 0)
        reply_checkpoint(ledger, reply);
    else if (begins(path, "/tile/"))
        reply_tile(ledger, path, reply);
    else if (begins(path, "/v1/blobs/"))
        reply_blob(ledger, request, reply);
    else if (strcmp(path, "/healthz") == 0)
        fake_json(reply, 200, json_pack("{s:s}", "status", "ok"));
    else if (strcmp(path, "/v1/whoami") == 0)
        reply_whoami(ledger, reply);
    else if (begins(path, "/v1/entries") && post)
        fake_reply_append(ledger, request, reply);
    else if (begins(path, "/v1/entries"))
        fake_reply_entries(ledger, path, reply);
    else if (post && begins(path, "/v1/changes/"))
        fake_reply_gate(ledger, request, reply);
    else
        fake_reply_subject(ledger, path, reply);
}

static void handle(void *ctx, const struct canned_request *request, struct canned_reply *reply)
{
    struct fake_ledger *ledger = ctx;

    (void)snprintf(ledger->last_path, sizeof(ledger->last_path), "%.511s", request->path);
    ledger->story->now = opl_time_now();
    reply->date = ledger->server_date;
    reply->silent = ledger->fault == FAULT_HANG_UP;
    if (!reply->silent)
        route(ledger, request, reply);
}

struct fake_ledger *fake_ledger_start(struct story *story)
{
    struct fake_ledger *ledger = calloc(1, sizeof(*ledger));

    if (ledger == NULL)
        abort();
    ledger->story = story;
    ledger->actor = "alice";
    ledger->texts = json_object();
    ledger->blobs = json_object();
    ledger->server = canned_start(handle, ledger);
    return ledger;
}

void fake_ledger_stop(struct fake_ledger *ledger)
{
    canned_stop(ledger->server);
    json_decref(ledger->texts);
    json_decref(ledger->blobs);
    story_free(ledger->story);
    free(ledger);
}

void fake_ledger_add_blob(struct fake_ledger *ledger, const char *text,
                          char digest[static OPL_DIGEST_SIZE])
{
    (void)snprintf(digest, OPL_DIGEST_SIZE, "%s", story_blob(ledger->story, text));
    json_object_set_new(ledger->blobs, digest + strlen("sha256:"), json_string(text));
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Small documents by digest: manifests, policies, models. What a source gives is hashed again. */
#include "world_private.h"

#include <opledger/encode.h>

#define SLOTS 256

static struct opl_document **slot_of(struct opl_world *world, const struct opl_hash *sha256)
{
    if (world->documents == NULL) {
        world->documents = calloc(SLOTS, sizeof(void *));
        if (world->documents == NULL)
            return NULL;
        world->document_slots = SLOTS;
    }
    return &world->documents[sha256->b[0] % SLOTS];
}

static struct opl_document *held(struct opl_document *first, const struct opl_hash *sha256)
{
    while (first != NULL && !opl_hash_equal(&first->sha256, sha256))
        first = first->next;
    return first;
}

static void free_document(struct opl_document *document)
{
    free(document->text);
    free(document);
}

/* Keeps a copy of the bytes, followed by a NUL. */
static struct opl_document *copy(const char *text, size_t len)
{
    struct opl_document *document = calloc(1, sizeof *document);

    if (document == NULL)
        return NULL;
    document->text = malloc(len + 1);
    if (document->text == NULL) {
        free(document);
        return NULL;
    }
    if (len > 0)
        memcpy(document->text, text, len);
    document->text[len] = '\0';
    document->len = len;
    opl_sha256(text, len, &document->sha256);
    return document;
}

static bool add(struct opl_world *world, const char *text, size_t len, struct opl_err *err)
{
    struct opl_document *document = copy(text, len), **slot;

    if (document == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for a document of %zu bytes", len);
    slot = slot_of(world, &document->sha256);
    if (slot == NULL || held(*slot, &document->sha256) != NULL) {
        free_document(document);
        return slot != NULL || opl_fail(err, OPL_E_NOMEM, "no memory for documents");
    }
    document->next = *slot;
    *slot = document;
    world->document_count++;
    return true;
}

bool opl_world_add_document(struct opl_world *world, const char *text, size_t len,
                            struct opl_err *err)
{
    return add(world, text, len, err);
}

static bool load(struct opl_world *world, const struct opl_hash *sha256, struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf bytes = {0};
    struct opl_hash found_sha256;
    char hex[OPL_HEX_SIZE];
    bool found = false;

    if (!world->source.document(world->source.ctx, sha256, &bytes, &found, err))
        return false;
    if (!found)
        return true;
    if (!opl_buf_ok(&bytes, err))
        return false;
    opl_sha256(opl_buf_text(&bytes), bytes.len, &found_sha256);
    if (!opl_hash_equal(&found_sha256, sha256)) {
        opl_hash_hex(sha256, hex);
        return opl_fail(err, OPL_E_LOG, "the bytes stored as %s are others", hex);
    }
    return add(world, opl_buf_text(&bytes), bytes.len, err);
}

bool opl_world_document(struct opl_world *world, const struct opl_hash *sha256, const char **text,
                        size_t *len, struct opl_err *err)
{
    struct opl_document **slot = slot_of(world, sha256), *document;

    *text = NULL;
    *len = 0;
    if (slot == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for documents");
    document = held(*slot, sha256);
    if (document == NULL && world->source.document != NULL) {
        if (!load(world, sha256, err))
            return false;
        document = held(*slot, sha256);
    }
    if (document != NULL) {
        *text = document->text;
        *len = document->len;
    }
    return true;
}

void opl_world_forget_documents(struct opl_world *world)
{
    for (size_t i = 0; i < world->document_slots; i++) {
        for (struct opl_document *document = world->documents[i], *next; document != NULL;
             document = next) {
            next = document->next;
            free_document(document);
        }
        world->documents[i] = NULL;
    }
    world->document_count = 0;
}

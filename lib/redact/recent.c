/* SPDX-License-Identifier: Apache-2.0 */
#include "recent.h"

#define RECENT_SLOTS ((size_t)1024)
#define SPACE_MAX 8

struct slot {
    uint8_t kind_known; /* kind + 1; 0: free */
    uint8_t len;
    char space[SPACE_MAX];
    char value[RECENT_VALUE];
    char token[TOKEN_MAX];
};

struct recent {
    const struct opl_key *key;
    struct slot *slots;
};

struct recent *recent_new(const struct opl_key *key, struct opl_err *err)
{
    struct recent *recent = calloc(1, sizeof(*recent));

    if (recent)
        recent->slots = opl_secret_alloc(RECENT_SLOTS * sizeof(*recent->slots));
    if (!recent || !recent->slots) {
        opl_fail(err, OPL_E_NOMEM, "no memory for tokens");
        recent_free(recent);
        return NULL;
    }
    memset(recent->slots, 0, RECENT_SLOTS * sizeof(*recent->slots));
    recent->key = key;
    return recent;
}

void recent_free(struct recent *recent)
{
    if (!recent)
        return;
    opl_secret_free(recent->slots);
    free(recent);
}

static struct slot *slot_of(const struct recent *recent, enum token_kind kind, const char *value,
                            size_t len)
{
    uint32_t hash = 2166136261u + (uint32_t)kind;

    for (size_t i = 0; i < len; i++)
        hash = (hash ^ (unsigned char)value[i]) * 16777619u;
    return &recent->slots[(hash ^ hash >> 16) % RECENT_SLOTS];
}

static bool holds(const struct slot *slot, const struct slot *wanted)
{
    return slot->kind_known == wanted->kind_known && slot->len == wanted->len &&
           memcmp(slot->value, wanted->value, wanted->len) == 0 &&
           memcmp(slot->space, wanted->space, SPACE_MAX) == 0;
}

void recent_token(struct recent *recent, enum token_kind kind, const char *space, const void *value,
                  size_t len, char out[static TOKEN_MAX])
{
    struct slot wanted = {.kind_known = (uint8_t)(kind + 1), .len = (uint8_t)len};
    size_t space_len = strlen(space);
    struct slot *slot;

    if (len > RECENT_VALUE || space_len > SPACE_MAX) {
        token_make(recent->key, kind, space, value, len, out);
        return;
    }
    memcpy(wanted.space, space, space_len);
    memcpy(wanted.value, value, len);
    slot = slot_of(recent, kind, wanted.value, len);
    if (!holds(slot, &wanted)) {
        token_make(recent->key, kind, space, value, len, wanted.token);
        *slot = wanted;
    }
    memcpy(out, slot->token, TOKEN_MAX);
    opl_wipe(&wanted, sizeof(wanted));
}

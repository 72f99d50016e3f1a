/* SPDX-License-Identifier: Apache-2.0 */
#include "vault.h"

#include <ctype.h>

#include <opledger/encode.h>

#define SLOTS ((size_t)VAULT_MAX * 2)

bool vault_open(struct vault *vault, struct opl_err *err)
{
    vault->list = opl_secret_alloc(VAULT_MAX * sizeof(*vault->list));
    vault->slots = calloc(SLOTS, sizeof(*vault->slots));
    return (vault->list && vault->slots) ||
           opl_fail(err, OPL_E_NOMEM, "no memory to keep secrets in");
}

void vault_close(struct vault *vault)
{
    opl_secret_free(vault->list);
    free(vault->slots);
    memset(vault, 0, sizeof(*vault));
}

static bool is_weak(const char *value, size_t len)
{
    bool seen[256] = {false};
    size_t distinct = 0;

    for (size_t i = 0; i < len; i++) {
        distinct += !seen[(unsigned char)value[i]];
        seen[(unsigned char)value[i]] = true;
    }
    return len < VAULT_SHORTEST || distinct < 5 || word_is_ordinary(value, len) ||
           memmem(value, len, "-----BEGIN", 10) == value;
}

void vault_add(struct vault *vault, const char *value, size_t len)
{
    uint32_t hash = 2166136261u;
    size_t kept = len < VAULT_VALUE ? len : VAULT_VALUE;
    struct vault_value *next = &vault->list[vault->count];

    if (is_weak(value, kept)) {
        vault->weak++;
        return;
    }
    for (size_t i = 0; i < kept; i++)
        hash = (hash ^ (unsigned char)value[i]) * 16777619u;
    for (size_t slot = hash % SLOTS; vault->count < VAULT_MAX; slot = (slot + 1) % SLOTS) {
        const struct vault_value *known = &vault->list[vault->slots[slot] - 1];

        if (!vault->slots[slot]) {
            next->len = (unsigned char)kept;
            memcpy(next->bytes, value, kept);
            vault->slots[slot] = (uint32_t)++vault->count;
            return;
        }
        if (known->len == kept && memcmp(known->bytes, value, kept) == 0)
            return;
    }
    vault->weak++; /* full */
}

/* The literals while they are gathered; `bytes` owns what `list` points to by offset. */
struct literals {
    struct opl_buf bytes;
    struct anchor *list;
    size_t *offsets;
    size_t count, size;
};

static void literals_close(struct literals *literals)
{
    opl_buf_wipe(&literals->bytes);
    free(literals->list);
    free(literals->offsets);
}

static void add_literal(struct literals *literals, const char *text, size_t len, bool caseless)
{
    if (len < 6 || literals->count == literals->size)
        return;
    literals->offsets[literals->count] = literals->bytes.len;
    literals->list[literals->count] =
        (struct anchor){.len = len, .caseless = caseless, .id = (unsigned)len};
    literals->count++;
    opl_buf_add(&literals->bytes, text, len);
}

/* base64 of the value wherever it stands in what was encoded: less what depends on neighbours. */
static void add_base64(struct literals *literals, const char *value, size_t len)
{
    char padded[VAULT_VALUE + 4] = {0}, text[OPL_BASE64_SIZE(VAULT_VALUE + 4)];

    for (size_t shift = 0; shift < 3; shift++) {
        size_t all = len + shift;
        size_t first = shift == 0 ? 0 : shift + 1, end = all / 3 * 4 + (all % 3 ? all % 3 : 0);

        memcpy(padded + shift, value, len);
        opl_base64_encode(padded, all, text);
        if (end > first)
            add_literal(literals, text + first, end - first, false);
    }
    opl_wipe(padded, sizeof(padded));
    opl_wipe(text, sizeof(text));
}

static void add_percent(struct literals *literals, const char *value, size_t len)
{
    char text[3 * VAULT_VALUE + 1];
    size_t out = 0;

    for (size_t i = 0; i < len; i++) {
        if (isalnum((unsigned char)value[i]) || strchr("-_.~", value[i])) {
            text[out++] = value[i];
            continue;
        }
        snprintf(text + out, 4, "%%%02X", (unsigned char)value[i]);
        out += 3;
    }
    if (out != len)
        add_literal(literals, text, out, true);
    opl_wipe(text, sizeof(text));
}

static void add_encodings(struct literals *literals, const char *value, size_t len)
{
    char hex[2 * VAULT_VALUE + 1];

    len = len < VAULT_VALUE ? len : VAULT_VALUE;
    opl_hex_encode(value, len, hex);
    add_literal(literals, hex, 2 * len, true);
    add_base64(literals, value, len);
    add_percent(literals, value, len);
    opl_wipe(hex, sizeof(hex));
}

static bool literals_open(struct literals *literals, size_t values, struct opl_err *err)
{
    literals->size = values * 6 + 1;
    literals->list = calloc(literals->size, sizeof(*literals->list));
    literals->offsets = calloc(literals->size, sizeof(*literals->offsets));
    return (literals->list && literals->offsets) ||
           opl_fail(err, OPL_E_NOMEM, "no memory to search with");
}

bool vault_compile(const struct vault *vault, const struct names *names, struct anchors **out,
                   struct opl_err *err)
{
    OPL_CLEANUP(literals_close) struct literals literals = {0};

    *out = NULL;
    if (!literals_open(&literals, vault->count + names->count, err))
        return false;
    for (size_t i = 0; i < vault->count; i++) {
        const struct vault_value *value = &vault->list[i];

        add_literal(&literals, value->bytes, value->len, false);
        add_encodings(&literals, value->bytes, value->len);
    }
    for (size_t i = 0; i < names->count; i++)
        if (names->list[i].kind == NAME_USER && names->list[i].len >= 5)
            add_encodings(&literals, names->list[i].text, names->list[i].len);
    if (!opl_buf_ok(&literals.bytes, err))
        return false;
    for (size_t i = 0; i < literals.count; i++)
        literals.list[i].text = literals.bytes.data + literals.offsets[i];
    if (literals.count)
        *out = anchors_new(literals.list, literals.count, err);
    return *out || literals.count == 0;
}

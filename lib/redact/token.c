/* SPDX-License-Identifier: Apache-2.0 */
#include "token.h"

static const char letters[] = "bcdfghjklmnpqrstvwxz";

static const struct {
    const char *name;
    size_t len;
} kinds[TOKEN_KINDS] = {
    [TOKEN_SECRET] = {"secret",  6},
      [TOKEN_PAYLOAD] = {"payload", 7},
      [TOKEN_TEXT] = {"text",    4},
    [TOKEN_USER] = {"user",    4},
      [TOKEN_UID] = {"uid",     3},
      [TOKEN_GROUP] = {"group",   5},
    [TOKEN_HOST] = {"host",    4},
      [TOKEN_DOMAIN] = {"domain",  6},
      [TOKEN_NET] = {"net",     3},
    [TOKEN_IP] = {"ip",      2},
      [TOKEN_HW] = {"hw",      2},
      [TOKEN_ID] = {"ident",   5},
    [TOKEN_SITE] = {"site",    4},
};

const char *token_kind_name(enum token_kind kind)
{
    return kinds[kind].name;
}

static void check_letters(const char *body, char out[2])
{
    unsigned sum = 7;

    for (size_t i = 0; i < TOKEN_LETTERS - 2; i++)
        sum = sum * 31 + (unsigned char)body[i];
    out[0] = letters[sum / 20 % 20];
    out[1] = letters[sum % 20];
}

void token_make(const struct opl_key *key, enum token_kind kind, const char *space,
                const void *value, size_t len, char out[static TOKEN_MAX])
{
    size_t prefix = kinds[kind].len;
    uint8_t tag[64] = {0};
    uint8_t hash[16];

    /* hashed twice, so that neither the space nor the value needs a delimiter */
    opl_keyed_hash(key, value, len, tag, 32);
    memcpy(tag + 32, space, strnlen(space, 32));
    opl_keyed_hash(key, tag, sizeof(tag), hash, sizeof(hash));
    memcpy(out, kinds[kind].name, prefix);
    out[prefix++] = '_';
    for (size_t i = 0; i < TOKEN_LETTERS - 2; i++)
        out[prefix + i] = letters[hash[i] % 20];
    check_letters(out + prefix, out + prefix + TOKEN_LETTERS - 2);
    out[prefix + TOKEN_LETTERS] = 0;
}

static bool is_body(const char *text)
{
    char check[2];

    for (size_t i = 0; i < TOKEN_LETTERS; i++)
        if (!memchr(letters, text[i], sizeof(letters) - 1))
            return false;
    check_letters(text, check);
    return memcmp(check, text + TOKEN_LETTERS - 2, 2) == 0;
}

/* A token's `_` stands among its first bytes: what lacks it is none, as nearly all text. */
static bool may_be_token(const char *text, size_t len)
{
    return len > TOKEN_LETTERS + 2 && memchr(text, '_', 8);
}

size_t token_at(const char *text, size_t len)
{
    if (!may_be_token(text, len))
        return 0;
    for (size_t kind = 0; kind < TOKEN_KINDS; kind++) {
        size_t prefix = kinds[kind].len;

        if (len >= prefix + 1 + TOKEN_LETTERS && text[prefix] == '_' &&
            memcmp(text, kinds[kind].name, prefix) == 0 && is_body(text + prefix + 1))
            return prefix + 1 + TOKEN_LETTERS;
    }
    return 0;
}

bool token_only(const char *text, size_t len)
{
    static const char between[] = "0123456789-_.,:@/[]";
    bool any = false;
    size_t at = 0;

    while (at < len) {
        size_t width = token_at(text + at, len - at);

        if (width == 0 && !memchr(between, text[at], sizeof(between) - 1))
            return false;
        any |= width > 0;
        at += width ? width : 1;
    }
    return any;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "pseudonym.h"

#include <arpa/inet.h>
#include <ctype.h>

#define LOWER_MAX 256

static bool is_secret(enum token_kind kind)
{
    return kind == TOKEN_SECRET || kind == TOKEN_PAYLOAD || kind == TOKEN_TEXT;
}

static void remember(struct pseudonyms *pseudonyms, const char *token, const char *value,
                     size_t len)
{
    json_t *text;

    if (!pseudonyms->map || json_object_size(pseudonyms->map) >= MAP_MAX ||
        json_object_get(pseudonyms->map, token))
        return;
    text = json_stringn(value, len);
    if (text)
        json_object_set_new(pseudonyms->map, token, text);
}

static void add_token(struct pseudonyms *pseudonyms, enum token_kind kind, const char *space,
                      const char *value, size_t len, struct opl_buf *out)
{
    char token[TOKEN_MAX];

    recent_token(pseudonyms->recent, kind, space, value, len, token);
    opl_buf_str(out, token);
    if (!is_secret(kind))
        remember(pseudonyms, token, value, len);
}

/* Hosts and domains are one name in any case. */
static void add_lower(struct pseudonyms *pseudonyms, enum token_kind kind, const char *space,
                      const char *value, size_t len, struct opl_buf *out)
{
    char lower[LOWER_MAX];

    len = len < sizeof(lower) ? len : sizeof(lower);
    for (size_t i = 0; i < len; i++)
        lower[i] = (char)tolower((unsigned char)value[i]);
    add_token(pseudonyms, kind, space, lower, len, out);
}

/* A uid goes by its user's name where that is known, so that both have the same letters. */
static void write_uid(struct pseudonyms *pseudonyms, const char *value, size_t len,
                      struct opl_buf *out)
{
    char text[12] = "", token[TOKEN_MAX];
    const struct name *user;

    memcpy(text, value, len < sizeof(text) ? len : sizeof(text) - 1);
    user = names_user(pseudonyms->names, (uint32_t)strtoul(text, NULL, 10));
    if (!user) {
        add_token(pseudonyms, TOKEN_UID, "uid", value, len, out);
        return;
    }
    recent_token(pseudonyms->recent, TOKEN_UID, "user", user->text, user->len, token);
    opl_buf_str(out, token);
    remember(pseudonyms, token, value, len);
}

static bool is_part_byte(char c)
{
    return isalpha((unsigned char)c) || c == '-' || c == '_';
}

/* Length of the letters of a host name that are one token. */
static size_t part_len(const char *value, size_t len)
{
    size_t part = 0;

    while (part < len && is_part_byte(value[part]))
        part++;
    /* separators before digits stay, as in rack1-3 */
    while (part > 1 && !isalpha((unsigned char)value[part - 1]))
        part--;
    return part;
}

static size_t write_host_part(struct pseudonyms *pseudonyms, const char *value, size_t len,
                              struct opl_buf *out)
{
    size_t token = token_at(value, len);
    size_t part = part_len(value, len);

    if (token) {
        opl_buf_add(out, value, token);
        return token;
    }
    if (part && isalpha((unsigned char)value[0])) {
        add_lower(pseudonyms, TOKEN_HOST, "host", value, part, out);
        return part;
    }
    opl_buf_chr(out,
                isdigit((unsigned char)value[0]) || strchr("[],-_:|", value[0]) ? value[0] : '_');
    return 1;
}

/* One host or hostlist element without its domain: digits, widths and ranges stay. */
static void write_host(struct pseudonyms *pseudonyms, const char *value, size_t len,
                       struct opl_buf *out)
{
    size_t at = 0;

    len -= names_domain_at_end(pseudonyms->names, value, len);
    while (at < len)
        at += write_host_part(pseudonyms, value + at, len - at, out);
}

static void write_hosts(struct pseudonyms *pseudonyms, const char *value, size_t len,
                        struct opl_buf *out)
{
    size_t start = 0;
    int depth = 0;

    for (size_t i = 0; i <= len; i++) {
        depth += i < len ? (value[i] == '[') - (value[i] == ']') : 0;
        if (i < len && (value[i] != ',' || depth > 0))
            continue;
        write_host(pseudonyms, value + start, i - start, out);
        if (i < len)
            opl_buf_chr(out, ',');
        start = i + 1;
    }
}

static void write_mail(struct pseudonyms *pseudonyms, const char *value, size_t len,
                       struct opl_buf *out)
{
    const char *at = memchr(value, '@', len);
    size_t local = at ? (size_t)(at - value) : len;

    add_token(pseudonyms, TOKEN_USER, "user", value, local, out);
    if (!at)
        return;
    opl_buf_chr(out, '@');
    add_lower(pseudonyms, TOKEN_DOMAIN, "domain", at + 1, len - local - 1, out);
}

/* Two tokens: the network that the address is in, and the address. */
static void write_address(struct pseudonyms *pseudonyms, int family, const char *value, size_t len,
                          struct opl_buf *out)
{
    char text[INET6_ADDRSTRLEN] = "";
    uint8_t bytes[16] = {0};
    size_t network = family == AF_INET ? 3 : 8, all = family == AF_INET ? 4 : 16;
    char token[TOKEN_MAX];

    memcpy(text, value, len < sizeof(text) ? len : sizeof(text) - 1);
    if (inet_pton(family, text, bytes) != 1) {
        add_token(pseudonyms, TOKEN_IP, "text", value, len, out);
        return;
    }
    recent_token(pseudonyms->recent, TOKEN_NET, family == AF_INET ? "24" : "64", bytes, network,
                 token);
    opl_buf_str(out, token);
    opl_buf_chr(out, '_');
    recent_token(pseudonyms->recent, TOKEN_IP, "ip", bytes, all, token);
    opl_buf_str(out, token);
    remember(pseudonyms, token, value, len);
}

void pseudonym_write(struct pseudonyms *pseudonyms, enum rule_as as, const char *value, size_t len,
                     struct opl_buf *out)
{
    static const struct {
        enum token_kind kind;
        const char *space;
    } plain[AS_COUNT] = {
        [AS_SECRET] = {TOKEN_SECRET,  "secret" },
        [AS_PAYLOAD] = {TOKEN_PAYLOAD, "payload"},
        [AS_TEXT] = {TOKEN_TEXT,    "text"   },
        [AS_USER] = {TOKEN_USER,    "user"   },
        [AS_GROUP] = {TOKEN_GROUP,   "group"  },
        [AS_GID] = {TOKEN_GROUP,   "gid"    },
        [AS_DOMAIN] = {TOKEN_DOMAIN,  "domain" },
        [AS_HW] = {TOKEN_HW,      "hw"     },
        [AS_ID] = {TOKEN_ID,      "id"     },
        [AS_SITE] = {TOKEN_SITE,    "site"   },
    };

    switch (as) {
    case AS_UID:
        write_uid(pseudonyms, value, len, out);
        break;
    case AS_HOST:
        write_hosts(pseudonyms, value, len, out);
        break;
    case AS_MAIL:
        write_mail(pseudonyms, value, len, out);
        break;
    case AS_IPV4:
        write_address(pseudonyms, AF_INET, value, len, out);
        break;
    case AS_IPV6:
        write_address(pseudonyms, AF_INET6, value, len, out);
        break;
    default:
        if (as == AS_DOMAIN)
            add_lower(pseudonyms, TOKEN_DOMAIN, "domain", value, len, out);
        else
            add_token(pseudonyms, plain[as].kind, plain[as].space, value, len, out);
    }
}

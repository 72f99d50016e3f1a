/* SPDX-License-Identifier: Apache-2.0 */
#include "names.h"

#include <ctype.h>
#include <strings.h>

#include "token.h"

#define NAME_LEN_MAX 253

void names_close(struct names *names)
{
    for (size_t i = 0; i < names->count; i++)
        free(names->list[i].text);
    free(names->list);
    free(names->slots);
    memset(names, 0, sizeof(*names));
}

static uint32_t hash_of(enum name_kind kind, const char *text, size_t len)
{
    uint32_t hash = 2166136261u + (uint32_t)kind;

    for (size_t i = 0; i < len; i++)
        hash = (hash ^ (uint32_t)tolower((unsigned char)text[i])) * 16777619u;
    return hash;
}

/* Users differ by case, hosts and domains do not. */
static bool same(const struct name *name, enum name_kind kind, const char *text, size_t len)
{
    if (name->kind != kind || name->len != len)
        return false;
    return kind == NAME_USER ? memcmp(name->text, text, len) == 0
                             : strncasecmp(name->text, text, len) == 0;
}

/* The slot of a name, or the free one where it would go. */
static size_t slot_of(const struct names *names, enum name_kind kind, const char *text, size_t len)
{
    size_t slot = hash_of(kind, text, len) % names->slot_count;

    while (names->slots[slot] && !same(&names->list[names->slots[slot] - 1], kind, text, len))
        slot = (slot + 1) % names->slot_count;
    return slot;
}

static struct name *find(const struct names *names, enum name_kind kind, const char *text,
                         size_t len)
{
    size_t slot;

    if (names->slot_count == 0)
        return NULL;
    slot = slot_of(names, kind, text, len);
    return names->slots[slot] ? &names->list[names->slots[slot] - 1] : NULL;
}

static bool grow(struct names *names)
{
    size_t size = names->size ? names->size * 2 : 256;
    struct name *list = realloc(names->list, size * sizeof(*list));
    uint32_t *slots = calloc(size * 2, sizeof(*slots));

    if (list)
        names->list = list;
    if (!list || !slots || size > NAMES_MAX * 2) {
        free(slots);
        names->failed = true;
        return false;
    }
    free(names->slots);
    names->slots = slots;
    names->slot_count = size * 2;
    names->size = size;
    for (size_t i = 0; i < names->count; i++)
        names->slots[slot_of(names, list[i].kind, list[i].text, list[i].len)] = (uint32_t)i + 1;
    return true;
}

static struct name *add(struct names *names, enum name_kind kind, const char *text, size_t len)
{
    struct name *known = find(names, kind, text, len);
    struct name name = {.kind = kind, .len = len};

    if (known)
        return known;
    if (names->count == names->size && !grow(names))
        return NULL;
    name.text = strndup(text, len);
    if (!name.text || names->count == NAMES_MAX) {
        free(name.text);
        names->failed = true;
        return NULL;
    }
    names->slots[slot_of(names, kind, text, len)] = (uint32_t)names->count + 1;
    names->list[names->count] = name;
    return &names->list[names->count++];
}

static bool is_weak(struct names *names, const char *text, size_t len)
{
    if (!word_is_ordinary(text, len))
        return false;
    names->weak++;
    return true;
}

void names_add_user(struct names *names, const char *text, size_t len, uint32_t uid)
{
    struct name *name;

    if (len == 0 || len > NAME_LEN_MAX || token_at(text, len) || memchr(text, 0, len) ||
        is_weak(names, text, len))
        return;
    name = add(names, NAME_USER, text, len);
    if (name && uid)
        name->uid = uid;
}

static bool is_label_byte(char c)
{
    return isalnum((unsigned char)c) || c == '-' || c == '_';
}

/* Up to its first digit or range a host name says which family of hosts it is. */
static void add_host(struct names *names, const char *text, size_t len)
{
    size_t alpha = 0;
    struct name *name;
    bool digits;

    while (alpha < len && is_label_byte(text[alpha]) && !isdigit((unsigned char)text[alpha]))
        alpha++;
    digits = alpha < len && (isdigit((unsigned char)text[alpha]) || text[alpha] == '[');
    if (alpha == 0 || token_at(text, len) || is_weak(names, text, alpha))
        return;
    name = add(names, NAME_HOST, text, alpha);
    if (name)
        name->digits = digits && (name->digits || names->list + names->count - 1 == name);
}

static bool is_address(const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (!isdigit((unsigned char)text[i]) && text[i] != '.' && text[i] != ':')
            return false;
    return true;
}

void names_add_hosts(struct names *names, const char *text, size_t len, bool fqdn)
{
    size_t start = 0;
    int depth = 0;

    for (size_t i = 0; i <= len; i++) {
        const char *dot;
        size_t host;

        depth += i < len ? (text[i] == '[') - (text[i] == ']') : 0;
        if (i < len && (text[i] != ',' || depth > 0))
            continue;
        dot = memchr(text + start, '.', i - start);
        host = dot ? (size_t)(dot - text) : i;
        if (i > start && !is_address(text + start, i - start)) {
            add_host(names, text + start, host - start);
            if (dot && fqdn)
                names_add_domain(names, dot + 1, i - host - 1);
        }
        start = i + 1;
    }
}

void names_add_domain(struct names *names, const char *text, size_t len)
{
    while (len > 0 && text[len - 1] == '.')
        len--;
    if (len < 4 || len > NAME_LEN_MAX || !memchr(text, '.', len) || is_address(text, len))
        return;
    for (size_t i = 0; i < len; i++)
        if (!is_label_byte(text[i]) && text[i] != '.')
            return;
    add(names, NAME_DOMAIN, text, len);
}

const struct name *names_user(const struct names *names, uint32_t uid)
{
    for (size_t i = 0; uid && i < names->count; i++)
        if (names->list[i].kind == NAME_USER && names->list[i].uid == uid)
            return &names->list[i];
    return NULL;
}

size_t names_domain_at_end(const struct names *names, const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (text[i] == '.' && find(names, NAME_DOMAIN, text + i + 1, len - i - 1))
            return len - i;
    return 0;
}

bool names_compile(const struct names *names, struct anchors **out, struct opl_err *err)
{
    struct anchor *list = calloc(names->count + 1, sizeof(*list));

    *out = NULL;
    if (!list)
        return opl_fail(err, OPL_E_NOMEM, "no memory for learned names");
    for (size_t i = 0; i < names->count; i++)
        list[i] = (struct anchor){.text = names->list[i].text,
                                  .len = names->list[i].len,
                                  .caseless = names->list[i].kind != NAME_USER,
                                  .id = (unsigned)i};
    if (names->count)
        *out = anchors_new(list, names->count, err);
    free(list);
    return *out || names->count == 0;
}

/* Past the digits, ranges and further parts of a host name that begins at `from`. */
static size_t host_end(const char *text, size_t len, size_t from)
{
    size_t at = from;

    while (at < len) {
        const char *close = text[at] == '[' ? memchr(text + at, ']', len - at) : NULL;

        if (close)
            at = (size_t)(close - text) + 1;
        else if (is_label_byte(text[at]))
            at++;
        else
            break;
    }
    return at;
}

static size_t domain_end(const struct names *names, const char *text, size_t len, size_t at)
{
    size_t end = at;

    while (end < len && (is_label_byte(text[end]) || text[end] == '.'))
        end++;
    while (end > at && text[end - 1] == '.')
        end--;
    if (end > at + 1 && text[at] == '.' && find(names, NAME_DOMAIN, text + at + 1, end - at - 1))
        return end;
    return at;
}

static bool is_word_byte(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static bool place_host(const struct names *names, const struct name *name, const char *text,
                       size_t len, struct name_place *out)
{
    size_t after = out->to;
    bool more = after < len && (isdigit((unsigned char)text[after]) || text[after] == '[');

    if (out->from > 0 && is_word_byte(text[out->from - 1]))
        return false;
    if (name->digits && !more)
        return false;
    if (!more && after < len && is_word_byte(text[after]))
        return false;
    out->to = host_end(text, len, after);
    out->to = domain_end(names, text, len, out->to);
    return true;
}

static bool place_domain(const char *text, size_t len, struct name_place *out)
{
    size_t from = out->from;

    if (out->to < len &&
        (is_label_byte(text[out->to]) ||
         (text[out->to] == '.' && out->to + 1 < len && is_label_byte(text[out->to + 1]))))
        return false;
    out->bare = from == 0 || text[from - 1] != '.';
    if (out->bare)
        return from == 0 || !is_label_byte(text[from - 1]);
    while (from > 0 && (is_label_byte(text[from - 1]) || text[from - 1] == '.'))
        from--;
    out->from = from;
    return true;
}

bool names_place(const struct names *names, const struct name *name, const char *text, size_t len,
                 size_t end, struct name_place *out)
{
    *out = (struct name_place){.from = end - name->len, .to = end};
    if (name->kind == NAME_HOST)
        return place_host(names, name, text, len, out);
    if (name->kind == NAME_DOMAIN)
        return place_domain(text, len, out);
    return (out->from == 0 || !is_word_byte(text[out->from - 1])) &&
           (end == len || !is_word_byte(text[end]));
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "json_read.h"

#include <opledger/json.h>
#include <opledger/name.h>

#define EVERY(byte) (0x0101010101010101ULL * (byte))
#define HIGH EVERY(0x80)
#define DIGITS_MAX 15 /* an integer of so many digits is within 2^53 - 1 */

struct reader {
    const char *at;
    const char *end;
    struct opl_buf scratch; /* a string whose escapes are undone */
};

/* A string as read: points into the text, or into the scratch buffer until the next string. */
struct span {
    const char *text;
    size_t len;
};

static json_t *read_value(struct reader *reader, int depth);

/* The high bit of each byte that is less than n (n <= 128); the byte itself must be ASCII. */
static uint64_t bytes_less(uint64_t word, uint8_t n)
{
    return (word - EVERY(n)) & ~word & HIGH;
}

/* False alarms above a first hit do no harm: what follows looks at each byte. */
static bool is_plain_word(const char *at)
{
    uint64_t word;

    memcpy(&word, at, sizeof word);
    return ((word & HIGH) | bytes_less(word, 0x20) | bytes_less(word ^ EVERY('"'), 1) |
            bytes_less(word ^ EVERY('\\'), 1)) == 0;
}

static bool is_plain_byte(char byte)
{
    return byte >= 0x20 && byte != '"' && byte != '\\';
}

size_t opl_json_plain_run(const char *at, size_t len)
{
    size_t i = 0;

    while (len - i >= sizeof(uint64_t) && is_plain_word(at + i))
        i += sizeof(uint64_t);
    while (i < len && is_plain_byte(at[i]))
        i++;
    return i;
}

static bool next_is(struct reader *reader, char byte)
{
    if (reader->at == reader->end || *reader->at != byte)
        return false;
    reader->at++;
    return true;
}

static void skip_space(struct reader *reader)
{
    while (reader->at < reader->end && (*reader->at == ' ' || *reader->at == '\n' ||
                                        *reader->at == '\t' || *reader->at == '\r'))
        reader->at++;
}

/* Four hexadecimal digits; 0 when they are none. */
static uint32_t read_hex4(struct reader *reader)
{
    uint32_t point = 0;

    if (reader->end - reader->at < 4)
        return 0;
    for (int i = 0; i < 4; i++) {
        char digit = *reader->at++;

        if (digit >= '0' && digit <= '9')
            point = point << 4 | (uint32_t)(digit - '0');
        else if ((digit | 0x20) >= 'a' && (digit | 0x20) <= 'f')
            point = point << 4 | (uint32_t)((digit | 0x20) - 'a' + 10);
        else
            return 0;
    }
    return point;
}

/* Characters up to U+FFFF; surrogates and NUL are left to jansson. */
static bool undo_hex_escape(struct reader *reader)
{
    uint32_t point = read_hex4(reader);

    if (point == 0 || (point >= 0xd800 && point <= 0xdfff))
        return false;
    if (point < 0x80) {
        opl_buf_chr(&reader->scratch, (char)point);
        return true;
    }
    if (point < 0x800) {
        opl_buf_chr(&reader->scratch, (char)(0xc0 | point >> 6));
    } else {
        opl_buf_chr(&reader->scratch, (char)(0xe0 | point >> 12));
        opl_buf_chr(&reader->scratch, (char)(0x80 | (point >> 6 & 0x3f)));
    }
    opl_buf_chr(&reader->scratch, (char)(0x80 | (point & 0x3f)));
    return true;
}

static bool undo_escape(struct reader *reader)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    const char *found;

    if (reader->at == reader->end)
        return false;
    if (*reader->at == 'u') {
        reader->at++;
        return undo_hex_escape(reader);
    }
    found = memchr(from, *reader->at++, sizeof from - 1);
    if (found == NULL)
        return false;
    opl_buf_chr(&reader->scratch, to[found - from]);
    return true;
}

/* The rest of a string in which the first escape is next. */
static bool read_escaped(struct reader *reader, const char *start, struct span *out)
{
    opl_buf_reset(&reader->scratch);
    opl_buf_add(&reader->scratch, start, (size_t)(reader->at - start));
    while (!next_is(reader, '"')) {
        size_t run = opl_json_plain_run(reader->at, (size_t)(reader->end - reader->at));

        opl_buf_add(&reader->scratch, reader->at, run);
        reader->at += run;
        if (next_is(reader, '\\')) {
            if (!undo_escape(reader))
                return false;
        } else if (reader->at < reader->end && (unsigned char)*reader->at >= 0x80) {
            opl_buf_chr(&reader->scratch, *reader->at++);
        } else if (reader->at == reader->end || *reader->at != '"') {
            return false;
        }
    }
    *out = (struct span){opl_buf_text(&reader->scratch), reader->scratch.len};
    return !reader->scratch.failed && opl_is_utf8(out->text, out->len);
}

/* A string whose opening quote has been read. */
static bool read_string(struct reader *reader, struct span *out)
{
    const char *start = reader->at;
    bool ascii = true;

    for (;;) {
        reader->at += opl_json_plain_run(reader->at, (size_t)(reader->end - reader->at));
        if (reader->at == reader->end)
            return false;
        if ((unsigned char)*reader->at < 0x80)
            break;
        ascii = false;
        reader->at++;
    }
    if (*reader->at == '\\')
        return read_escaped(reader, start, out);
    *out = (struct span){start, (size_t)(reader->at - start)};
    return next_is(reader, '"') && (ascii || opl_is_utf8(out->text, out->len));
}

static json_t *read_number(struct reader *reader)
{
    bool negative = next_is(reader, '-');
    const char *start = reader->at;
    json_int_t value = 0;

    while (reader->at < reader->end && *reader->at >= '0' && *reader->at <= '9' &&
           reader->at - start <= DIGITS_MAX)
        value = value * 10 + (*reader->at++ - '0');
    if (reader->at == start || reader->at - start > DIGITS_MAX ||
        (*start == '0' && reader->at - start > 1))
        return NULL;
    if (reader->at < reader->end && memchr(".eE", *reader->at, 3) != NULL)
        return NULL;
    return json_integer(negative ? -value : value);
}

static bool read_word(struct reader *reader, const char *word)
{
    size_t len = strlen(word);

    if ((size_t)(reader->end - reader->at) < len || memcmp(reader->at, word, len) != 0)
        return false;
    reader->at += len;
    return true;
}

/* One item and what follows it; *more says whether that is a comma. */
static bool read_item(struct reader *reader, json_t *array, int depth, bool *more)
{
    json_t *value = read_value(reader, depth);

    if (value == NULL || json_array_append_new(array, value) != 0)
        return false;
    skip_space(reader);
    *more = next_is(reader, ',');
    return *more || next_is(reader, ']');
}

static bool read_items(struct reader *reader, json_t *array, int depth)
{
    bool more = true;

    skip_space(reader);
    if (next_is(reader, ']'))
        return true;
    while (more)
        if (!read_item(reader, array, depth, &more))
            return false;
    return true;
}

/* Keys with escapes are left to jansson, so that a key always lies in the text. */
static bool read_key(struct reader *reader, struct span *key)
{
    skip_space(reader);
    if (!next_is(reader, '"') || !read_string(reader, key) ||
        key->text + key->len != reader->at - 1)
        return false;
    skip_space(reader);
    return next_is(reader, ':');
}

static bool read_member(struct reader *reader, json_t *object, int depth, bool *more)
{
    size_t before = json_object_size(object);
    struct span key;
    json_t *value;

    if (!read_key(reader, &key))
        return false;
    value = read_value(reader, depth);
    if (value == NULL || json_object_setn_new_nocheck(object, key.text, key.len, value) != 0 ||
        json_object_size(object) == before)
        return false;
    skip_space(reader);
    *more = next_is(reader, ',');
    return *more || next_is(reader, '}');
}

static bool read_members(struct reader *reader, json_t *object, int depth)
{
    bool more = true;

    skip_space(reader);
    if (next_is(reader, '}'))
        return true;
    while (more)
        if (!read_member(reader, object, depth, &more))
            return false;
    return true;
}

static json_t *read_container(struct reader *reader, int depth)
{
    bool list = next_is(reader, '[');
    OPL_CLEANUP(opl_json_freep) json_t *value = NULL;

    if (!list && !next_is(reader, '{'))
        return NULL;
    if (depth >= OPL_JSON_DEPTH)
        return NULL;
    value = list ? json_array() : json_object();
    if (value == NULL ||
        !(list ? read_items(reader, value, depth + 1) : read_members(reader, value, depth + 1)))
        return NULL;
    return json_incref(value);
}

static json_t *read_value(struct reader *reader, int depth)
{
    struct span string;

    skip_space(reader);
    if (next_is(reader, '"'))
        return read_string(reader, &string) ? json_stringn_nocheck(string.text, string.len) : NULL;
    if (reader->at < reader->end &&
        (*reader->at == '-' || (*reader->at >= '0' && *reader->at <= '9')))
        return read_number(reader);
    if (read_word(reader, "true"))
        return json_true();
    if (read_word(reader, "false"))
        return json_false();
    if (read_word(reader, "null"))
        return json_null();
    return read_container(reader, depth);
}

json_t *opl_json_read(const char *text, size_t len)
{
    struct reader reader = {.at = text, .end = len > 0 ? text + len : text};
    OPL_CLEANUP(opl_json_freep) json_t *root = NULL;

    if (len == 0)
        return NULL;
    skip_space(&reader);
    root = read_container(&reader, 0);
    opl_buf_close(&reader.scratch);
    skip_space(&reader);
    return root != NULL && reader.at == reader.end ? json_incref(root) : NULL;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The JSON Canonicalization Scheme, RFC 8785, for documents whose numbers are integers.
 *
 * Keys sort by UTF-16 code units (section 3.2.3). Over UTF-8 that is the order of bytes, except
 * that characters beyond U+FFFF (lead bytes F0 to F4; surrogates D800 to DFFF in UTF-16) come
 * before U+E000 to U+FFFF (lead bytes EE and EF).
 */
#include <opledger/json.h>

#include "json_read.h"

struct member {
    const char *key;
    const json_t *value;
};

static bool write_value(const json_t *value, int depth, struct opl_buf *out, struct opl_err *err);

static int key_compare(const char *a, const char *b)
{
    const uint8_t *x = (const uint8_t *)a, *y = (const uint8_t *)b;

    while (*x != '\0' && *x == *y) {
        x++;
        y++;
    }
    if (*x >= 0xee && *y >= 0xee && (*x >= 0xf0) != (*y >= 0xf0))
        return *x >= 0xf0 ? -1 : 1;
    return (int)*x - (int)*y;
}

static int member_compare(const void *a, const void *b)
{
    return key_compare(((const struct member *)a)->key, ((const struct member *)b)->key);
}

/* The two-character escapes of section 3.2.2.2; 0 for the others. */
static char short_escape(char byte)
{
    static const char from[] = "\b\t\n\f\r\"\\", to[] = "btnfr\"\\";
    const char *at = byte != '\0' ? strchr(from, byte) : NULL;

    return (char)(at != NULL ? to[at - from] : 0);
}

static void write_escape(char byte, struct opl_buf *out)
{
    char escape = short_escape(byte);

    if (escape != 0)
        opl_buf_add(out, (const char[]){'\\', escape}, 2);
    else
        opl_buf_fmt(out, "\\u%04x", (unsigned)(unsigned char)byte);
}

/* Bytes of UTF-8 beyond ASCII stand for themselves, as plain ones do. */
static size_t literal_run(const char *text, size_t len)
{
    size_t run = opl_json_plain_run(text, len);

    while (run < len && (unsigned char)text[run] >= 0x80) {
        run++;
        run += opl_json_plain_run(text + run, len - run);
    }
    return run;
}

static void write_string(const char *text, size_t len, struct opl_buf *out)
{
    opl_buf_chr(out, '"');
    for (;;) {
        size_t run = literal_run(text, len);

        opl_buf_add(out, text, run);
        if (run == len)
            break;
        write_escape(text[run], out);
        text += run + 1;
        len -= run + 1;
    }
    opl_buf_chr(out, '"');
}

static bool write_integer(json_int_t value, struct opl_buf *out, struct opl_err *err)
{
    if (value > OPL_JSON_INT_MAX || value < -OPL_JSON_INT_MAX)
        return opl_fail(err, OPL_E_MALFORMED, "an integer beyond 2^53 - 1 has no canonical form");
    opl_buf_fmt(out, "%" JSON_INTEGER_FORMAT, value);
    return true;
}

static bool write_array(const json_t *array, int depth, struct opl_buf *out, struct opl_err *err)
{
    opl_buf_chr(out, '[');
    for (size_t i = 0; i < json_array_size(array); i++) {
        if (i > 0)
            opl_buf_chr(out, ',');
        if (!write_value(json_array_get(array, i), depth, out, err))
            return false;
    }
    opl_buf_chr(out, ']');
    return true;
}

static bool write_members(const struct member *members, size_t count, int depth,
                          struct opl_buf *out, struct opl_err *err)
{
    opl_buf_chr(out, '{');
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            opl_buf_chr(out, ',');
        write_string(members[i].key, strlen(members[i].key), out);
        opl_buf_chr(out, ':');
        if (!write_value(members[i].value, depth, out, err))
            return false;
    }
    opl_buf_chr(out, '}');
    return true;
}

static bool write_object(json_t *object, int depth, struct opl_buf *out, struct opl_err *err)
{
    size_t count = json_object_size(object), i = 0;
    struct member few[32], *members = few;
    const char *key;
    json_t *value;
    bool ok;

    if (count > sizeof few / sizeof *few)
        members = malloc(count * sizeof *members);
    if (members == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for %zu keys", count);
    json_object_foreach(object, key, value) members[i++] = (struct member){key, value};
    qsort(members, count, sizeof *members, member_compare);
    ok = write_members(members, count, depth, out, err);
    if (members != few)
        free(members);
    return ok;
}

static bool write_container(const json_t *value, int depth, struct opl_buf *out,
                            struct opl_err *err)
{
    if (depth >= OPL_JSON_DEPTH)
        return opl_fail(err, OPL_E_MALFORMED, "nested deeper than %d levels", OPL_JSON_DEPTH);
    return json_is_array(value) ? write_array(value, depth + 1, out, err)
                                : write_object((json_t *)value, depth + 1, out, err);
}

static bool write_value(const json_t *value, int depth, struct opl_buf *out, struct opl_err *err)
{
    switch (json_typeof(value)) {
    case JSON_OBJECT:
    case JSON_ARRAY:
        return write_container(value, depth, out, err);
    case JSON_STRING:
        write_string(json_string_value(value), json_string_length(value), out);
        return true;
    case JSON_INTEGER:
        return write_integer(json_integer_value(value), out, err);
    case JSON_REAL:
        return opl_fail(err, OPL_E_MALFORMED, "numbers are integers; a float has no place here");
    case JSON_TRUE:
        opl_buf_str(out, "true");
        return true;
    case JSON_FALSE:
        opl_buf_str(out, "false");
        return true;
    case JSON_NULL:
        break;
    }
    opl_buf_str(out, "null");
    return true;
}

bool opl_json_canonical(const json_t *value, struct opl_buf *out, struct opl_err *err)
{
    if (value == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no JSON value: it could not be built");
    return write_value(value, 0, out, err) && opl_buf_ok(out, err);
}

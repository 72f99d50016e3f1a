/* SPDX-License-Identifier: Apache-2.0 */
#include "binary.h"

#include <opledger/utf8.h>

#define MAGIC(text, kind, hint)                                                                    \
    {                                                                                              \
        text, sizeof(text) - 1, kind, hint                                                         \
    }
#define CONVERT "iconv -f UTF-16 -t UTF-8 FILE | opledger redact"
#define UNPACK "unpack it first: opledger redact reads text"

static const struct magic {
    const char *text;
    size_t len;
    const char *kind, *hint;
} magics[] = {
    MAGIC("\x1f\x8b", "gzip", "zcat FILE | opledger redact"),
    MAGIC("\x28\xb5\x2f\xfd", "zstd", "zstdcat FILE | opledger redact"),
    MAGIC("\xfd\x37zXZ", "xz", "xzcat FILE | opledger redact"),
    MAGIC("BZh", "bzip2", "bzcat FILE | opledger redact"), /* with what follows: is_magic */
    MAGIC("PK\x03\x04", "a zip archive", UNPACK),
    MAGIC("PK\x05\x06", "a zip archive", UNPACK),
    MAGIC("\x04\x22\x4d\x18", "lz4", UNPACK),
    MAGIC("7z\xbc\xaf\x27\x1c", "a 7z archive", UNPACK),
    MAGIC("\x7f"
          "ELF",
          "an ELF file", UNPACK),
    MAGIC("%PDF-", "a PDF", UNPACK),
    MAGIC("SQLite format 3", "an SQLite database", UNPACK),
    MAGIC("\xff\xfe", "UTF-16", CONVERT),
    MAGIC("\xfe\xff", "UTF-16", CONVERT),
};

/* `BZh` may begin a word. */
static bool is_magic(const struct magic *magic, const char *bytes, size_t len)
{
    return len >= magic->len && memcmp(bytes, magic->text, magic->len) == 0 &&
           (magic->text[0] != 'B' || (len >= 10 && memcmp(bytes + 4, "1AY&SY", 6) == 0));
}

static bool is_control(unsigned char byte)
{
    return (byte < 0x20 && (byte < '\b' || byte > '\r') && byte != 0x1b) || byte == 0x7f;
}

static bool is_plain(const char *bytes, size_t len)
{
    bool odd = false;

    for (size_t i = 0; i < len; i++) {
        unsigned char byte = (unsigned char)bytes[i];

        odd |= byte >= 0x7f || (byte < 0x20 && (byte < '\b' || byte > '\r'));
    }
    return !odd;
}

/*
 * A NUL between texts ends one, as in /proc/PID/environ: it counts only beside another odd byte,
 * or when there are as many of them as in UTF-16.
 */
bool binary_is(const char *bytes, size_t len)
{
    size_t odd = 0, zeros = 0;
    bool after_odd = false;

    for (size_t at = 0; at < len;) {
        uint32_t point;
        size_t width = opl_utf8_next(bytes + at, len - at, &point);
        bool is_odd = width == 0 || is_control((unsigned char)bytes[at]);
        bool zero = bytes[at] == 0;

        zeros += zero;
        odd += is_odd && (!zero || after_odd);
        after_odd = is_odd;
        at += width ? width : 1;
    }
    return odd * 8 > len || zeros * 3 > len;
}

static bool is_wide(const char *bytes, size_t len)
{
    size_t zeros[2] = {0, 0}, pairs = len / 2;

    for (size_t i = 0; i < pairs * 2; i++)
        zeros[i % 2] += bytes[i] == 0;
    return pairs > 8 && (zeros[0] * 2 > pairs) != (zeros[1] * 2 > pairs);
}

static const struct magic *find(const char *bytes, size_t len)
{
    static const struct magic wide = MAGIC("", "UTF-16", CONVERT),
                              other = MAGIC("", "binary data", UNPACK);

    for (size_t i = 0; i < sizeof(magics) / sizeof(magics[0]); i++)
        if (is_magic(&magics[i], bytes, len))
            return &magics[i];
    if (is_plain(bytes, len) || !binary_is(bytes, len))
        return NULL;
    return is_wide(bytes, len) ? &wide : &other;
}

const char *binary_kind(const char *bytes, size_t len)
{
    const struct magic *magic = find(bytes, len);

    return magic ? magic->kind : NULL;
}

bool binary_refuse(const char *bytes, size_t len, struct opl_err *err)
{
    const struct magic *magic = find(bytes, len);

    if (!magic)
        return true;
    opl_fail(err, OPL_E_WRONG_STATE, "the input is %s, not text: no rule can read it", magic->kind);
    return opl_hint(err, "%s", magic->hint);
}

static size_t line_end(const char *bytes, size_t from, size_t len)
{
    const char *newline = memchr(bytes + from, '\n', len - from);

    return newline ? (size_t)(newline - bytes) : len;
}

bool binary_next(const char *bytes, size_t len, size_t *from, size_t *to)
{
    if (*from >= len || is_plain(bytes + *from, len - *from))
        return false;
    for (*to = line_end(bytes, *from, len); *from < len; *to = line_end(bytes, *from, len)) {
        if (binary_is(bytes + *from, *to - *from))
            return true;
        *from = *to < len ? *to + 1 : len;
    }
    return false;
}

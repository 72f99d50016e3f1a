/* SPDX-License-Identifier: Apache-2.0 */
#include <opledger/encode.h>

#define DIGEST_PREFIX "sha256:"

static const char hex_digits[] = "0123456789abcdef";
static const char base64_digits[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void opl_hex_encode(const void *bytes, size_t len, char *out)
{
    const uint8_t *in = bytes;

    for (size_t i = 0; i < len; i++) {
        out[2 * i] = hex_digits[in[i] >> 4];
        out[2 * i + 1] = hex_digits[in[i] & 15];
    }
    out[2 * len] = '\0';
}

static int hex_value(char digit)
{
    if (digit >= '0' && digit <= '9')
        return digit - '0';
    return digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
}

bool opl_hex_decode(const char *text, void *out, size_t len, struct opl_err *err)
{
    uint8_t *to = out;

    if (strlen(text) != 2 * len)
        return opl_fail(err, OPL_E_MALFORMED, "%zu hexadecimal digits wanted, %zu characters given",
                        2 * len, strlen(text));
    for (size_t i = 0; i < 2 * len; i++) {
        if (hex_value(text[i]) < 0)
            return opl_fail(err, OPL_E_MALFORMED,
                            "character %zu is no lower-case hexadecimal digit", i + 1);
    }
    for (size_t i = 0; i < len; i++)
        to[i] = (uint8_t)(hex_value(text[2 * i]) << 4 | hex_value(text[2 * i + 1]));
    return true;
}

void opl_base64_encode(const void *bytes, size_t len, char *out)
{
    const uint8_t *in = bytes;

    for (; len >= 3; in += 3, len -= 3, out += 4) {
        out[0] = base64_digits[in[0] >> 2];
        out[1] = base64_digits[(in[0] & 3) << 4 | in[1] >> 4];
        out[2] = base64_digits[(in[1] & 15) << 2 | in[2] >> 6];
        out[3] = base64_digits[in[2] & 63];
    }
    if (len > 0) {
        uint8_t second = len == 2 ? in[1] : 0;

        *out++ = base64_digits[in[0] >> 2];
        *out++ = base64_digits[(in[0] & 3) << 4 | second >> 4];
        *out++ = (char)(len == 2 ? base64_digits[(second & 15) << 2] : '=');
        *out++ = '=';
    }
    *out = '\0';
}

void opl_buf_base64(struct opl_buf *buf, const void *bytes, size_t len)
{
    char *room = opl_buf_reserve(buf, OPL_BASE64_SIZE(len) - 1);

    if (room == NULL)
        return;
    opl_base64_encode(bytes, len, room);
    buf->len += OPL_BASE64_SIZE(len) - 1;
}

static int base64_value(char digit)
{
    if (digit >= 'A' && digit <= 'Z')
        return digit - 'A';
    if (digit >= 'a' && digit <= 'z')
        return digit - 'a' + 26;
    if (digit >= '0' && digit <= '9')
        return digit - '0' + 52;
    if (digit == '+')
        return 62;
    return digit == '/' ? 63 : -1;
}

/* Four digits, of which the last `pad` stand for "="; the 24 bits, or -1. */
static int32_t quad_value(const char *text, size_t pad)
{
    int32_t bits = 0;

    for (size_t i = 0; i < 4; i++) {
        int value = i < 4 - pad ? base64_value(text[i]) : 0;

        if (value < 0)
            return -1;
        bits = bits << 6 | value;
    }
    if ((pad == 1 && (bits & 0xff) != 0) || (pad == 2 && (bits & 0xffff) != 0))
        return -1; /* set bits that belong to no byte: a second spelling of the same bytes */
    return bits;
}

static size_t padding(const char *text, size_t len)
{
    if (len < 4 || text[len - 1] != '=')
        return 0;
    return text[len - 2] == '=' ? 2 : 1;
}

bool opl_base64_decode(const char *text, size_t text_len, void *out, size_t max, size_t *len,
                       struct opl_err *err)
{
    size_t pad = padding(text, text_len), size = text_len / 4 * 3 - pad;
    uint8_t *to = out;

    if (text_len % 4 != 0)
        return opl_fail(err, OPL_E_MALFORMED, "base64 of %zu characters is not padded", text_len);
    if (size > max)
        return opl_fail(err, OPL_E_MALFORMED, "base64 holds %zu bytes, more than %zu", size, max);
    for (size_t i = 0; i < text_len; i += 4) {
        size_t cut = i + 4 == text_len ? pad : 0;
        int32_t bits = quad_value(text + i, cut);

        if (bits < 0)
            return opl_fail(err, OPL_E_MALFORMED, "not base64 at character %zu", i + 1);
        for (size_t k = 0; k < 3 - cut; k++)
            *to++ = (uint8_t)(bits >> (16 - 8 * k));
    }
    *len = size;
    return true;
}

void opl_hash_hex(const struct opl_hash *hash, char out[static OPL_HEX_SIZE])
{
    opl_hex_encode(hash->b, sizeof hash->b, out);
}

void opl_hash_digest(const struct opl_hash *hash, char out[static OPL_DIGEST_SIZE])
{
    memcpy(out, DIGEST_PREFIX, sizeof DIGEST_PREFIX);
    opl_hex_encode(hash->b, sizeof hash->b, out + sizeof DIGEST_PREFIX - 1);
}

bool opl_hash_from_hex(const char *text, struct opl_hash *out, struct opl_err *err)
{
    return opl_hex_decode(text, out->b, sizeof out->b, err);
}

bool opl_hash_from_digest(const char *text, struct opl_hash *out, struct opl_err *err)
{
    if (strncmp(text, DIGEST_PREFIX, sizeof DIGEST_PREFIX - 1) != 0)
        return opl_fail(err, OPL_E_MALFORMED, "a digest starts with \"" DIGEST_PREFIX "\"");
    return opl_hash_from_hex(text + sizeof DIGEST_PREFIX - 1, out, err);
}

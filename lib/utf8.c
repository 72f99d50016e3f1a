/* SPDX-License-Identifier: Apache-2.0 */
#include <opledger/utf8.h>

struct lead {
    uint8_t mask, value; /* a lead byte b has b & mask == value */
    uint8_t len;
    uint32_t least; /* a smaller character in this length is overlong */
};

static const struct lead leads[] = {
    {0x80, 0x00, 1, 0      },
    {0xe0, 0xc0, 2, 0x80   },
    {0xf0, 0xe0, 3, 0x800  },
    {0xf8, 0xf0, 4, 0x10000},
};

static size_t decode(const struct lead *lead, const uint8_t *bytes, size_t len, uint32_t *point)
{
    uint32_t value = bytes[0] & (uint8_t)~lead->mask;

    if (len < lead->len)
        return 0;
    for (size_t i = 1; i < lead->len; i++) {
        if ((bytes[i] & 0xc0) != 0x80)
            return 0;
        value = value << 6 | (bytes[i] & 0x3f);
    }
    if (value < lead->least || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff))
        return 0;
    *point = value;
    return lead->len;
}

size_t opl_utf8_next(const char *text, size_t len, uint32_t *point)
{
    const uint8_t *bytes = (const uint8_t *)text;

    for (size_t i = 0; len > 0 && i < sizeof leads / sizeof *leads; i++) {
        if ((bytes[0] & leads[i].mask) == leads[i].value)
            return decode(&leads[i], bytes, len, point);
    }
    return 0;
}

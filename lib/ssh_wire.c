/* SPDX-License-Identifier: Apache-2.0 */
#include "ssh_wire.h"

bool ssh_wire_u8(struct ssh_wire *wire, uint8_t *out)
{
    if (wire->left < 1)
        return false;
    *out = *wire->at++;
    wire->left--;
    return true;
}

bool ssh_wire_u32(struct ssh_wire *wire, uint32_t *out)
{
    const uint8_t *at = wire->at;

    if (wire->left < 4)
        return false;
    *out = (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
    wire->at += 4;
    wire->left -= 4;
    return true;
}

bool ssh_wire_string(struct ssh_wire *wire, struct ssh_wire *out)
{
    uint32_t len;

    if (!ssh_wire_u32(wire, &len) || len > wire->left)
        return false;
    *out = (struct ssh_wire){wire->at, len};
    wire->at += len;
    wire->left -= len;
    return true;
}

bool ssh_wire_fixed(struct ssh_wire *wire, void *out, size_t len)
{
    struct ssh_wire string;

    if (!ssh_wire_string(wire, &string) || string.left != len)
        return false;
    memcpy(out, string.at, len);
    return true;
}

bool ssh_wire_text(struct ssh_wire *wire, char *out, size_t size)
{
    struct ssh_wire string;

    if (!ssh_wire_string(wire, &string) || string.left >= size ||
        (string.left > 0 && memchr(string.at, '\0', string.left) != NULL))
        return false;
    memcpy(out, string.at, string.left);
    out[string.left] = '\0';
    return true;
}

bool ssh_wire_is(const struct ssh_wire *string, const char *text)
{
    return string->left == strlen(text) && memcmp(string->at, text, string->left) == 0;
}

void ssh_wire_put(struct opl_buf *out, const void *bytes, size_t len)
{
    opl_buf_u32(out, (uint32_t)len);
    opl_buf_add(out, bytes, len);
}

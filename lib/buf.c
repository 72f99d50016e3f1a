/* SPDX-License-Identifier: Apache-2.0 */
#include <opledger/buf.h>

#define FIRST_SIZE 64

static size_t most(const struct opl_buf *buf)
{
    return buf->max != 0 ? buf->max : OPL_BUF_MAX;
}

static char *fail(struct opl_buf *buf, bool no_memory)
{
    buf->failed = true;
    buf->no_memory = no_memory;
    return NULL;
}

static bool grow(struct opl_buf *buf, size_t need)
{
    size_t size = buf->size != 0 ? buf->size : FIRST_SIZE;
    char *data;

    while (size < need)
        size *= 2;
    data = malloc(size);
    if (data == NULL)
        return fail(buf, true) != NULL;
    if (buf->data != NULL) {
        memcpy(data, buf->data, buf->len);
        explicit_bzero(buf->data, buf->len); /* it may hold a secret */
        free(buf->data);
    }
    data[buf->len] = '\0';
    buf->data = data;
    buf->size = size;
    return true;
}

char *opl_buf_reserve(struct opl_buf *buf, size_t len)
{
    if (buf->failed)
        return NULL;
    if (len > most(buf) || buf->len > most(buf) - len)
        return fail(buf, false);
    if (buf->len + len + 1 > buf->size && !grow(buf, buf->len + len + 1))
        return NULL;
    return buf->data + buf->len;
}

void opl_buf_add(struct opl_buf *buf, const void *bytes, size_t len)
{
    char *room = opl_buf_reserve(buf, len);

    if (room == NULL)
        return;
    if (len > 0)
        memcpy(room, bytes, len);
    buf->len += len;
    buf->data[buf->len] = '\0';
}

void opl_buf_str(struct opl_buf *buf, const char *text)
{
    opl_buf_add(buf, text, strlen(text));
}

void opl_buf_chr(struct opl_buf *buf, char byte)
{
    opl_buf_add(buf, &byte, 1);
}

void opl_buf_vfmt(struct opl_buf *buf, const char *fmt, va_list args)
{
    va_list again;
    char *room;
    int len;

    va_copy(again, args);
    len = vsnprintf(NULL, 0, fmt, again);
    va_end(again);
    if (len < 0) {
        fail(buf, false);
        return;
    }
    room = opl_buf_reserve(buf, (size_t)len);
    if (room == NULL)
        return;
    (void)vsnprintf(room, (size_t)len + 1, fmt, args);
    buf->len += (size_t)len;
}

void opl_buf_fmt(struct opl_buf *buf, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    opl_buf_vfmt(buf, fmt, args);
    va_end(args);
}

static void add_big_endian(struct opl_buf *buf, uint64_t value, size_t len)
{
    uint8_t bytes[8];

    for (size_t i = 0; i < len; i++)
        bytes[i] = (uint8_t)(value >> 8 * (len - 1 - i));
    opl_buf_add(buf, bytes, len);
}

void opl_buf_u16(struct opl_buf *buf, uint16_t value)
{
    add_big_endian(buf, value, 2);
}

void opl_buf_u32(struct opl_buf *buf, uint32_t value)
{
    add_big_endian(buf, value, 4);
}

void opl_buf_u64(struct opl_buf *buf, uint64_t value)
{
    add_big_endian(buf, value, 8);
}

void opl_buf_reset(struct opl_buf *buf)
{
    buf->len = 0;
    buf->failed = buf->no_memory = false;
    if (buf->data != NULL)
        buf->data[0] = '\0';
}

const char *opl_buf_text(const struct opl_buf *buf)
{
    return buf->data != NULL ? buf->data : "";
}

bool opl_buf_ok(const struct opl_buf *buf, struct opl_err *err)
{
    if (!buf->failed)
        return true;
    if (buf->no_memory)
        return opl_fail(err, OPL_E_NOMEM, "no memory for %zu bytes", buf->len);
    return opl_fail(err, OPL_E_TOO_LARGE, "more than %zu bytes", most(buf));
}

char *opl_buf_take(struct opl_buf *buf)
{
    char *data;

    if (opl_buf_reserve(buf, 0) == NULL) {
        opl_buf_close(buf);
        return NULL;
    }
    data = buf->data;
    *buf = (struct opl_buf){.max = buf->max};
    return data;
}

void opl_buf_close(struct opl_buf *buf)
{
    free(buf->data);
    *buf = (struct opl_buf){.max = buf->max};
}

void opl_buf_wipe(struct opl_buf *buf)
{
    if (buf->data != NULL)
        explicit_bzero(buf->data, buf->size);
    opl_buf_close(buf);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include <opledger/zstd.h>

#include <zstd.h>

bool opl_zstd_compress(const void *bytes, size_t len, int level, struct opl_buf *out,
                       struct opl_err *err)
{
    size_t bound = ZSTD_compressBound(len), done;
    char *room = opl_buf_reserve(out, bound);

    if (room == NULL)
        return opl_buf_ok(out, err);
    done = ZSTD_compress(room, bound, bytes, len, level);
    if (ZSTD_isError(done))
        return opl_fail(err, OPL_E_INTERNAL, "zstd: %s", ZSTD_getErrorName(done));
    out->len += done;
    out->data[out->len] = '\0';
    return true;
}

/* The size that the frame states; every frame of ours states it. */
static bool stated_size(const void *bytes, size_t len, size_t max, size_t *size,
                        struct opl_err *err)
{
    unsigned long long content = ZSTD_getFrameContentSize(bytes, len);

    if (content == ZSTD_CONTENTSIZE_ERROR || content == ZSTD_CONTENTSIZE_UNKNOWN ||
        ZSTD_findFrameCompressedSize(bytes, len) != len)
        return opl_fail(err, OPL_E_MALFORMED, "not one whole zstd frame that states its size");
    if (content > max)
        return opl_fail(err, OPL_E_TOO_LARGE, "unpacks to %llu bytes, more than %zu", content, max);
    *size = (size_t)content;
    return true;
}

bool opl_zstd_decompress(const void *bytes, size_t len, size_t max, struct opl_buf *out,
                         struct opl_err *err)
{
    size_t size = 0, done;
    char *room;

    if (!stated_size(bytes, len, max, &size, err))
        return false;
    room = opl_buf_reserve(out, size);
    if (room == NULL)
        return opl_buf_ok(out, err);
    done = ZSTD_decompress(room, size, bytes, len);
    if (ZSTD_isError(done) || done != size)
        return opl_fail(err, OPL_E_MALFORMED, "the zstd frame is damaged");
    out->len += size;
    out->data[out->len] = '\0';
    return true;
}

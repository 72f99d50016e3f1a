/* SPDX-License-Identifier: Apache-2.0 */
#include "redact_spool.h"

#include <errno.h>
#include <unistd.h>

#include "files.h"

bool redact_spool_open(struct redact_spool *spool, struct opl_err *err)
{
    spool->fd = file_temporary(err);
    if (spool->fd < 0)
        return false;
    spool->open = true;
    spool->tail = opl_secret_alloc(SPOOL_BLOCK);
    spool->block = opl_secret_alloc(SPOOL_BLOCK);
    opl_random(&spool->key, sizeof spool->key);
    return (spool->tail != NULL && spool->block != NULL) ||
           opl_fail(err, OPL_E_NOMEM, "no memory for a spool");
}

void redact_spool_close(struct redact_spool *spool)
{
    if (spool->open)
        close(spool->fd);
    opl_secret_free(spool->tail);
    opl_secret_free(spool->block);
    opl_wipe(spool, sizeof *spool);
}

bool redact_spool_reset(struct redact_spool *spool, struct opl_err *err)
{
    if (ftruncate(spool->fd, 0) != 0)
        return opl_fail(err, OPL_E_IO, "cannot empty the spool: %s", strerror(errno));
    opl_random(&spool->key, sizeof spool->key); /* never one keystream for two texts */
    spool->size = 0;
    spool->cached = 0;
    return true;
}

static bool write_block(struct redact_spool *spool, uint64_t number, struct opl_err *err)
{
    size_t done = 0;

    if (!opl_stream_xor(&spool->key, number, spool->tail, SPOOL_BLOCK, err))
        return false;
    while (done < SPOOL_BLOCK) {
        ssize_t put = pwrite(spool->fd, spool->tail + done, SPOOL_BLOCK - done,
                             (off_t)(number * SPOOL_BLOCK + done));

        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return opl_fail(err, errno == ENOSPC || errno == EDQUOT ? OPL_E_STORAGE : OPL_E_IO,
                            "cannot write the spool: %s", strerror(errno));
        done += (size_t)put;
    }
    return true;
}

bool redact_spool_write(struct redact_spool *spool, const void *bytes, size_t len,
                        struct opl_err *err)
{
    const uint8_t *from = bytes;

    while (len > 0) {
        size_t filled = spool->size % SPOOL_BLOCK;
        size_t part = SPOOL_BLOCK - filled < len ? SPOOL_BLOCK - filled : len;

        memcpy(spool->tail + filled, from, part);
        spool->size += part;
        from += part;
        len -= part;
        if (spool->size % SPOOL_BLOCK == 0 &&
            !write_block(spool, spool->size / SPOOL_BLOCK - 1, err))
            return false;
    }
    return true;
}

static bool read_block(struct redact_spool *spool, uint64_t number, struct opl_err *err)
{
    size_t done = 0;

    spool->cached = 0;
    while (done < SPOOL_BLOCK) {
        ssize_t got = pread(spool->fd, spool->block + done, SPOOL_BLOCK - done,
                            (off_t)(number * SPOOL_BLOCK + done));

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return opl_fail(err, OPL_E_IO, "cannot read the spool: %s",
                            got < 0 ? strerror(errno) : "it is shorter than what was written");
        done += (size_t)got;
    }
    if (!opl_stream_xor(&spool->key, number, spool->block, SPOOL_BLOCK, err))
        return false;
    spool->cached = number + 1;
    return true;
}

bool redact_spool_read(struct redact_spool *spool, uint64_t at, void *bytes, size_t len,
                       struct opl_err *err)
{
    uint8_t *to = bytes;

    if (at > spool->size || len > spool->size - at)
        return opl_fail(err, OPL_E_INTERNAL, "a read beyond the spool");
    while (len > 0) {
        uint64_t number = at / SPOOL_BLOCK;
        size_t within = at % SPOOL_BLOCK;
        size_t part = SPOOL_BLOCK - within < len ? SPOOL_BLOCK - within : len;
        bool in_tail = number == spool->size / SPOOL_BLOCK;

        if (!in_tail && spool->cached != number + 1 && !read_block(spool, number, err))
            return false;
        memcpy(to, (in_tail ? spool->tail : spool->block) + within, part);
        to += part;
        at += part;
        len -= part;
    }
    return true;
}

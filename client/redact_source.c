/* SPDX-License-Identifier: Apache-2.0 */
#include "redact_source.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define PIECE ((size_t)256 << 10)

static bool fill_spool(struct redact_source *source, struct opl_err *err)
{
    uint8_t *piece = opl_secret_alloc(PIECE);
    ssize_t got = piece != NULL ? 1 : -1;
    bool ok = piece != NULL || opl_fail(err, OPL_E_NOMEM, "no memory to read with");

    while (ok && got > 0) {
        got = read(source->fd, piece, PIECE);
        if (got < 0 && errno == EINTR)
            got = 1;
        else if (got < 0)
            ok = opl_fail(err, OPL_E_IO, "cannot read %s: %s", source->name, strerror(errno));
        else
            ok = redact_spool_write(&source->spool, piece, (size_t)got, err);
    }
    opl_secret_free(piece);
    source->size = source->spool.size;
    return ok;
}

bool redact_source_open(struct redact_source *source, const char *path, int in, struct opl_err *err)
{
    bool is_stdin = path == NULL || strcmp(path, "-") == 0;

    source->name = is_stdin ? "stdin" : path;
    source->fd = is_stdin ? in : open(path, O_RDONLY | O_CLOEXEC);
    source->owned = !is_stdin;
    if (source->fd < 0 || fstat(source->fd, &source->was) != 0)
        return opl_fail(err, OPL_E_USAGE, "cannot open %s: %s", source->name, strerror(errno));
    if (S_ISDIR(source->was.st_mode))
        return opl_fail(err, OPL_E_USAGE, "%s is a folder", source->name);
    /* files of /proc are regular, and say that they are empty */
    source->spooled = is_stdin || !S_ISREG(source->was.st_mode) || source->was.st_size == 0;
    source->size = (uint64_t)source->was.st_size;
    return !source->spooled || (redact_spool_open(&source->spool, err) && fill_spool(source, err));
}

void redact_source_close(struct redact_source *source)
{
    if (source->owned && source->fd >= 0)
        close(source->fd);
    redact_spool_close(&source->spool);
}

bool redact_source_read(struct redact_source *source, uint64_t at, void *bytes, size_t len,
                        struct opl_err *err)
{
    size_t done = 0;

    if (source->spooled)
        return redact_spool_read(&source->spool, at, bytes, len, err);
    while (done < len) {
        ssize_t got = pread(source->fd, (char *)bytes + done, len - done, (off_t)(at + done));

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return opl_fail(err, OPL_E_IO, "cannot read %s: %s", source->name,
                            got < 0 ? strerror(errno) : "it became shorter");
        done += (size_t)got;
    }
    return true;
}

bool redact_source_check(const struct redact_source *source, struct opl_err *err)
{
    struct stat now;

    if (source->spooled)
        return true;
    if (fstat(source->fd, &now) != 0 || now.st_size != source->was.st_size ||
        now.st_mtim.tv_sec != source->was.st_mtim.tv_sec ||
        now.st_mtim.tv_nsec != source->was.st_mtim.tv_nsec) {
        opl_fail(err, OPL_E_IO, "%s changed while it was read", source->name);
        return opl_hint(err, "copy it first");
    }
    return true;
}

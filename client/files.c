/* SPDX-License-Identifier: Apache-2.0 */
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define PIECE ((size_t)128 << 10)

void file_closep(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

void file_free(char **text)
{
    free(*text);
    *text = NULL;
}

bool file_exists(const char *path)
{
    return access(path, F_OK) == 0;
}

static bool fail_io(const char *what, const char *path, struct opl_err *err)
{
    return opl_fail(err, errno == ENOSPC ? OPL_E_STORAGE : OPL_E_IO, "cannot %s %s: %s", what, path,
                    strerror(errno));
}

bool file_read_fd(int fd, const char *name, struct opl_buf *out, struct opl_err *err)
{
    char piece[16384];

    for (;;) {
        ssize_t got = read(fd, piece, sizeof(piece));

        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return fail_io("read", name, err);
        if (got == 0)
            return opl_buf_ok(out, err);
        opl_buf_add(out, piece, (size_t)got);
        if (out->failed)
            return opl_buf_ok(out, err);
    }
}

bool file_read(const char *path, struct opl_buf *out, struct opl_err *err)
{
    OPL_CLEANUP(file_closep) int fd = open(path, O_RDONLY | O_CLOEXEC);

    if (fd < 0)
        return opl_fail(err, OPL_E_USAGE, "cannot open %s: %s", path, strerror(errno));
    return file_read_fd(fd, path, out, err);
}

bool file_write_fd(int fd, const void *bytes, size_t len, struct opl_err *err)
{
    const char *at = bytes;

    while (len > 0) {
        ssize_t done = write(fd, at, len);

        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return fail_io("write", "the file", err);
        at += done;
        len -= (size_t)done;
    }
    return true;
}

static bool write_synced(int fd, const void *bytes, size_t len, const char *path,
                         struct opl_err *err)
{
    return file_write_fd(fd, bytes, len, err) && (fsync(fd) == 0 || fail_io("sync", path, err));
}

bool file_replace(const char *path, const void *bytes, size_t len, mode_t mode, struct opl_err *err)
{
    OPL_CLEANUP(file_closep) int fd = -1;
    OPL_CLEANUP(file_free) char *beside = NULL;

    if (asprintf(&beside, "%s.XXXXXX", path) < 0) {
        beside = NULL;
        return opl_fail(err, OPL_E_NOMEM, "no memory for a path");
    }
    fd = mkostemp(beside, O_CLOEXEC);
    if (fd < 0)
        return fail_io("create a file beside", path, err);
    if (fchmod(fd, mode) == 0 && write_synced(fd, bytes, len, path, err) &&
        rename(beside, path) == 0)
        return true;
    fail_io("replace", path, err);
    unlink(beside);
    return false;
}

bool file_append(const char *path, const void *bytes, size_t len, struct opl_err *err)
{
    OPL_CLEANUP(file_closep)
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);

    if (fd < 0)
        return fail_io("open", path, err);
    return write_synced(fd, bytes, len, path, err);
}

static bool make_one(const char *path, struct opl_err *err)
{
    struct stat info;

    if (mkdir(path, 0700) == 0)
        return true;
    if (errno != EEXIST)
        return fail_io("create the folder", path, err);
    if (stat(path, &info) != 0 || !S_ISDIR(info.st_mode))
        return opl_fail(err, OPL_E_CONFIG, "%s is not a folder", path);
    return true;
}

bool file_make_folder(const char *path, struct opl_err *err)
{
    OPL_CLEANUP(file_free) char *copy = strdup(path);
    struct stat info;

    if (copy == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for a path");
    for (char *slash = strchr(copy + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (!make_one(copy, err))
            return false;
        *slash = '/';
    }
    if (!make_one(copy, err))
        return false;
    if (stat(copy, &info) != 0 || info.st_uid != geteuid() || (info.st_mode & 022) != 0) {
        opl_fail(err, OPL_E_CONFIG, "%s does not belong to you alone", path);
        return opl_hint(err, "chmod 0700 %s", path);
    }
    return true;
}

bool file_digest(int fd, const char *name, struct opl_hash *out, int64_t *size, struct opl_err *err)
{
    OPL_CLEANUP(opl_sha256_freep) struct opl_sha256_ctx *ctx = opl_sha256_new();
    OPL_CLEANUP(file_free) char *piece = malloc(PIECE);
    int64_t total = 0;
    ssize_t got = 0;

    if (ctx == NULL || piece == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory to read %s", name);
    if (lseek(fd, 0, SEEK_SET) != 0)
        return fail_io("rewind", name, err);
    while ((got = read(fd, piece, PIECE)) > 0) {
        opl_sha256_update(ctx, piece, (size_t)got);
        total += got;
    }
    if (got < 0 || lseek(fd, 0, SEEK_SET) != 0)
        return fail_io("read", name, err);
    opl_sha256_final(ctx, out);
    *size = total;
    return true;
}

int file_temporary(struct opl_err *err)
{
    const char *folder = getenv("TMPDIR");
    OPL_CLEANUP(file_free) char *path = NULL;
    int fd;

    if (folder == NULL || *folder != '/')
        folder = "/tmp";
    if (asprintf(&path, "%s/opledger-XXXXXX", folder) < 0) {
        path = NULL;
        opl_fail(err, OPL_E_NOMEM, "no memory for a path");
        return -1;
    }
    fd = mkostemp(path, O_CLOEXEC);
    if (fd < 0)
        fail_io("create a temporary file in", folder, err);
    else
        unlink(path);
    return fd;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "disk.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <opledger/buf.h>

static const struct {
    int error;
    enum opl_code code;
    const char *text;
    const char *hint;
} meanings[] = {
    {ENOSPC,  OPL_E_STORAGE, "the disk is full",              "free some space there"            },
    {EDQUOT,  OPL_E_STORAGE, "the disk quota is used up",     "free some space there"            },
    {EROFS,   OPL_E_CONFIG,  "the file system is read-only",  "mount it writable, or use another"},
    {EACCES,  OPL_E_CONFIG,  "this user may not write there", "see the owner and mode of folder" },
    {EPERM,   OPL_E_CONFIG,  "this user may not write there", "see the owner and mode of folder" },
    {ENOTDIR, OPL_E_CONFIG,  "that is not a folder",          "name a folder"                    },
    {ELOOP,   OPL_E_CONFIG,  "that is a symbolic link",       "name the folder itself"           },
};

bool disk_fail(struct opl_err *err, int error, const char *doing, const char *path)
{
    char text[128];

    for (size_t i = 0; i < sizeof(meanings) / sizeof(*meanings); i++) {
        if (meanings[i].error != error)
            continue;
        opl_fail(err, meanings[i].code, "cannot %s %s: %s", doing, path, meanings[i].text);
        return opl_hint(err, "%s", meanings[i].hint);
    }
    return opl_fail(err, OPL_E_IO, "cannot %s %s: %s", doing, path,
                    strerror_r(error, text, sizeof(text)));
}

static bool make_one(const char *path, struct opl_err *err)
{
    struct stat st;

    if (!mkdir(path, 0700))
        return true;
    if (errno != EEXIST)
        return disk_fail(err, errno, "make the folder", path);
    if (stat(path, &st)) /* it exists, and yet leads to nothing: a link */
        return disk_fail(err, errno == ENOENT ? ELOOP : errno, "use", path);
    return S_ISDIR(st.st_mode) || disk_fail(err, ENOTDIR, "use", path);
}

/* The folder and those above it. */
static bool make_all(const char *dir, struct opl_err *err)
{
    char path[PATH_MAX];
    size_t len = strlen(dir);

    if (!len || len >= sizeof(path))
        return opl_fail(err, OPL_E_CONFIG, "the data folder has no usable name");
    for (size_t i = 1; i <= len; i++) {
        if (dir[i] != '/' && dir[i] != '\0')
            continue;
        snprintf(path, sizeof(path), "%.*s", (int)i, dir);
        if (!make_one(path, err))
            return false;
    }
    return true;
}

/* Root passes every permission, so only a real write shows a full or read-only file system. */
bool disk_prepare(const char *dir, struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf path = {0};
    static const char bytes[4096] = {0};

    if (!make_all(dir, err))
        return false;
    opl_buf_fmt(&path, "%s/.write-test", dir);
    if (!opl_buf_ok(&path, err) || !disk_write_file(path.data, bytes, sizeof(bytes), 0600, err))
        return false;
    unlink(path.data);
    return true;
}

bool disk_free(const char *dir, uint64_t *bytes, struct opl_err *err)
{
    struct statvfs st;

    if (statvfs(dir, &st))
        return disk_fail(err, errno, "look at", dir);
    *bytes = (uint64_t)st.f_bavail * st.f_frsize;
    return true;
}

bool disk_has(const char *dir, uint64_t reserve, struct opl_err *err)
{
    uint64_t bytes = 0;

    if (!disk_free(dir, &bytes, err))
        return false;
    return bytes >= reserve ||
           opl_fail(err, OPL_E_STORAGE, "%s has %llu MiB left, %llu MiB are kept in reserve", dir,
                    (unsigned long long)(bytes >> 20), (unsigned long long)(reserve >> 20));
}

static bool write_all(int fd, const void *bytes, size_t len)
{
    const char *at = bytes;
    ssize_t n;

    while (len && (n = write(fd, at, len)) > 0) {
        at += n;
        len -= (size_t)n;
    }
    return !len;
}

static bool write_and_sync(const char *path, const void *bytes, size_t len, int mode,
                           struct opl_err *err)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, mode);
    bool good;
    int error;

    if (fd < 0)
        return disk_fail(err, errno, "write", path);
    good = !fchmod(fd, (mode_t)mode) && write_all(fd, bytes, len) && !fsync(fd);
    error = errno;
    good = !close(fd) && good;
    return good || disk_fail(err, error, "write", path);
}

static bool sync_folder(const char *path, struct opl_err *err)
{
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');
    bool good;
    int fd;

    snprintf(folder, sizeof(folder), "%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
    fd = open(folder[0] ? folder : "/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return disk_fail(err, errno, "open", folder);
    good = !fsync(fd);
    close(fd);
    return good || disk_fail(err, errno, "sync", folder);
}

bool disk_write_file(const char *path, const void *bytes, size_t len, int mode, struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf fresh = {0};

    opl_buf_fmt(&fresh, "%s.new", path);
    if (!opl_buf_ok(&fresh, err))
        return false;
    if (!write_and_sync(fresh.data, bytes, len, mode, err)) {
        unlink(fresh.data);
        return false;
    }
    if (rename(fresh.data, path))
        return disk_fail(err, errno, "replace", path);
    return sync_folder(path, err);
}

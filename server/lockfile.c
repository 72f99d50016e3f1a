/* SPDX-License-Identifier: Apache-2.0 */
#include "lockfile.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <opledger/buf.h>

#include "disk.h"

#define LOCK_NAME "opledgerd.lock"

static bool taken(int fd, const char *data_dir, struct opl_err *err)
{
    char holder[32] = "";
    ssize_t n = pread(fd, holder, sizeof(holder) - 1, 0);

    if (n > 0)
        holder[strcspn(holder, "\n")] = '\0';
    opl_fail(err, OPL_E_CONFIG, "another opledgerd uses %s (process %s)", data_dir,
             holder[0] ? holder : "unknown");
    return opl_hint(err, "stop it first, or give this one a --data folder of its own");
}

static bool hold(struct lockfile *lock, const char *path, const char *data_dir, struct opl_err *err)
{
    char text[32];
    int len = snprintf(text, sizeof(text), "%ld\n", (long)getpid());

    if (flock(lock->fd, LOCK_EX | LOCK_NB))
        return errno == EWOULDBLOCK ? taken(lock->fd, data_dir, err)
                                    : disk_fail(err, errno, "lock", path);
    if (ftruncate(lock->fd, 0) || pwrite(lock->fd, text, (size_t)len, 0) != len)
        return disk_fail(err, errno, "write", path);
    return true;
}

bool lockfile_take(struct lockfile *lock, const char *data_dir, struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf path = {0};
    struct lockfile mine;

    opl_buf_fmt(&path, "%s/" LOCK_NAME, data_dir);
    if (!opl_buf_ok(&path, err))
        return false;
    mine.fd = open(path.data, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (mine.fd < 0)
        return disk_fail(err, errno, "open", path.data);
    if (!hold(&mine, path.data, data_dir, err)) {
        close(mine.fd);
        return false;
    }
    *lock = mine;
    return true;
}

/* The file stays: removing it would let two processes lock two files of one name. */
void lockfile_close(struct lockfile *lock)
{
    if (lock->fd > 0)
        close(lock->fd);
    lock->fd = 0;
}

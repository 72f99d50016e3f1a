/* SPDX-License-Identifier: Apache-2.0 */
#include "blobs.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <opledger/name.h>

#include "api.h"
#include "client.h"
#include "files.h"
#include "log_view.h"

#define SNIFF 4096

static int spool_stdin(struct client *client, struct opl_err *err)
{
    int fd = file_temporary(err);
    char piece[16384];
    ssize_t got = 0;
    bool ok = fd >= 0;

    if (ok && client->stdin_taken)
        ok = opl_fail(err, OPL_E_USAGE, "only one thing can come from stdin");
    client->stdin_taken = true;
    while (ok && (got = read(STDIN_FILENO, piece, sizeof(piece))) > 0)
        ok = file_write_fd(fd, piece, (size_t)got, err);
    if (ok && got < 0)
        ok = opl_fail(err, OPL_E_IO, "cannot read stdin: %s", strerror(errno));
    if (ok)
        return fd;
    file_closep(&fd);
    return -1;
}

int blobs_open(struct client *client, const char *path, struct opl_err *err)
{
    struct stat info;
    int fd;

    if (strcmp(path, "-") == 0)
        return spool_stdin(client, err);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        opl_fail(err, OPL_E_USAGE, "cannot open %s: %s", path, strerror(errno));
        return -1;
    }
    if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode))
        return fd;
    opl_fail(err, OPL_E_USAGE, "%s is not a file", path);
    file_closep(&fd);
    return -1;
}

/* A character cut at the end of what was looked at is no reason to call it binary. */
static bool looks_like_text(int fd)
{
    char start[SNIFF];
    ssize_t got = pread(fd, start, sizeof(start), 0);
    ssize_t spare = got == SNIFF ? 3 : 0;

    for (ssize_t cut = 0; got >= 0 && cut <= spare; cut++)
        if (opl_is_utf8(start, (size_t)(got - cut)))
            return true;
    return false;
}

bool blobs_put_file(struct client *client, const char *path, struct blob *out, struct opl_err *err)
{
    OPL_CLEANUP(file_closep) int fd = blobs_open(client, path, err);

    if (fd < 0 || !file_digest(fd, path, &out->sha256, &out->size, err))
        return false;
    out->text = looks_like_text(fd);
    return client_connect(client, err) && log_view_before_sending(client, err) &&
           api_put_blob(client->api, &out->sha256, fd, out->size, err);
}

bool blobs_put_bytes(struct client *client, const void *bytes, size_t len, struct opl_hash *out,
                     struct opl_err *err)
{
    OPL_CLEANUP(file_closep) int fd = file_temporary(err);

    if (fd < 0 || !file_write_fd(fd, bytes, len, err))
        return false;
    if (lseek(fd, 0, SEEK_SET) != 0)
        return opl_fail(err, OPL_E_IO, "cannot rewind a temporary file");
    opl_sha256(bytes, len, out);
    return client_connect(client, err) && log_view_before_sending(client, err) &&
           api_put_blob(client->api, out, fd, (int64_t)len, err);
}

bool blobs_get(struct client *client, const struct opl_hash *sha256, struct opl_buf *out,
               struct opl_err *err)
{
    OPL_CLEANUP(file_closep) int fd = file_temporary(err);

    if (fd < 0 || !client_connect(client, err) || !api_get_blob(client->api, sha256, fd, err))
        return false;
    if (lseek(fd, 0, SEEK_SET) != 0)
        return opl_fail(err, OPL_E_IO, "cannot rewind a temporary file");
    return file_read_fd(fd, "a blob", out, err);
}

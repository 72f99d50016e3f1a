/* SPDX-License-Identifier: Apache-2.0 */
#include "redact_key.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <sys/stat.h>
#include <unistd.h>

#include <opledger/encode.h>

#include "config.h"
#include "files.h"

#define SITE_KEY "/etc/opledger/redact.key"
#define KEY_TEXT 65 /* digits and newline */

static bool check_mode(int fd, const char *path, struct opl_err *err)
{
    struct stat is;

    if (fstat(fd, &is) != 0 || !S_ISREG(is.st_mode))
        return opl_fail(err, OPL_E_CONFIG, "%s is no regular file", path);
    if ((is.st_mode & 077) != 0) {
        opl_fail(err, OPL_E_CONFIG, "%s can be read or written by others than its owner", path);
        return opl_hint(err, "chmod 600 it, if nobody else has seen it");
    }
    return true;
}

static bool read_key(int fd, const char *path, struct opl_key *out, struct opl_err *err)
{
    char text[KEY_TEXT + 1] = "";
    ssize_t got = read(fd, text, sizeof text - 1);
    bool ok;

    text[strcspn(text, "\n")] = '\0';
    ok = got >= OPL_HEX_LEN && opl_hex_decode(text, out, sizeof *out, NULL);
    opl_wipe(text, sizeof text);
    return ok || opl_fail(err, OPL_E_CONFIG, "%s holds no key of 64 hexadecimal digits", path);
}

static bool make_folder_of(const char *path, struct opl_err *err)
{
    OPL_CLEANUP(file_free) char *copy = strdup(path);
    const char *folder;

    if (copy == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for a path");
    folder = dirname(copy);
    return file_exists(folder) || file_make_folder(folder, err);
}

/* Another run may make it at the same time: then that one's key is the site's. */
static bool make_key(const char *path, struct opl_err *err)
{
    OPL_CLEANUP(file_closep) int fd = -1;
    char text[KEY_TEXT + 1];
    struct opl_key key;
    bool ok;

    if (!make_folder_of(path, err))
        return false;
    fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0)
        return errno == EEXIST ||
               opl_fail(err, OPL_E_CONFIG, "cannot make %s: %s", path, strerror(errno));
    opl_random(&key, sizeof key);
    opl_hex_encode(&key, sizeof key, text);
    text[KEY_TEXT - 1] = '\n';
    ok = file_write_fd(fd, text, KEY_TEXT, err) && fsync(fd) == 0;
    opl_wipe(&key, sizeof key);
    opl_wipe(text, sizeof text);
    return ok || opl_fail(err, OPL_E_IO, "cannot write %s", path);
}

static bool load(const char *path, struct opl_key *out, struct opl_err *err)
{
    OPL_CLEANUP(file_closep) int fd = open(path, O_RDONLY | O_CLOEXEC);

    if (fd < 0 && errno == ENOENT) {
        if (!make_key(path, err))
            return false;
        fd = open(path, O_RDONLY | O_CLOEXEC);
    }
    if (fd < 0)
        return opl_fail(err, OPL_E_CONFIG, "cannot open %s: %s", path, strerror(errno));
    return check_mode(fd, path, err) && read_key(fd, path, out, err);
}

bool redact_key_load(const char *named, struct opl_key *out, struct opl_err *err)
{
    OPL_CLEANUP(file_free) char *own = NULL;

    if (named != NULL && *named != '\0')
        return load(named, out, err);
    if (access(SITE_KEY, R_OK) == 0)
        return load(SITE_KEY, out, err);
    own = config_xdg_path("XDG_STATE_HOME", ".local/state", "redact.key");
    if (own == NULL)
        return opl_fail(err, OPL_E_CONFIG, "no home for a key: set OPLEDGER_REDACT_KEY_FILE");
    return load(own, out, err);
}

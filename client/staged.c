/* SPDX-License-Identifier: Apache-2.0 */
#include "staged.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "blobs.h"
#include "client.h"
#include "files.h"

struct staged_places staged_places(const struct client *client)
{
    return (struct staged_places){.from = client_option(client, "from"),
                                  .base_dir = client_option(client, "base-dir")};
}

static char *join(const char *folder, const char *target, const char *ending)
{
    char *path = NULL;

    return asprintf(&path, "%s%s%s", folder, target, ending) < 0 ? NULL : path;
}

char *staged_new_path(const struct staged_places *places, const char *target)
{
    return places->from != NULL ? join(places->from, target, "") : join("", target, ".new");
}

char *staged_base_path(const struct staged_places *places, const char *target)
{
    return join(places->base_dir != NULL ? places->base_dir : "", target, "");
}

bool staged_side(const char *path, struct opl_file_side *side, int64_t *size, struct opl_err *err)
{
    OPL_CLEANUP(file_closep) int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat info;

    memset(side, 0, sizeof(*side));
    *size = 0;
    if (fd < 0 && errno == ENOENT)
        return true;
    if (fd < 0)
        return opl_fail(err, OPL_E_USAGE, "cannot open %s: %s", path, strerror(errno));
    if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode))
        return opl_fail(err, OPL_E_USAGE, "%s is not a regular file", path);
    if (!file_digest(fd, path, &side->sha256, size, err))
        return false;
    side->present = true;
    snprintf(side->mode, sizeof(side->mode), "%04o", (unsigned)info.st_mode & 07777);
    snprintf(side->owner, sizeof(side->owner), "%lu:%lu", (unsigned long)info.st_uid,
             (unsigned long)info.st_gid);
    return true;
}

/* A staged copy belongs to whoever wrote it: mode and owner of the base stay, where there is one.
 */
static bool fill_file(const struct staged_places *places, const char *target,
                      struct opl_manifest_file *file, struct opl_err *err)
{
    OPL_CLEANUP(file_free) char *next = staged_new_path(places, target);
    OPL_CLEANUP(file_free) char *base = staged_base_path(places, target);
    int64_t base_size;

    file->path = strdup(target);
    if (next == NULL || base == NULL || file->path == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for a path");
    if (!staged_side(next, &file->next, &file->size, err) ||
        !staged_side(base, &file->base, &base_size, err))
        return false;
    if (!file->next.present) {
        opl_fail(err, OPL_E_USAGE, "nothing is staged for %s: there is no %s", target, next);
        return opl_hint(err, "put the new bytes there, or name a folder with --from");
    }
    if (file->base.present) {
        memcpy(file->next.mode, file->base.mode, sizeof(file->next.mode));
        memcpy(file->next.owner, file->base.owner, sizeof(file->next.owner));
    }
    return true;
}

bool staged_files(struct client *client, struct opl_manifest *out, struct opl_err *err)
{
    struct staged_places places = staged_places(client);
    size_t count = args_count(&client->args, "file");

    out->files = calloc(count + 1, sizeof(*out->files));
    if (out->files == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for %zu files", count);
    for (size_t i = 0; i < count; i++) {
        const char *target = args_at(&client->args, "file", i);

        if (target[0] != '/')
            return opl_fail(err, OPL_E_USAGE, "--file %s is not an absolute path", target);
        out->file_count = i + 1; /* what was begun is closed too */
        if (!fill_file(&places, target, &out->files[i], err))
            return false;
    }
    return true;
}

bool staged_command(struct client *client, struct opl_manifest *out, struct opl_err *err)
{
    out->command = calloc(client->args.rest_count + 1, sizeof(*out->command));
    if (out->command == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for a command");
    for (size_t i = 0; i < client->args.rest_count; i++) {
        out->command[i] = strdup(client->args.rest[i]);
        if (out->command[i] == NULL)
            return opl_fail(err, OPL_E_NOMEM, "no memory for a command");
    }
    return true;
}

static bool upload_side(struct client *client, char *path, const struct opl_file_side *side,
                        struct opl_err *err)
{
    OPL_CLEANUP(file_free) char *owned = path;
    struct blob blob;

    if (owned == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for a path");
    if (!side->present)
        return true;
    if (!blobs_put_file(client, owned, &blob, err))
        return false;
    return opl_hash_equal(&blob.sha256, &side->sha256) ||
           opl_fail(err, OPL_E_DIGEST, "%s changed while it was read", owned);
}

bool staged_upload(struct client *client, const struct opl_manifest *manifest, struct opl_err *err)
{
    struct staged_places places = staged_places(client);

    for (size_t i = 0; i < manifest->file_count; i++) {
        const struct opl_manifest_file *file = &manifest->files[i];

        if (!upload_side(client, staged_new_path(&places, file->path), &file->next, err) ||
            !upload_side(client, staged_base_path(&places, file->path), &file->base, err))
            return false;
    }
    return true;
}

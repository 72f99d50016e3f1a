/* SPDX-License-Identifier: Apache-2.0 */
#include "apply_files.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files.h"

#define PIECE ((size_t)64 << 10)
#define NAME_SHOWN 180 /* of the target's name, in the names beside it */

static bool fail_io(const char *what, const struct opl_manifest_file *file, struct opl_err *err)
{
    return opl_fail(err, errno == ENOSPC ? OPL_E_STORAGE : OPL_E_IO, "cannot %s %s: %s", what,
                    file->path, strerror(errno));
}

/* ---- what lies there ---- */

static bool read_side(const struct apply_file *item, const char *name, struct opl_file_side *side,
                      struct opl_err *err)
{
    OPL_CLEANUP(file_closep)
    int fd = openat(item->folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat info;
    int64_t size;

    memset(side, 0, sizeof(*side));
    if (fd < 0 && errno == ENOENT)
        return true;
    if (fd < 0)
        return fail_io("open", item->file, err);
    if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode))
        return opl_fail(err, OPL_E_GATE_DENIED, "%s is not a regular file", item->file->path);
    if (!file_digest(fd, item->file->path, &side->sha256, &size, err))
        return false;
    side->present = true;
    snprintf(side->mode, sizeof(side->mode), "%04o", (unsigned)info.st_mode & 07777);
    snprintf(side->owner, sizeof(side->owner), "%lu:%lu", (unsigned long)info.st_uid,
             (unsigned long)info.st_gid);
    return true;
}

/* What differs between two sides, NULL when nothing does. */
static const char *difference(const struct opl_file_side *a, const struct opl_file_side *b)
{
    if (a->present != b->present)
        return a->present ? "is there" : "is not there";
    if (!a->present)
        return NULL;
    if (!opl_hash_equal(&a->sha256, &b->sha256))
        return "has other bytes";
    if (strcmp(a->mode, b->mode) != 0)
        return "has another mode";
    return strcmp(a->owner, b->owner) != 0 ? "has another owner" : NULL;
}

static bool check_base(const struct apply_file *item, const char *name, struct opl_err *err)
{
    struct opl_file_side live;
    const char *how;

    if (!read_side(item, name, &live, err))
        return false;
    how = difference(&live, &item->file->base);
    if (how == NULL)
        return true;
    opl_fail(err, OPL_E_GATE_DENIED, "%s %s: it is not the base that the change was made over",
             item->file->path, how);
    return opl_hint(err, "opledger change revise CHG --file %s, and have it approved again",
                    item->file->path);
}

bool apply_files_check_base(const struct apply_files *files, struct opl_err *err)
{
    for (size_t i = 0; i < files->count; i++)
        if (!check_base(&files->items[i], files->items[i].name, err))
            return false;
    return true;
}

bool apply_files_check_next(const struct apply_files *files, struct opl_err *err)
{
    for (size_t i = 0; i < files->count; i++) {
        const struct apply_file *item = &files->items[i];
        struct opl_file_side live;
        const char *how;

        if (!read_side(item, item->name, &live, err))
            return false;
        how = difference(&live, &item->file->next);
        if (how != NULL)
            return opl_fail(err, OPL_E_VERIFY, "%s %s: it is not what was approved",
                            item->file->path, how);
    }
    return true;
}

/* ---- opening ---- */

/* Copies at most one byte more than there should be; the digest is of what was copied. */
static bool copy_bytes(int from, int to, int64_t most, struct opl_hash *sha256, int64_t *size,
                       struct opl_err *err)
{
    OPL_CLEANUP(opl_sha256_freep) struct opl_sha256_ctx *ctx = opl_sha256_new();
    OPL_CLEANUP(file_free) char *piece = malloc(PIECE);
    ssize_t got = 0;

    if (ctx == NULL || piece == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory to copy a file");
    *size = 0;
    while (*size <= most && (got = read(from, piece, PIECE)) != 0) {
        if (got < 0)
            return opl_fail(err, OPL_E_IO, "cannot read a file: %s", strerror(errno));
        opl_sha256_update(ctx, piece, (size_t)got);
        *size += got;
        if (!file_write_fd(to, piece, (size_t)got, err))
            return false;
    }
    opl_sha256_final(ctx, sha256);
    return true;
}

static bool copy_staged(struct apply_file *item, const char *path, struct opl_err *err)
{
    OPL_CLEANUP(file_closep) int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct opl_hash sha256;
    struct stat info;
    int64_t size;

    if (fd < 0)
        return opl_fail(err, OPL_E_USAGE, "cannot open the staged %s: %s", path, strerror(errno));
    if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode))
        return opl_fail(err, OPL_E_USAGE, "the staged %s is not a regular file", path);
    item->copy = file_temporary(err);
    if (item->copy < 0 || !copy_bytes(fd, item->copy, item->file->size, &sha256, &size, err))
        return false;
    if (size == item->file->size && opl_hash_equal(&sha256, &item->file->next.sha256))
        return true;
    opl_fail(err, OPL_E_DIGEST, "the staged %s is not what was approved", path);
    return opl_hint(err, "stage the bytes of the manifest, or revise the change");
}

static int open_folder(const struct opl_manifest_file *file, struct opl_err *err)
{
    const char *slash = strrchr(file->path, '/');
    OPL_CLEANUP(file_free) char *folder = NULL;
    int fd;

    folder = slash == file->path ? strdup("/") : strndup(file->path, (size_t)(slash - file->path));
    if (folder == NULL) {
        opl_fail(err, OPL_E_NOMEM, "no memory for a path");
        return -1;
    }
    fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        fail_io("open the folder of", file, err);
    return fd;
}

static bool open_file(struct apply_file *item, const struct staged_places *places,
                      struct opl_err *err)
{
    OPL_CLEANUP(file_free) char *staged = NULL;

    item->folder = open_folder(item->file, err);
    if (item->folder < 0)
        return false;
    if (!item->file->next.present)
        return true;
    staged = staged_new_path(places, item->file->path);
    return staged == NULL ? opl_fail(err, OPL_E_NOMEM, "no memory for a path")
                          : copy_staged(item, staged, err);
}

bool apply_files_open(const struct opl_manifest *manifest, const struct staged_places *places,
                      struct apply_files *out, struct opl_err *err)
{
    out->items = calloc(manifest->file_count + 1, sizeof(*out->items));
    if (out->items == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for the files of the change");
    for (; out->count < manifest->file_count; out->count++) {
        struct apply_file *item = &out->items[out->count];

        *item = (struct apply_file){.file = &manifest->files[out->count], .folder = -1, .copy = -1};
        item->name = strrchr(item->file->path, '/') + 1;
    }
    for (size_t i = 0; i < out->count; i++)
        if (!open_file(&out->items[i], places, err))
            return false;
    return true;
}

void apply_files_close(struct apply_files *files)
{
    for (size_t i = 0; i < files->count; i++) {
        struct apply_file *item = &files->items[i];

        if (item->beside[0] != '\0')
            unlinkat(item->folder, item->beside, 0);
        if (item->kept[0] != '\0' && !item->stuck)
            unlinkat(item->folder, item->kept, 0);
        file_closep(&item->folder);
        file_closep(&item->copy);
    }
    free(files->items);
    memset(files, 0, sizeof(*files));
}

/* ---- beside the target ---- */

static void draw_name(const struct apply_file *item, const char *ending, char *out)
{
    uint32_t random;

    opl_random(&random, sizeof(random));
    snprintf(out, APPLY_NAME_SIZE, ".%.*s.%08x.%s", NAME_SHOWN, item->name, random, ending);
}

static bool set_owner(int fd, const struct opl_manifest_file *file, struct opl_err *err)
{
    char *colon;
    unsigned long uid = strtoul(file->next.owner, &colon, 10);
    unsigned long gid = *colon == ':' ? strtoul(colon + 1, NULL, 10) : 0;
    struct stat info;

    if (fstat(fd, &info) != 0)
        return fail_io("look at the new", file, err);
    if (*colon != ':')
        return opl_fail(err, OPL_E_VERIFY, "%s has no owner", file->path);
    return (info.st_uid == uid && info.st_gid == gid) || fchown(fd, (uid_t)uid, (gid_t)gid) == 0 ||
           fail_io("set the owner of", file, err);
}

/* The owner first: changing it takes set-uid bits away. */
static bool fill_beside(const struct apply_file *item, int fd, struct opl_err *err)
{
    mode_t mode = (mode_t)strtoul(item->file->next.mode, NULL, 8);
    struct opl_hash sha256;
    int64_t size;

    if (lseek(item->copy, 0, SEEK_SET) != 0)
        return fail_io("read the copy of", item->file, err);
    if (!copy_bytes(item->copy, fd, item->file->size, &sha256, &size, err))
        return false;
    if (!opl_hash_equal(&sha256, &item->file->next.sha256))
        return opl_fail(err, OPL_E_DIGEST, "the copy of %s has changed", item->file->path);
    return set_owner(fd, item->file, err) &&
           (fchmod(fd, mode) == 0 || fail_io("set the mode of", item->file, err)) &&
           (fsync(fd) == 0 || fail_io("sync", item->file, err));
}

static bool write_beside(struct apply_file *item, struct opl_err *err)
{
    OPL_CLEANUP(file_closep) int fd = -1;
    char name[APPLY_NAME_SIZE];

    draw_name(item, "new", name);
    fd = openat(item->folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return fail_io("write beside", item->file, err);
    memcpy(item->beside, name, sizeof(name));
    return fill_beside(item, fd, err);
}

bool apply_files_prepare(struct apply_files *files, struct opl_err *err)
{
    for (size_t i = 0; i < files->count; i++)
        if (files->items[i].file->next.present && !write_beside(&files->items[i], err))
            return false;
    return true;
}

/* ---- into place, and back ---- */

/* The base stays reachable under another name; what was kept is looked at, not the path again. */
static bool keep_base(struct apply_file *item, struct opl_err *err)
{
    char name[APPLY_NAME_SIZE];

    if (!item->file->base.present)
        return check_base(item, item->name, err);
    draw_name(item, "base", name);
    if (linkat(item->folder, item->name, item->folder, name, 0) != 0)
        return fail_io("keep the base of", item->file, err);
    memcpy(item->kept, name, sizeof(name));
    return check_base(item, item->kept, err);
}

/* A link, not a rename, where there is no base: it fails if somebody has made a file meanwhile. */
static bool put_new(struct apply_file *item, struct opl_err *err)
{
    const struct opl_manifest_file *file = item->file;
    int failed = 0;

    if (!file->next.present)
        failed = file->base.present ? unlinkat(item->folder, item->name, 0) : 0;
    else if (file->base.present)
        failed = renameat(item->folder, item->beside, item->folder, item->name);
    else
        failed = linkat(item->folder, item->beside, item->folder, item->name, 0);
    if (failed != 0)
        return fail_io("replace", file, err);
    item->installed = true;
    if (file->base.present)
        item->beside[0] = '\0';
    return true;
}

static bool sync_folders(const struct apply_files *files, struct opl_err *err)
{
    for (size_t i = 0; i < files->count; i++)
        if (fsync(files->items[i].folder) != 0)
            return fail_io("sync the folder of", files->items[i].file, err);
    return true;
}

static bool install_all(struct apply_files *files, struct opl_err *err)
{
    for (size_t i = 0; i < files->count; i++)
        if (!keep_base(&files->items[i], err) || !put_new(&files->items[i], err))
            return false;
    return sync_folders(files, err);
}

bool apply_files_install(struct apply_files *files, struct opl_err *err)
{
    struct opl_err ignored = {0};

    if (install_all(files, err))
        return true;
    if (!apply_files_put_back(files, &ignored))
        opl_hint(err, "and what was replaced could not be put back: %.180s", ignored.text);
    return false;
}

/* A file that had no base goes away again, if it still is the one that was installed. */
static bool take_away(struct apply_file *item, struct opl_err *err)
{
    struct opl_file_side live;

    if (!read_side(item, item->name, &live, err))
        return false;
    if (!live.present)
        return true;
    if (difference(&live, &item->file->next) != NULL)
        return opl_fail(err, OPL_E_IO, "%s was changed meanwhile and stays", item->file->path);
    return unlinkat(item->folder, item->name, 0) == 0 || fail_io("remove", item->file, err);
}

static bool put_back(struct apply_file *item, struct opl_err *err)
{
    if (!item->file->base.present)
        return take_away(item, err);
    if (renameat(item->folder, item->kept, item->folder, item->name) != 0) {
        item->stuck = true;
        fail_io("put back", item->file, err);
        return opl_hint(err, "its base lies beside it as %s", item->kept);
    }
    item->kept[0] = '\0';
    return true;
}

bool apply_files_put_back(struct apply_files *files, struct opl_err *err)
{
    bool ok = true;

    for (size_t i = files->count; i > 0; i--) {
        struct apply_file *item = &files->items[i - 1];

        if (!item->installed)
            continue;
        item->installed = !put_back(item, err);
        ok = ok && !item->installed;
    }
    return ok && apply_files_check_base(files, err) && sync_folders(files, err);
}

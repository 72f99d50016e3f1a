/* SPDX-License-Identifier: Apache-2.0 */
#include "secrets.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <opledger/redact.h>
#include <opledger/rules.h>

#include "client.h"
#include "files.h"
#include "staged.h"

#define RULE_FILES 64
#define ALL_BUT_SECRETS (((1u << OPL_RULES_CLASSES) - 1) & ~OPL_RULES_BIT(OPL_RULES_SECRET))

static bool read_at(void *ctx, uint64_t at, void *bytes, size_t len, struct opl_err *err)
{
    const int *fd = ctx;
    char *to = bytes;

    while (len > 0) {
        ssize_t got = pread(*fd, to, len, (off_t)at);

        if (got <= 0)
            return opl_fail(err, OPL_E_IO, "a file was cut while it was read");
        to += got;
        at += (uint64_t)got;
        len -= (size_t)got;
    }
    return true;
}

static bool fail_found(const char *path, const struct opl_redact_finding *finding,
                       struct opl_err *err)
{
    opl_fail(err, OPL_E_WRONG_STATE, "%s holds a secret at byte %llu, by the rule %s", path,
             (unsigned long long)finding->at, finding->rule);
    return opl_hint(err, "keep it in a file of its own, outside the change");
}

/* A side that is absent has nothing to hide. */
static bool check_side(const struct opl_rules *rules, char *path, struct opl_err *err)
{
    OPL_CLEANUP(file_free) char *owned = path;
    OPL_CLEANUP(file_closep) int fd = -1;
    struct opl_redact_finding finding = {0};
    struct stat info;

    if (owned == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for a path");
    fd = open(owned, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0 && errno == ENOENT)
        return true;
    if (fd < 0 || fstat(fd, &info) != 0)
        return opl_fail(err, OPL_E_IO, "cannot read %s: %s", owned, strerror(errno));
    return opl_redact_verify(rules, ALL_BUT_SECRETS, read_at, &fd, (uint64_t)info.st_size, &finding,
                             err) &&
           (finding.count == 0 || fail_found(owned, &finding, err));
}

bool secrets_absent(struct client *client, const struct opl_manifest *manifest, struct opl_err *err)
{
    struct staged_places places = staged_places(client);
    struct opl_rule_file files[RULE_FILES];
    size_t count = opl_rules_builtin(files, RULE_FILES);
    OPL_CLEANUP(opl_rules_freep) struct opl_rules *rules = opl_rules_new(files, count, err);

    if (rules == NULL)
        return false;
    for (size_t i = 0; i < manifest->file_count; i++)
        if (!check_side(rules, staged_new_path(&places, manifest->files[i].path), err) ||
            !check_side(rules, staged_base_path(&places, manifest->files[i].path), err))
            return false;
    return true;
}

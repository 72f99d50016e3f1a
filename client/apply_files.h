/* SPDX-License-Identifier: Apache-2.0 */
/*
 * apply_files - the files of a change on this host: staged bytes, live base, and the way between.
 *
 * Staged files are read once, into private copies whose digests are checked; nothing is looked at
 * by its path again. Folders are opened once and everything happens relative to them. New bytes are
 * written beside their targets first, all of them; then each base is kept under a name of its own
 * and the new file renamed over it. Until apply_files_close the bases can be put back.
 */
#ifndef OPLEDGER_CLIENT_APPLY_FILES_H
#define OPLEDGER_CLIENT_APPLY_FILES_H

#include <opledger/manifest.h>

#include "staged.h"

#define APPLY_NAME_SIZE 256

struct apply_file {
    const struct opl_manifest_file *file; /* borrowed */
    const char *name;                     /* its last part, borrowed */
    int folder;
    int copy;                     /* the staged bytes, unlinked; -1 when the file is to go away */
    char beside[APPLY_NAME_SIZE]; /* the new file before it is renamed, or "" */
    char kept[APPLY_NAME_SIZE];   /* the base as it was, or "" */
    bool installed;
    bool stuck; /* could not be put back: the kept base stays beside it */
};

struct apply_files {
    struct apply_file *items;
    size_t count;
};

/*
 * Opens the folders and copies the staged bytes. OPL_E_DIGEST where they are not those of the
 * manifest, OPL_E_USAGE where they are missing or no regular files. The manifest must outlive it.
 */
OPL_MUST_CHECK bool apply_files_open(const struct opl_manifest *manifest,
                                     const struct staged_places *places, struct apply_files *out,
                                     struct opl_err *err);

/* Removes what was written beside the targets, and the kept bases but those that are needed. */
void apply_files_close(struct apply_files *files);

/* OPL_E_GATE_DENIED unless digest, mode and owner of every live file are the manifest's base. */
OPL_MUST_CHECK bool apply_files_check_base(const struct apply_files *files, struct opl_err *err);

/* OPL_E_VERIFY unless every live file is what the manifest says it becomes. */
OPL_MUST_CHECK bool apply_files_check_next(const struct apply_files *files, struct opl_err *err);

/* Writes every new file beside its target, with mode and owner, synced. */
OPL_MUST_CHECK bool apply_files_prepare(struct apply_files *files, struct opl_err *err);

/* Renames them into place, each over a base looked at again. Part-way, what was done is undone. */
OPL_MUST_CHECK bool apply_files_install(struct apply_files *files, struct opl_err *err);

/* Puts every base back and looks whether it is there. Goes on after a failure, and reports it. */
OPL_MUST_CHECK bool apply_files_put_back(struct apply_files *files, struct opl_err *err);

#endif

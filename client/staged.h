/* SPDX-License-Identifier: Apache-2.0 */
/*
 * staged - the files of a change as they lie on this host: the new bytes and the base.
 *
 * For TARGET the new bytes are FROM/TARGET, or TARGET.new beside it; the base is TARGET itself, or
 * BASE_DIR/TARGET. Only regular files, never through a link at the end of the path.
 */
#ifndef OPLEDGER_CLIENT_STAGED_H
#define OPLEDGER_CLIENT_STAGED_H

#include <opledger/manifest.h>

struct client;

/* Where to look; NULL: beside, and live. */
struct staged_places {
    const char *from;
    const char *base_dir;
};

/* --from and --base-dir of this run. */
struct staged_places staged_places(const struct client *client);

/* The path of the new bytes and of the base of a target; for free(). NULL: no memory. */
char *staged_new_path(const struct staged_places *places, const char *target);
char *staged_base_path(const struct staged_places *places, const char *target);

/* Digest, mode and owner of a file; an absent one is a side that is not present. */
OPL_MUST_CHECK bool staged_side(const char *path, struct opl_file_side *side, int64_t *size,
                                struct opl_err *err);

/* Fills out->files from the --file options; a target that is staged nowhere is OPL_E_USAGE. */
OPL_MUST_CHECK bool staged_files(struct client *client, struct opl_manifest *out,
                                 struct opl_err *err);

/* Sets out->command to the words after `--`. */
OPL_MUST_CHECK bool staged_command(struct client *client, struct opl_manifest *out,
                                   struct opl_err *err);

/* Uploads both sides of every file; bytes that have changed meanwhile are refused by digest. */
OPL_MUST_CHECK bool staged_upload(struct client *client, const struct opl_manifest *manifest,
                                  struct opl_err *err);

#endif

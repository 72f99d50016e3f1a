/* SPDX-License-Identifier: Apache-2.0 */
/*
 * manifest - exactly which files a change puts in place, over which base, and the command that then
 * runs (CONTRACT section 6, "Change manifest").
 */
#ifndef OPLEDGER_MANIFEST_H
#define OPLEDGER_MANIFEST_H

#include <jansson.h>

#include <opledger/buf.h>
#include <opledger/crypto.h>

#define OPL_MANIFEST_MAX (1 << 20)
#define OPL_MANIFEST_FILES 1024

/* One side of one file; `present` false means that the file is absent on that side. */
struct opl_file_side {
    bool present;
    struct opl_hash sha256;
    char mode[8];   /* "0644" */
    char owner[24]; /* "0:0", numeric uid:gid */
};

struct opl_manifest_file {
    char *path; /* absolute, no . or .., no control bytes */
    struct opl_file_side next;
    struct opl_file_side base;
    int64_t size; /* bytes of the new side; 0 when absent */
};

struct opl_manifest {
    char target[256];
    struct opl_manifest_file *files; /* sorted by path bytes */
    size_t file_count;
    char **command; /* NULL-terminated argv; [0] NULL for none */
};

/* Reads a manifest's bytes: canonical and complete, or OPL_E_INVALID with the field. */
OPL_MUST_CHECK bool opl_manifest_parse(const char *text, size_t len, struct opl_manifest *out,
                                       struct opl_err *err);
void opl_manifest_close(struct opl_manifest *manifest);

/* Sorts the files and appends the canonical bytes; their SHA-256 is the manifest's digest. */
OPL_MUST_CHECK bool opl_manifest_write(struct opl_manifest *manifest, struct opl_buf *out,
                                       struct opl_err *err);

/* Digest of the base side: what must be in place for the change to apply. */
OPL_MUST_CHECK bool opl_manifest_base(const struct opl_manifest *manifest, struct opl_hash *out,
                                      struct opl_err *err);

#endif

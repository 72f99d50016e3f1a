/* SPDX-License-Identifier: Apache-2.0 */
/*
 * embedded - files of the source tree that are built into the programs: the shipped policies (in
 * lib/), the migrations of schema/ (in the server). Made by cmake/Embed.cmake; each table ends in a
 * NULL.
 */
#ifndef OPLEDGER_EMBEDDED_H
#define OPLEDGER_EMBEDDED_H

#include <stddef.h>

struct embedded_file {
    const char *path; /* relative to policies/ or schema/, e.g. "redact/secrets.yaml" */
    const char *text; /* followed by a NUL that `len` does not count */
    size_t len;
};

extern const struct embedded_file embedded_policies[];
extern const struct embedded_file embedded_migrations[]; /* in the server only */

#endif

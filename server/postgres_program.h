/* SPDX-License-Identifier: Apache-2.0 */
/*
 * postgres_program - PostgreSQL's programs, and the OS user who runs them: ours, or, for root, the
 * owner of the cluster.
 */
#ifndef OPLEDGER_SERVER_POSTGRES_PROGRAM_H
#define OPLEDGER_SERVER_POSTGRES_PROGRAM_H

#include <limits.h>
#include <sys/types.h>

#include <opledger/err.h>

struct postgres_owner {
    char name[64];
    uid_t uid;
    gid_t gid;
};

struct postgres_program {
    char bin[PATH_MAX]; /* folder of initdb and postgres */
    int version;        /* major */
    struct postgres_owner owner;
};

/*
 * Who owns, or would own, the cluster in `data`: the owner of the folder when it is there, else
 * `postgres` for root and ourselves for anybody else. OPL_E_CONFIG when that cannot be.
 */
OPL_MUST_CHECK bool postgres_owner_find(struct postgres_owner *owner, const char *data,
                                        struct opl_err *err);

/* Programs of major version `wanted`, or (0) the newest; in bin_dir, or (NULL, "") looked for. */
OPL_MUST_CHECK bool postgres_program_find(struct postgres_program *program, const char *bin_dir,
                                          int wanted, struct opl_err *err);

/* Runs a program as the owner, in a session of its own, output appended to the file; -1 on failure.
 */
pid_t postgres_program_spawn(const struct postgres_program *program, const char *name,
                             const char *const argv[], const char *output);

/* Whether the owner may pass through `dir`: "" in *barrier, or the first folder that stops him. */
OPL_MUST_CHECK bool postgres_owner_passes(const struct postgres_owner *owner, const char *dir,
                                          char barrier[static PATH_MAX], struct opl_err *err);

#endif

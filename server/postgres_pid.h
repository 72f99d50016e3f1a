/* SPDX-License-Identifier: Apache-2.0 */
/*
 * postgres_pid - postmaster.pid: whether a server runs on a cluster, and where its socket is. After
 * a kill -9 the file is stale, and its process id may be another program's.
 */
#ifndef OPLEDGER_SERVER_POSTGRES_PID_H
#define OPLEDGER_SERVER_POSTGRES_PID_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

struct postgres_pid {
    pid_t pid; /* 0: no server runs on this cluster */
    char socket[PATH_MAX];
};

/* Looks; `data` is an absolute path without symbolic links. */
void postgres_pid_read(struct postgres_pid *out, const char *data);

/* Whether process `pid` is a server on this cluster: a postmaster stands in its data folder. */
bool postgres_pid_is_server(pid_t pid, const char *data);

/* Whether any process stands in the data folder: children of a killed server still ending. */
bool postgres_pid_has_orphans(const char *data);

/*
 * Removes postmaster.pid where it names a living process that is no server on this cluster, which
 * PostgreSQL would take for one. It deals with a dead one itself, and the file tells it of shared
 * memory still in use, so in every other case it stays.
 */
void postgres_pid_clean(const char *data);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lockfile - DIR/opledgerd.lock: one opledgerd per data folder. The kernel drops the lock when the
 * process ends, however it ends.
 */
#ifndef OPLEDGER_SERVER_LOCKFILE_H
#define OPLEDGER_SERVER_LOCKFILE_H

#include <opledger/err.h>

struct lockfile {
    int fd; /* 0 while not held: `= {0}` is an empty one */
};

/* OPL_E_CONFIG, naming the other's process id, when somebody holds it. */
OPL_MUST_CHECK bool lockfile_take(struct lockfile *lock, const char *data_dir, struct opl_err *err);
void lockfile_close(struct lockfile *lock);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * postgres_cluster - the files of the embedded cluster: made once, its access rules written anew at
 * every start.
 */
#ifndef OPLEDGER_SERVER_POSTGRES_CLUSTER_H
#define OPLEDGER_SERVER_POSTGRES_CLUSTER_H

#include "postgres_program.h"

#define POSTGRES_HBA "opledger_hba.conf"
#define POSTGRES_IDENT "opledger_ident.conf"

struct postgres_cluster {
    struct postgres_program program;
    char dir[PATH_MAX];  /* DIR, absolute */
    char data[PATH_MAX]; /* DIR/postgres */
    char log[PATH_MAX];  /* DIR/postgres.log */
    char socket[108];    /* folder of the socket */
};

/* Finds owner, programs and places; makes the cluster when it is not there. */
OPL_MUST_CHECK bool postgres_cluster_open(struct postgres_cluster *cluster, const char *data_dir,
                                          const char *bin_dir, struct opl_err *err);

/* Writes who may connect, and makes the socket's folder. Before each start. */
OPL_MUST_CHECK bool postgres_cluster_prepare(const struct postgres_cluster *cluster,
                                             struct opl_err *err);

/* The log's length now, and what its lines since then say of a failure. */
long postgres_cluster_log_end(const struct postgres_cluster *cluster);
bool postgres_cluster_failed(const struct postgres_cluster *cluster, const char *what, long from,
                             struct opl_err *err);

/* Whether those lines say that a predecessor is still ending. */
bool postgres_cluster_must_wait(const struct postgres_cluster *cluster, long from);

#endif

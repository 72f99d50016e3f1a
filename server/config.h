/* SPDX-License-Identifier: Apache-2.0 */
/*
 * config - what opledgerd was told: one table of keys, read from flags, environment and file.
 *
 * A flag wins over the environment, that over the file, that over the default. Reading, --help and
 * --print-config come from the same table (config_keys), and so does docs/man.
 */
#ifndef OPLEDGER_SERVER_CONFIG_H
#define OPLEDGER_SERVER_CONFIG_H

#include <stdint.h>
#include <stdio.h>

#include <opledger/buf.h>

#include "log.h"

#define CONFIG_FILE "/etc/opledger/opledgerd.conf"

/* What the words after the flags ask for. */
enum config_action {
    CONFIG_SERVE,   /* opledgerd [flags] */
    CONFIG_MIGRATE, /* opledgerd migrate [flags] */
    CONFIG_HELP,    /* --help */
    CONFIG_VERSION, /* --version */
    CONFIG_PRINT    /* --print-config */
};

/* Every value; text is never NULL, "" when not set. */
struct config {
    enum config_action action;
    char *data;           /* data folder */
    char *db;             /* conninfo of the site's own server; "": embedded cluster. secret */
    char *listen;         /* ADDRESS:PORT */
    char *origin;         /* name of a new log; "": drawn at first start */
    char *pg_bin;         /* folder of PostgreSQL's programs; "": looked for */
    char *config_file;    /* where the file was read from; "": there was none */
    bool public_log;      /* tiles and entry bundles need no token */
    int64_t threads;      /* HTTP threads */
    int64_t workers;      /* database workers */
    int64_t queue;        /* writes that may wait for the sequencer */
    int64_t group;        /* entries in one transaction at most */
    int64_t connections;  /* HTTP connections at a time */
    int64_t request_ms;   /* deadline of one request */
    int64_t lock_ms;      /* lock_timeout */
    int64_t statement_ms; /* statement_timeout of readers */
    int64_t max_blob;     /* bytes of one blob at most */
    int64_t reserve;      /* bytes of disk that only entries may use */
    int64_t log_level;    /* enum log_level */
    int64_t log_format;   /* enum log_format */
};

enum config_type {
    CONFIG_TEXT,
    CONFIG_FLAG,     /* yes, no; as a flag without value: yes */
    CONFIG_INT,      /* plain number within the range */
    CONFIG_SIZE,     /* 64MiB, 1GiB; plain number: bytes */
    CONFIG_DURATION, /* 30s, 5m, 250ms; kept in milliseconds */
    CONFIG_CHOICE,   /* one of `choices`, kept as its index */
    CONFIG_ADDRESS   /* HOST:PORT, [V6]:PORT */
};

struct config_key {
    const char *key; /* --KEY VALUE, and `KEY = VALUE` in the file */
    const char *env;
    enum config_type type;
    size_t offset; /* in struct config */
    int64_t min, max;
    const char *choices; /* "debug|info|warn|error" */
    const char *otherwise;
    bool is_secret; /* shown as *** by --print-config */
    const char *value_name;
    const char *help;
};

extern const struct config_key config_keys[]; /* ends in a NULL key */

/*
 * Reads flags, environment and file into *config, which must be empty. OPL_E_USAGE for a flag,
 * OPL_E_CONFIG for the file or environment, each naming key, value and what is allowed.
 */
OPL_MUST_CHECK bool config_read(struct config *config, int argc, char *const argv[],
                                struct opl_err *err);
void config_close(struct config *config);

/* Text of --help and --print-config. */
void config_help(struct opl_buf *out);
void config_print(const struct config *config, struct opl_buf *out);

/* Splits ADDRESS:PORT; host without brackets. */
OPL_MUST_CHECK bool config_address(const char *text, char host[static 256], uint16_t *port,
                                   struct opl_err *err);

#endif

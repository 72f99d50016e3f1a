/* SPDX-License-Identifier: Apache-2.0 */
/*
 * config - settings of the client, from one table: flag > environment > file > default.
 *
 * Files are $XDG_CONFIG_HOME/opledger/config and then /etc/opledger/opledger.conf, lines of
 * `key = value`; the user's wins. An unknown key is an error, not a setting that silently does
 * nothing.
 */
#ifndef OPLEDGER_CLIENT_CONFIG_H
#define OPLEDGER_CLIENT_CONFIG_H

#include <stdint.h>

#include <opledger/err.h>

enum config_key {
    CONFIG_URL,
    CONFIG_TOKEN,
    CONFIG_TOKEN_FILE,
    CONFIG_SSH_KEY,
    CONFIG_MODEL,
    CONFIG_CA_FILE,
    CONFIG_TIMEOUT,
    CONFIG_REDACT_KEY_FILE,
    CONFIG_COUNT
};

struct config_row {
    const char *key; /* in files; NULL: never in a file */
    const char *env;
    const char *flag; /* global option without dashes, or NULL */
    const char *fallback;
    const char *help;
    bool secret; /* never printed */
};

extern const struct config_row config_rows[CONFIG_COUNT];

struct config {
    char *value[CONFIG_COUNT];        /* owned; NULL when nothing sets it */
    const char *source[CONFIG_COUNT]; /* "flag", "environment", "file" or "default" */
    int64_t timeout_s;
};

struct args;

/* Reads all sources; OPL_E_CONFIG names file, line and key. */
OPL_MUST_CHECK bool config_load(struct config *config, const struct args *args,
                                struct opl_err *err);

/* One file's text, as config_load reads it: keys that are already set stay. For tests too. */
OPL_MUST_CHECK bool config_parse(struct config *config, const char *name, const char *text,
                                 struct opl_err *err);

const char *config_get(const struct config *config, enum config_key key); /* "" when not set */
void config_close(struct config *config);

/* $VARIABLE/opledger/LEAF, or HOME/FALLBACK/opledger/LEAF; NULL without a home or memory. */
char *config_xdg_path(const char *variable, const char *fallback, const char *leaf);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gate_conf - what a host that enforces the gate relies on: /etc/opledger/gate.conf.
 *
 * The file belongs to root and nobody else can write it or replace it, so that neither flags nor
 * environment decide which ledger is asked and whose key is believed. Lines are `key = value`; an
 * unknown, repeated or missing key is an error, never a setting that silently does nothing. Exits
 * that the file does not name are closed: `override` and `offline_override` default to refuse.
 */
#ifndef OPLEDGER_CLIENT_GATE_CONF_H
#define OPLEDGER_CLIENT_GATE_CONF_H

#include <opledger/manifest.h>
#include <opledger/note.h>

#define GATE_CONF_STANDARD "/etc/opledger/gate.conf"

struct client;

/* Files whose path matches the glob belong to the target. */
struct gate_conf_path {
    char *glob;
    char *target;
};

struct gate_conf {
    char *file; /* owned, as everything here; NULL: none is in force */
    char *url;
    char *origin;
    char *ca_file; /* NULL: the system's */
    char *host;    /* NULL: the system's name */
    char *signers; /* an allowed_signers file; NULL: none */
    struct opl_vkey log_key;
    int64_t signers_min;
    int64_t policy_min; /* -1: none */
    bool override;
    bool offline_override;
    struct gate_conf_path *paths; /* the first that matches counts */
    size_t path_count;
};

void gate_conf_close(struct gate_conf *conf);

/* Reads the text of such a file; OPL_E_CONFIG with the line. On failure *out is empty. */
OPL_MUST_CHECK bool gate_conf_parse(const char *name, const char *text, size_t len,
                                    struct gate_conf *out, struct opl_err *err);

/* Where to look. */
struct gate_conf_places {
    const char *standard; /* GATE_CONF_STANDARD, except in tests */
    const char *given;    /* --gate-conf, or NULL */
};

/*
 * The file in force: `standard` where it exists, owned by root; else `given`, owned by root or the
 * caller. Either only when nobody else can write it or a folder above it. A standard file that
 * cannot be read is an error, not an absent one. Without any, out->file is NULL.
 */
OPL_MUST_CHECK bool gate_conf_load(const struct gate_conf_places *places, struct gate_conf *out,
                                   struct opl_err *err);

/*
 * Opens a file that this host trusts, `given` ones by the looser rule above; -1 with OPL_E_CONFIG
 * when somebody else could write it. *absent instead of an error when there is none.
 */
OPL_MUST_CHECK int gate_conf_open(const char *path, bool given, bool *absent, struct opl_err *err);

/*
 * The file in force for this run, by --gate-conf and --unpinned; its URL, certificates and log key
 * replace what flags, environment and files say, and stderr says so. Call it before anything is
 * sent.
 */
OPL_MUST_CHECK bool gate_conf_enforce(struct client *client, struct gate_conf *out,
                                      struct opl_err *err);

/* The target that owns a path on this host, NULL when no line matches. Borrowed. */
const char *gate_conf_target(const struct gate_conf *conf, const char *path);

/* OPL_E_VERIFY unless every file of the manifest belongs to its target by the file's lines. */
OPL_MUST_CHECK bool gate_conf_check_paths(const struct gate_conf *conf,
                                          const struct opl_manifest *manifest, struct opl_err *err);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * state - what this client remembers between runs, in $XDG_STATE_HOME/opledger (0700).
 *
 *   servers/URL        the origin that answered at this URL, and so which key must sign
 *   keys/ORIGIN        the log key pinned at first contact, as a vkey
 *   checkpoints/ORIGIN the newest signed note that was verified and consistent
 *   receipts/ORIGIN    every receipt, one JSON line each, appended and never removed
 *   statements/ORIGIN  every Statement that was signed here, the same way
 *   registry/ORIGIN    the administration read so far, and the edge of the tree it was read under
 *   tokens/URL         the token of the last login
 *   rules/URL          the redaction rules that this ledger has adopted, and when they were read
 *   incidents/UID-TTY  the last incident of this user and terminal
 *
 * The memory of every client is what catches a ledger that rewrites its past, so nothing here is
 * deleted by the program except a token at logout.
 */
#ifndef OPLEDGER_CLIENT_STATE_H
#define OPLEDGER_CLIENT_STATE_H

#include <opledger/buf.h>

struct state {
    char *folder; /* owned; NULL until opened */
};

/* Makes the folder; nothing else is touched. */
OPL_MUST_CHECK bool state_open(struct state *state, struct opl_err *err);
void state_close(struct state *state);

/* One remembered value; *found false when there is none. Names are escaped to be file names. */
OPL_MUST_CHECK bool state_get(const struct state *state, const char *what, const char *name,
                              struct opl_buf *out, bool *found, struct opl_err *err);
OPL_MUST_CHECK bool state_set(const struct state *state, const char *what, const char *name,
                              const char *text, struct opl_err *err);

/* Appends one line to a file that is kept for ever. */
OPL_MUST_CHECK bool state_append(const struct state *state, const char *what, const char *name,
                                 const char *line, struct opl_err *err);

/* Forgets one value; absent is fine. */
void state_forget(const struct state *state, const char *what, const char *name);

/* The file of a value, for the caller to free(); its folder exists when true is returned. */
OPL_MUST_CHECK bool state_path(const struct state *state, const char *what, const char *name,
                               char **path, struct opl_err *err);

/*
 * The key pinned for an origin at a URL. First contact pins both and sets *fresh; another origin
 * at the same URL, or another key of the same origin, is OPL_E_VERIFY.
 */
OPL_MUST_CHECK bool state_pin(const struct state *state, const char *url, const char *origin,
                              const char *vkey, bool *fresh, struct opl_err *err);

/* The last incident of this user and terminal; "" when none. */
OPL_MUST_CHECK bool state_incident(const struct state *state, struct opl_buf *out,
                                   struct opl_err *err);
OPL_MUST_CHECK bool state_set_incident(const struct state *state, const char *id,
                                       struct opl_err *err);

#endif

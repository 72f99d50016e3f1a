/* SPDX-License-Identifier: Apache-2.0 */
/*
 * desk - a client at work in front of a fake ledger, with a home of its own.
 *
 * Whole command lines are run as the program runs them, and what they print is kept.
 */
#ifndef OPLEDGER_TESTS_DESK_H
#define OPLEDGER_TESTS_DESK_H

#include "client/client.h"
#include "fake_ledger.h"

struct desk {
    struct fake_ledger *ledger;
    char home[64];
    struct opl_buf out; /* stdout of the last run */
    struct opl_buf err; /* stderr of it */
};

/* Over a story, which is taken; sets the environment of the process. */
struct desk *desk_new(struct story *story);
void desk_free(struct desk *desk);

/* cmocka fixtures: a desk over story_begin() in *state. */
int desk_set_up(void **state);
int desk_tear_down(void **state);

/* inc-1, hyp-1 that nobody confirmed, and chg-1 of slurm.conf from "abc" to "def" that rests on it;
 * and a fixture with these. */
void desk_add_change(struct desk *desk);
int desk_set_up_change(void **state);

/* Runs words after "opledger", ending with NULL; `input` (may be NULL) is stdin. Exit status. */
int desk_run(struct desk *desk, const char *input, const char *const words[]);

#define RUN(desk, ...) desk_run(desk, NULL, (const char *const[]){__VA_ARGS__, NULL})
#define RUN_WITH(desk, input, ...) desk_run(desk, input, (const char *const[]){__VA_ARGS__, NULL})

bool desk_said(const struct desk *desk, const char *text);       /* on stdout */
bool desk_complained(const struct desk *desk, const char *text); /* on stderr */

/* A client connected to the ledger, for calling modules directly; close it with the other. */
void desk_client(struct desk *desk, struct client *client);
void desk_client_close(struct client *client);

/* A file below the home, with this text; the path lives until the next call but three. */
const char *desk_file(struct desk *desk, const char *name, const char *text);

#endif

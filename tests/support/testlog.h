/* SPDX-License-Identifier: Apache-2.0 */
/*
 * testlog - a log of the server's own in a test program: PostgreSQL, key and sequencer, no HTTP.
 *
 * Functions end the test when they cannot do their work.
 */
#ifndef OPLEDGER_TESTS_TESTLOG_H
#define OPLEDGER_TESTS_TESTLOG_H

#include "pg.h"
#include "server/sequencer.h"

struct testlog {
    struct pg *pg;
    struct db *db; /* of the service role, for the test itself */
    char dir[64];
    char conninfo[256];
    struct ledger ledger;
    struct published published;
    struct metrics metrics;
    struct sequencer *sequencer;
};

/* An empty log with the principal `admin` (recorder, admin) as its first entry. */
struct testlog *testlog_start(void);
void testlog_stop(struct testlog *log);

/* Only the sequencer: stopped, and started again with its result. */
void testlog_pause(struct testlog *log);
bool testlog_resume(struct testlog *log, struct opl_err *err);

/* A write of admin's with these lines, one JSON document each, NULL-terminated; key "" for none. */
struct write *testlog_write(const char *key, const char *const lines[]);

/* Runs it; false with its error. */
bool testlog_run(struct testlog *log, struct write *write, struct opl_err *err);

/* Appends one entry. */
void testlog_add(struct testlog *log, const char *line);

/* Appends `count` notes to inc-1 in one batch. */
void testlog_notes(struct testlog *log, size_t count);

/* The size that is published. */
uint64_t testlog_size(struct testlog *log);

#endif

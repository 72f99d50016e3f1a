/* SPDX-License-Identifier: Apache-2.0 */
#include "testlog.h"

#include <unistd.h>

#include <opledger/json.h>

#include "unit.h"

static void write_first(struct testlog *log)
{
    struct write *write = testlog_write(
        "", (const char *const[]){"{\"kind\":\"principal.enrolled\",\"body\":{\"name\":\"admin\","
                                  "\"class\":\"person\",\"roles\":[\"admin\",\"recorder\"]}}",
                                  NULL});

    write->writer.known = false; /* the service itself */
    assert_ok(testlog_run(log, write, err));
    write_free(write);
}

struct testlog *testlog_start(void)
{
    struct testlog *log = calloc(1, sizeof *log);

    assert_non_null(log);
    snprintf(log->dir, sizeof log->dir, "/tmp/opl-testlog-XXXXXX");
    assert_non_null(mkdtemp(log->dir));
    log->pg = pg_start_migrated();
    snprintf(log->conninfo, sizeof log->conninfo,
             "host=%s port=5432 dbname=opledger user=opledger_service", pg_socket(log->pg));
    log->db = pg_connect(log->pg, "opledger_service", NULL);
    assert_ok(ledger_open(&log->ledger, log->dir, "", log->db, err));
    published_init(&log->published);
    assert_ok(testlog_resume(log, err));
    write_first(log);
    return log;
}

void testlog_pause(struct testlog *log)
{
    sequencer_free(log->sequencer);
    log->sequencer = NULL;
}

bool testlog_resume(struct testlog *log, struct opl_err *err)
{
    const struct sequencer_options options = {
        .db = {.conninfo = log->conninfo, .lock_timeout_ms = 5000},
        .ledger = &log->ledger,
        .published = &log->published,
        .metrics = &log->metrics,
        .queue = 1000,
        .group = 1000
    };

    if (sequencer_start(&log->sequencer, &options, err))
        return true;
    testlog_pause(log);
    return false;
}

void testlog_stop(struct testlog *log)
{
    char path[128];

    testlog_pause(log);
    published_close(&log->published);
    ledger_close(&log->ledger);
    db_free(log->db);
    pg_stop(log->pg);
    snprintf(path, sizeof path, "%s/log.key", log->dir);
    unlink(path);
    snprintf(path, sizeof path, "%s/origin", log->dir);
    unlink(path);
    rmdir(log->dir);
    free(log);
}

struct write *testlog_write(const char *key, const char *const lines[])
{
    struct write *write = write_new();

    assert_non_null(write);
    write->writer.known = true;
    write->writer.class = OPL_CLASS_PERSON;
    snprintf(write->writer.principal, sizeof write->writer.principal, "admin");
    write->writer.scope_count = 2;
    snprintf(write->writer.scope_words[0], sizeof write->writer.scope_words[0], "recorder");
    snprintf(write->writer.scope_words[1], sizeof write->writer.scope_words[1], "admin");
    snprintf(write->key, sizeof write->key, "%s", key);
    for (size_t i = 0; lines[i] != NULL; i++) {
        opl_sha256(lines[i], strlen(lines[i]), &write->digest);
        assert_ok(write_add_json(write, opl_json_parse(lines[i], strlen(lines[i]), err),
                                 opl_time_now(), err));
    }
    write->is_batch = write->count > 1;
    return write;
}

bool testlog_run(struct testlog *log, struct write *write, struct opl_err *err)
{
    return sequencer_write(log->sequencer, write, err);
}

void testlog_add(struct testlog *log, const char *line)
{
    struct write *write = testlog_write("", (const char *const[]){line, NULL});

    assert_ok(testlog_run(log, write, err));
    write_free(write);
}

void testlog_notes(struct testlog *log, size_t count)
{
    static const char note[] =
        "{\"kind\":\"incident.noted\",\"on\":\"inc-1\",\"body\":{\"text\":\"n\"}}";
    struct write *write = testlog_write("", (const char *const[]){note, note, NULL});

    while (write->count < count)
        assert_ok(
            write_add_json(write, opl_json_parse(note, strlen(note), err), opl_time_now(), err));
    assert_ok(testlog_run(log, write, err));
    write_free(write);
}

uint64_t testlog_size(struct testlog *log)
{
    struct signed_head *head = published_head(&log->published);
    uint64_t size = head != NULL ? head->head.size : 0;

    signed_head_drop(head);
    return size;
}

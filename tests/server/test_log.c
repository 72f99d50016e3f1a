/* SPDX-License-Identifier: Apache-2.0 */
#include "server/log.h"

#include <jansson.h>
#include <unistd.h>

#include "unit.h"

static int fds[2];
static char line[16384];

static int setup(void **state)
{
    (void)state;
    return pipe(fds);
}

static int teardown(void **state)
{
    (void)state;
    close(fds[0]);
    close(fds[1]);
    return 0;
}

static const char *written(void)
{
    ssize_t n = read(fds[0], line, sizeof(line) - 1);

    line[n > 0 ? n : 0] = '\0';
    return line;
}

static void a_text_record_is_one_line(void **state)
{
    (void)state;
    log_setup(LOG_LEVEL_INFO, LOG_FORMAT_TEXT, fds[1]);
    log_info("listening", LOG_S("address", "127.0.0.1:8585"), LOG_I("threads", 4),
             LOG_S("name", "two words"));
    assert_non_null(
        strstr(written(), " info listening address=127.0.0.1:8585 threads=4 name=\"two words\"\n"));
}

static void control_characters_do_not_reach_the_terminal(void **state)
{
    (void)state;
    log_setup(LOG_LEVEL_INFO, LOG_FORMAT_TEXT, fds[1]);
    log_warn("odd", LOG_S("text", "a\nb\x1b[31m\"\\"));
    assert_non_null(strstr(written(), "text=\"a\\x0ab\\x1b[31m\\\"\\\\\"\n"));
    assert_ptr_equal(strchr(line, '\n'), line + strlen(line) - 1);
}

static void a_json_record_is_one_document(void **state)
{
    json_t *record;

    (void)state;
    log_setup(LOG_LEVEL_INFO, LOG_FORMAT_JSON, fds[1]);
    log_error("failed", LOG_S("detail", "line\nbreak"), LOG_I("n", -3), LOG_S("bad", "\xff"));
    record = json_loads(written(), 0, NULL);
    assert_non_null(record);
    assert_string_equal(json_string_value(json_object_get(record, "event")), "failed");
    assert_string_equal(json_string_value(json_object_get(record, "level")), "error");
    assert_string_equal(json_string_value(json_object_get(record, "detail")), "line\nbreak");
    assert_int_equal(json_integer_value(json_object_get(record, "n")), -3);
    assert_true(json_is_null(json_object_get(record, "bad")));
    assert_ptr_equal(strchr(line, '\n'), line + strlen(line) - 1);
    json_decref(record);
}

static void lesser_levels_are_silent(void **state)
{
    (void)state;
    log_setup(LOG_LEVEL_WARN, LOG_FORMAT_TEXT, fds[1]);
    log_info("quiet");
    log_warn("loud");
    assert_null(strstr(written(), "quiet"));
    assert_non_null(strstr(line, "loud"));
    assert_false(log_wants(LOG_LEVEL_INFO));
}

static void an_error_is_a_record(void **state)
{
    struct opl_err err = {0};

    (void)state;
    opl_fail_at(&err, OPL_E_STORAGE, "/x", "full");
    opl_hint(&err, "free space");
    log_setup(LOG_LEVEL_INFO, LOG_FORMAT_TEXT, fds[1]);
    log_err(LOG_LEVEL_ERROR, "write", &err);
    assert_non_null(strstr(
        written(), "error write error=storage-full detail=full field=/x hint=\"free space\""));
}

static void a_record_that_is_too_long_still_says_its_event(void **state)
{
    static char text[10000];

    (void)state;
    memset(text, 'x', sizeof(text) - 1);
    log_setup(LOG_LEVEL_INFO, LOG_FORMAT_TEXT, fds[1]);
    log_info("long", LOG_S("text", text));
    assert_non_null(strstr(written(), " info long\n"));
}

#define with_pipe(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

static const struct CMUnitTest tests[] = {
    with_pipe(a_text_record_is_one_line),
    with_pipe(control_characters_do_not_reach_the_terminal),
    with_pipe(a_json_record_is_one_document),
    with_pipe(lesser_levels_are_silent),
    with_pipe(an_error_is_a_record),
    with_pipe(a_record_that_is_too_long_still_says_its_event),
};

UNIT_MAIN(tests)

/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "server/metrics.h"

static void requests_are_counted_by_class_and_time(void **state)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf out = {0};
    struct metrics metrics = {0};
    const char *text;

    (void)state;
    metrics_request(&metrics, 201, 400);
    metrics_request(&metrics, 404, 700);
    metrics_request(&metrics, 503, 9000000);
    metrics_request(&metrics, 0, 1); /* no status: only the time */
    metrics_write(&metrics, &out);
    text = opl_buf_text(&out);
    assert_non_null(strstr(text, "opledger_requests_total{class=\"2xx\"} 1\n"));
    assert_non_null(strstr(text, "opledger_requests_total{class=\"5xx\"} 1\n"));
    assert_non_null(strstr(text, "opledger_request_seconds_bucket{le=\"0.0005\"} 2\n"));
    assert_non_null(strstr(text, "opledger_request_seconds_bucket{le=\"5\"} 3\n"));
    assert_non_null(strstr(text, "opledger_request_seconds_bucket{le=\"+Inf\"} 4\n"));
    assert_non_null(strstr(text, "opledger_request_seconds_count 4\n"));
}

static void every_line_is_a_comment_or_a_value(void **state)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf out = {0};
    struct metrics metrics = {0};
    char *rest, *line;

    (void)state;
    metrics_write(&metrics, &out);
    rest = out.data;
    while ((line = strsep(&rest, "\n")) != NULL) {
        if (line[0] != '#' && line[0] != '\0')
            assert_int_equal(strncmp(line, "opledger_", 9), 0);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(requests_are_counted_by_class_and_time),
    cmocka_unit_test(every_line_is_a_comment_or_a_value),
};

UNIT_MAIN(tests)

/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include <opledger/json.h>

#include "server/reply.h"

static json_t *problem_of(const struct opl_err *why, json_t *errors)
{
    OPL_CLEANUP(reply_close) struct reply reply = {0};
    json_t *problem;

    reply_problem(&reply, why, "0123456789abcdef", errors);
    assert_string_equal(reply.media, "application/problem+json");
    problem = opl_json_parse(reply.body.data, reply.body.len, NULL);
    assert_non_null(problem);
    assert_int_equal(opl_json_int(problem, "status", 0), reply.status);
    return problem;
}

static void a_problem_says_field_and_hint(void **state)
{
    struct opl_err why = {0};
    json_t *problem;

    (void)state;
    opl_fail_at(&why, OPL_E_INVALID, "/body/claim", "is \"too\" long\t");
    opl_hint(&why, "shorten it");
    problem = problem_of(&why, NULL);
    assert_string_equal(opl_json_str(problem, "type"), "/problems/invalid-entry");
    assert_string_equal(opl_json_str(problem, "field"), "/body/claim");
    assert_string_equal(opl_json_str(problem, "hint"), "shorten it");
    assert_string_equal(opl_json_str(problem, "request_id"), "0123456789abcdef");
    assert_int_equal(opl_json_int(problem, "status", 0), 422);
    json_decref(problem);
}

static void what_failed_inside_is_not_told(void **state)
{
    struct opl_err why = {0};
    json_t *problem;

    (void)state;
    opl_fail(&why, OPL_E_INTERNAL, "statement entry_insert failed at /var/lib/x");
    problem = problem_of(&why, NULL);
    assert_null(strstr(opl_json_str(problem, "detail"), "/var/lib"));
    assert_null(json_object_get(problem, "field"));
    json_decref(problem);
}

static void a_problem_carries_the_lines_of_a_batch(void **state)
{
    struct opl_err why = {0};
    json_t *errors = json_pack("[{s:i, s:s}]", "line", 3, "detail", "x"), *problem;

    (void)state;
    opl_fail(&why, OPL_E_INVALID, "x");
    problem = problem_of(&why, errors);
    assert_int_equal(json_array_size(json_object_get(problem, "errors")), 1);
    json_decref(problem);
    json_decref(errors);
}

static void every_slug_that_is_sent_has_a_page(void **state)
{
    static const enum opl_code codes[] = {
        OPL_E_MALFORMED,  OPL_E_UNAUTHENTICATED, OPL_E_FORBIDDEN,       OPL_E_NOT_FOUND,
        OPL_E_METHOD,     OPL_E_RANGE,           OPL_E_REQUEST_TIMEOUT, OPL_E_WRONG_STATE,
        OPL_E_CONFLICT,   OPL_E_STALE,           OPL_E_TOO_LARGE,       OPL_E_GATE_DENIED,
        OPL_E_MEDIA_TYPE, OPL_E_INVALID,         OPL_E_SIGNATURE,       OPL_E_DIGEST,
        OPL_E_RATE,       OPL_E_INTERNAL,        OPL_E_NOMEM,           OPL_E_UNAVAILABLE,
        OPL_E_LOG,        OPL_E_TIMED_OUT,       OPL_E_STORAGE};

    (void)state;
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        OPL_CLEANUP(opl_buf_close) struct opl_buf page = {0};

        assert_true(reply_problem_page(opl_code_slug(codes[i]), &page));
    }
    assert_false(reply_problem_page("no-such-thing", NULL));
}

static void strings_are_escaped(void **state)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf out = {0};
    json_t *value;

    (void)state;
    reply_add_string(&out, "a\"b\\c\n\x01 \xc3\xa9");
    value = json_loads(opl_buf_text(&out), JSON_DECODE_ANY, NULL);
    assert_string_equal(json_string_value(value), "a\"b\\c\n\x01 \xc3\xa9");
    json_decref(value);
}

static void headers_beyond_the_maximum_are_dropped(void **state)
{
    struct reply reply = {0};

    (void)state;
    for (int i = 0; i < REPLY_HEADERS + 3; i++)
        reply_header(&reply, "X", "%d", i);
    assert_int_equal(reply.header_count, REPLY_HEADERS);
    reply_close(&reply);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_problem_says_field_and_hint),
    cmocka_unit_test(what_failed_inside_is_not_told),
    cmocka_unit_test(a_problem_carries_the_lines_of_a_batch),
    cmocka_unit_test(every_slug_that_is_sent_has_a_page),
    cmocka_unit_test(strings_are_escaped),
    cmocka_unit_test(headers_beyond_the_maximum_are_dropped),
};

UNIT_MAIN(tests)

/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "server/request.h"

static struct request *parsed(const char *target)
{
    struct request *request = request_new(NULL, target);

    assert_non_null(request);
    assert_ok(request_parse_target(request, err));
    return request;
}

static void refused(const char *target, enum opl_code code)
{
    struct request *request = request_new(NULL, target);

    assert_non_null(request);
    assert_fails(request_parse_target(request, err), code);
    request_drop(request);
}

static void path_and_query_are_decoded(void **state)
{
    struct request *request = parsed("/v1/x%20y?a=1&b=c%2Fd+e&empty&none=");

    (void)state;
    assert_string_equal(request->path, "/v1/x y");
    assert_string_equal(request_query(request, "a"), "1");
    assert_string_equal(request_query(request, "b"), "c/d e");
    assert_string_equal(request_query(request, "empty"), "");
    assert_string_equal(request_query(request, "none"), "");
    assert_null(request_query(request, "c"));
    request_drop(request);
}

static void a_bad_target_is_refused(void **state)
{
    char many[400] = "/?";
    char *longest = calloc(1, REQUEST_TARGET_MAX + 10);

    (void)state;
    refused("x", OPL_E_MALFORMED);
    refused("/%zz", OPL_E_MALFORMED);
    refused("/%4", OPL_E_MALFORMED);
    refused("/a%00b", OPL_E_MALFORMED);
    refused("/%ff", OPL_E_MALFORMED);
    refused("/?a=%", OPL_E_MALFORMED);
    refused("/?a=1&a=2", OPL_E_MALFORMED);
    for (int i = 0; i <= REQUEST_QUERY; i++)
        snprintf(many + strlen(many), sizeof many - strlen(many), "q%d=1&", i);
    refused(many, OPL_E_MALFORMED);
    memset(longest, '/', REQUEST_TARGET_MAX + 5);
    refused(longest, OPL_E_TOO_LARGE);
    free(longest);
}

static void numbers_are_plain_decimals(void **state)
{
    static const char *const bad[] = {"", "-1", "+1", "01", "1e3", "0x1", "9007199254740992", " 1"};
    uint64_t value = 7;

    (void)state;
    assert_true(request_number("0", &value) && value == 0);
    assert_true(request_number("9007199254740991", &value) && value == 9007199254740991u);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(request_number(bad[i], &value));
}

static void an_integer_parameter_keeps_to_its_range(void **state)
{
    static const int64_t range[] = {1, 10};
    struct request *request = parsed("/?low=0&high=11&good=10&word=x");
    int64_t value;

    (void)state;
    assert_ok(request_query_int(request, "good", 3, range, &value, err));
    assert_int_equal(value, 10);
    assert_ok(request_query_int(request, "absent", 3, range, &value, err));
    assert_int_equal(value, 3);
    assert_fails(request_query_int(request, "low", 3, range, &value, err), OPL_E_MALFORMED);
    assert_fails(request_query_int(request, "high", 3, range, &value, err), OPL_E_MALFORMED);
    assert_fails(request_query_int(request, "word", 3, range, &value, err), OPL_E_MALFORMED);
    request_drop(request);
}

static void unknown_parameters_are_refused(void **state)
{
    struct request *request = parsed("/?limit=1");

    (void)state;
    assert_ok(request_only(request, "from limit", err));
    assert_fails(request_only(request, "from", err), OPL_E_MALFORMED);
    assert_fails(request_only(request, "limits", err), OPL_E_MALFORMED);
    assert_fails(request_only(request, "", err), OPL_E_MALFORMED);
    request_drop(request);
}

static void unknown_members_are_named(void **state)
{
    json_t *object = json_pack("{s:i, s:i}", "a", 1, "b", 2);
    struct opl_err why = {0};

    (void)state;
    assert_ok(request_members(object, "b a", err));
    assert_false(request_members(object, "a", &why));
    assert_string_equal(why.field, "/b");
    json_decref(object);
    assert_fails(request_members(json_true(), "a", err), OPL_E_INVALID);
}

static void release(void *ctx)
{
    (*(int *)ctx)++;
}

static void whoever_comes_last_frees_a_request(void **state)
{
    struct request *request = parsed("/");
    int released = 0;

    (void)state;
    request->sink = (struct request_sink){.ctx = &released, .release = release};
    request_hold(request);
    request_drop(request);
    assert_int_equal(released, 0);
    request_drop(request);
    assert_int_equal(released, 1);
    request_drop(NULL);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(path_and_query_are_decoded),
    cmocka_unit_test(a_bad_target_is_refused),
    cmocka_unit_test(numbers_are_plain_decimals),
    cmocka_unit_test(an_integer_parameter_keeps_to_its_range),
    cmocka_unit_test(unknown_parameters_are_refused),
    cmocka_unit_test(unknown_members_are_named),
    cmocka_unit_test(whoever_comes_last_frees_a_request),
};

UNIT_MAIN(tests)

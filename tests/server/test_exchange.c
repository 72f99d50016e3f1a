/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include <opledger/json.h>

#include "server/exchange.h"
#include "server/routes.h"
#include "server/server.h"

static struct config config = {.request_ms = 1000};
static struct server server = {.config = &config};

static int start(void **state)
{
    (void)state;
    assert_ok(opl_crypto_init(err));
    published_init(&server.published);
    return 0;
}

static struct request *begun(const char *method, const char *target, const char *authorization)
{
    struct request *request = request_new(&server, target);

    assert_non_null(request);
    snprintf(request->method, sizeof request->method, "%s", method);
    exchange_begin(request, authorization);
    return request;
}

/* The status of a request that is answered without waiting. */
static int answered(struct request *request)
{
    int status;

    assert_int_equal(exchange_advance(request), EXCHANGE_ANSWER);
    status = request->reply.status;
    request_drop(request);
    return status;
}

static void a_reply_from_memory_needs_no_wait(void **state)
{
    (void)state;
    assert_int_equal(answered(begun("GET", "/healthz", NULL)), 200);
}

static void a_reply_from_the_database_waits(void **state)
{
    struct request *request = begun("GET", "/readyz", NULL);

    (void)state;
    assert_int_equal(exchange_advance(request), EXCHANGE_WAIT);
    assert_non_null(request->work);
    request_drop(request);
}

static void errors_of_the_head_become_problems(void **state)
{
    (void)state;
    assert_int_equal(answered(begun("GET", "/nowhere", NULL)), 404);
    assert_int_equal(answered(begun("PUT", "/healthz", NULL)), 405);
    assert_int_equal(answered(begun("GET", "/%", NULL)), 400);
    assert_int_equal(answered(begun("GET", "/v1/whoami", NULL)), 401);
    assert_int_equal(answered(begun("GET", "/v1/whoami", "Basic eDp5")), 401);
}

static void a_bad_token_does_no_harm_on_public_paths(void **state)
{
    (void)state;
    assert_int_equal(answered(begun("GET", "/healthz", "Bearer nonsense")), 200);
}

static struct request *with_body(const char *media, size_t length)
{
    struct request *request = request_new(&server, "/v1/login/challenge");

    assert_non_null(request);
    snprintf(request->method, sizeof request->method, "POST");
    snprintf(request->media_type, sizeof request->media_type, "%s", media);
    request->has_length = length > 0;
    request->length = length;
    exchange_begin(request, NULL);
    return request;
}

static void media_types_and_sizes_are_checked_before_the_body(void **state)
{
    (void)state;
    assert_int_equal(answered(with_body("text/plain", 2)), 415);
    assert_int_equal(answered(with_body("application/jsonx", 2)), 415);
    assert_int_equal(answered(with_body("application/json", 5000)), 413);
}

static void a_body_is_collected_up_to_its_limit(void **state)
{
    struct request *good = with_body("Application/JSON; charset=utf-8", 2);
    struct request *large = with_body("application/json", 0);
    char piece[600];

    (void)state;
    exchange_body(good, "{}", 2);
    assert_int_equal(answered(good), 200);
    memset(piece, ' ', sizeof piece);
    exchange_body(large, piece, sizeof piece);
    exchange_body(large, piece, sizeof piece);
    exchange_body(large, piece, sizeof piece);
    assert_int_equal(answered(large), 413);
}

static void a_stopping_server_takes_nothing_new(void **state)
{
    (void)state;
    atomic_store(&server.stopping, true);
    assert_int_equal(answered(begun("GET", "/healthz", NULL)), 503);
    atomic_store(&server.stopping, false);
}

static void an_overdue_request_says_so(void **state)
{
    OPL_CLEANUP(reply_close) struct reply reply = {0};
    struct request *request = begun("GET", "/readyz", NULL);

    (void)state;
    exchange_overdue(request, &reply);
    assert_int_equal(reply.status, 504);
    request_drop(request);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_reply_from_memory_needs_no_wait),
    cmocka_unit_test(a_reply_from_the_database_waits),
    cmocka_unit_test(errors_of_the_head_become_problems),
    cmocka_unit_test(a_bad_token_does_no_harm_on_public_paths),
    cmocka_unit_test(media_types_and_sizes_are_checked_before_the_body),
    cmocka_unit_test(a_body_is_collected_up_to_its_limit),
    cmocka_unit_test(a_stopping_server_takes_nothing_new),
    cmocka_unit_test(an_overdue_request_says_so),
};

int main(void)
{
    return cmocka_run_group_tests(tests, start, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "client/api.h"

#include "unit.h"

#include <unistd.h>

#include "canned.h"
#include "client/api_problem.h"
#include "client/files.h"

#define PROBLEM                                                                                    \
    "{\"type\":\"/problems/wrong-state\",\"title\":\"x\",\"status\":409,\"detail\":\"inc-3 is "    \
    "closed\",\"field\":\"/on\",\"hint\":\"opledger incident reopen inc-3\",\"request_id\":\"r\"}"

/* What the server says next, and what it was asked. */
struct script {
    struct canned_reply reply;
    struct canned_request seen;
    char body[256];
};

static void play(void *ctx, const struct canned_request *request, struct canned_reply *reply)
{
    struct script *script = ctx;

    *reply = script->reply;
    script->seen = *request;
    (void)snprintf(script->body, sizeof(script->body), "%.*s", (int)request->body_len,
                   request->body);
    memset(&script->reply.body, 0, sizeof(script->reply.body)); /* it is the server's now */
}

struct table {
    struct script script;
    struct canned *server;
    struct api *api;
};

static void say(struct table *table, int status, const char *media, const char *body)
{
    table->script.reply = (struct canned_reply){.status = status, .media = media};
    opl_buf_str(&table->script.reply.body, body);
}

static int set_up(void **state)
{
    struct table *table = calloc(1, sizeof(*table));
    struct api_settings settings = {.token = "secret-token", .ca_file = "", .timeout_s = 5};

    table->server = canned_start(play, &table->script);
    settings.url = canned_url(table->server);
    table->api = api_new(&settings, NULL);
    *state = table;
    return table->api == NULL;
}

static int tear_down(void **state)
{
    struct table *table = *state;

    api_free(table->api);
    canned_stop(table->server);
    opl_buf_close(&table->script.reply.body);
    free(table);
    return 0;
}

static void a_document_is_returned_and_the_token_is_sent(void **state)
{
    struct table *table = *state;
    json_t *out = NULL;

    say(table, 200, NULL, "{\"a\":1}");
    assert_ok(api_get(table->api, "/v1/x?y=1", &out, err));
    assert_int_equal(json_integer_value(json_object_get(out, "a")), 1);
    assert_string_equal(table->script.seen.path, "/v1/x?y=1");
    assert_non_null(strstr(table->script.seen.head, "Authorization: Bearer secret-token\r\n"));
    json_decref(out);
}

static void a_post_carries_canonical_json_and_its_key(void **state)
{
    struct table *table = *state;
    json_t *body = json_pack("{s:i, s:i}", "b", 2, "a", 1);
    json_t *out = NULL;

    say(table, 201, NULL, "{}");
    assert_ok(api_post(table->api, "/v1/entries", body, "k-1", &out, err));
    assert_string_equal(table->script.body, "{\"a\":1,\"b\":2}");
    assert_non_null(strstr(table->script.seen.head, "Idempotency-Key: k-1\r\n"));
    json_decref(out);
    json_decref(body);
}

static void a_problem_becomes_the_error_with_field_and_hint(void **state)
{
    struct table *table = *state;
    struct opl_err err = {0};
    json_t *out = NULL;
    json_t *problem;

    say(table, 409, "application/problem+json", PROBLEM);
    assert_false(api_get(table->api, "/v1/x", &out, &err));
    assert_int_equal(err.code, OPL_E_WRONG_STATE);
    assert_string_equal(err.text, "inc-3 is closed");
    assert_string_equal(err.field, "/on");
    assert_string_equal(err.hint, "opledger incident reopen inc-3");
    problem = api_take_problem(table->api);
    assert_string_equal(json_string_value(json_object_get(problem, "request_id")), "r");
    json_decref(problem);
}

static void an_answer_that_is_no_problem_document_is_unavailable(void **state)
{
    struct table *table = *state;
    json_t *out = NULL;

    say(table, 502, "text/html", "<html>bad gateway</html>");
    assert_fails(api_get(table->api, "/v1/x", &out, err), OPL_E_UNAVAILABLE);
    say(table, 404, "text/html", "<html>no</html>");
    assert_fails(api_get(table->api, "/v1/x", &out, err), OPL_E_NOT_FOUND);
}

static void a_redirect_is_not_followed(void **state)
{
    struct table *table = *state;
    json_t *out = NULL;

    say(table, 302, NULL, "{}");
    assert_fails(api_get(table->api, "/v1/x", &out, err), OPL_E_UNAVAILABLE);
}

static void something_else_than_a_json_object_does_not_verify(void **state)
{
    struct table *table = *state;
    json_t *out = NULL;

    say(table, 200, NULL, "{\"a\":1,\"a\":2}");
    assert_fails(api_get(table->api, "/v1/x", &out, err), OPL_E_VERIFY);
    assert_null(out);
    say(table, 200, NULL, "[1]");
    assert_fails(api_get(table->api, "/v1/x", &out, err), OPL_E_VERIFY);
    assert_null(out);
}

static void a_server_that_hangs_up_is_unavailable(void **state)
{
    struct table *table = *state;
    json_t *out = NULL;

    table->script.reply = (struct canned_reply){.silent = true};
    assert_fails(api_get(table->api, "/v1/x", &out, err), OPL_E_UNAVAILABLE);
}

static void an_answer_that_breaks_off_is_unavailable(void **state)
{
    struct table *table = *state;
    json_t *out = NULL;

    say(table, 200, NULL, "{\"a\":1}");
    table->script.reply.cut = 3;
    assert_fails(api_get(table->api, "/v1/x", &out, err), OPL_E_UNAVAILABLE);
}

static void an_absent_server_is_unavailable_and_said_plainly(void **state)
{
    struct api_settings settings = {.url = "http://127.0.0.1:1", .ca_file = "", .timeout_s = 5};
    struct api *api = api_new(&settings, NULL);
    struct opl_err err = {0};
    json_t *out = NULL;

    (void)state;
    assert_false(api_get(api, "/v1/x", &out, &err));
    assert_int_equal(err.code, OPL_E_UNAVAILABLE);
    assert_int_equal(opl_code_exit(err.code), 3);
    assert_string_equal(err.text, "no ledger answers at http://127.0.0.1:1");
    api_free(api);
}

static void only_http_urls_are_taken(void **state)
{
    static const char *const urls[] = {"file:///etc", "ftp://127.0.0.1", "127.0.0.1:8585",
                                       "//127.0.0.1", "httpx://h",       ""};

    (void)state;
    for (size_t i = 0; i < sizeof urls / sizeof *urls; i++) {
        const struct api_settings settings = {.url = urls[i], .ca_file = "", .timeout_s = 5};

        assert_fails(api_new(&settings, err) != NULL, OPL_E_CONFIG);
    }
}

static void a_blob_goes_up_under_its_digest(void **state)
{
    struct table *table = *state;
    int fd = file_temporary(NULL);
    struct opl_hash sha256;
    int64_t size;

    assert_int_equal(write(fd, "abc", 3), 3);
    assert_ok(file_digest(fd, "it", &sha256, &size, err));
    say(table, 201, NULL, "{}");
    assert_ok(api_put_blob(table->api, &sha256, fd, size, err));
    assert_string_equal(table->script.body, "abc");
    assert_string_equal(table->script.seen.method, "PUT");
    assert_string_equal(
        table->script.seen.path,
        "/v1/blobs/ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    close(fd);
}

static void a_blob_with_other_bytes_is_refused(void **state)
{
    struct table *table = *state;
    struct opl_hash sha256;
    int fd = file_temporary(NULL);

    opl_sha256("abc", 3, &sha256);
    say(table, 200, "application/octet-stream", "abc");
    assert_ok(api_get_blob(table->api, &sha256, fd, err));
    say(table, 200, "application/octet-stream", "abd");
    assert_fails(api_get_blob(table->api, &sha256, fd, err), OPL_E_DIGEST);
    close(fd);
}

static void a_problem_never_goes_where_bytes_are_meant(void **state)
{
    struct table *table = *state;
    struct opl_hash sha256;
    int fd = file_temporary(NULL);

    opl_sha256("abc", 3, &sha256);
    say(table, 403, "application/problem+json",
        "{\"type\":\"/problems/forbidden\",\"detail\":\"needs evidence-raw\"}");
    assert_fails(api_get_blob(table->api, &sha256, fd, err), OPL_E_FORBIDDEN);
    assert_int_equal(lseek(fd, 0, SEEK_END), 0);
    close(fd);
}

static void the_first_bad_line_of_a_batch_is_told(void **state)
{
    static const char text[] = "{\"type\":\"/problems/invalid-entry\",\"detail\":\"2 lines\","
                               "\"errors\":[{\"line\":7,\"field\":\"/body/x\",\"detail\":\"no\"}]}";
    struct opl_err err = {0};

    (void)state;
    json_decref(problem_read(text, strlen(text), 422, &err));
    assert_string_equal(err.text, "2 lines (line 7: no)");
    assert_string_equal(err.field, "/body/x");
}

#define WITH_SERVER(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

static const struct CMUnitTest tests[] = {
    WITH_SERVER(a_document_is_returned_and_the_token_is_sent),
    WITH_SERVER(a_post_carries_canonical_json_and_its_key),
    WITH_SERVER(a_problem_becomes_the_error_with_field_and_hint),
    WITH_SERVER(an_answer_that_is_no_problem_document_is_unavailable),
    WITH_SERVER(a_redirect_is_not_followed),
    WITH_SERVER(something_else_than_a_json_object_does_not_verify),
    WITH_SERVER(a_server_that_hangs_up_is_unavailable),
    WITH_SERVER(an_answer_that_breaks_off_is_unavailable),
    cmocka_unit_test(an_absent_server_is_unavailable_and_said_plainly),
    cmocka_unit_test(only_http_urls_are_taken),
    WITH_SERVER(a_blob_goes_up_under_its_digest),
    WITH_SERVER(a_blob_with_other_bytes_is_refused),
    WITH_SERVER(a_problem_never_goes_where_bytes_are_meant),
    cmocka_unit_test(the_first_bad_line_of_a_batch_is_told),
};

UNIT_MAIN(tests)

/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include <opledger/name.h>

#include "server/routes.h"

static struct request *find(const char *method, const char *target, struct opl_err *why)
{
    struct request *request = request_new(NULL, target);

    assert_non_null(request);
    snprintf(request->method, sizeof request->method, "%s", method);
    assert_ok(request_parse_target(request, err));
    (void)!routes_find(request, why);
    return request;
}

static void params_are_the_segments(void **state)
{
    struct opl_err err = {0};
    struct request *request = find("GET", "/v1/entries/41/proof?size=9", &err);

    (void)state;
    assert_int_equal(err.code, OPL_OK);
    assert_string_equal(request->params[0], "41");
    assert_string_equal(request->route->pattern, "/v1/entries/{}/proof");
    request_drop(request);
}

static void a_rest_keeps_its_slashes(void **state)
{
    struct opl_err err = {0};
    struct request *request = find("GET", "/tile/0/x001/000", &err);

    (void)state;
    assert_string_equal(request->params[0], "0/x001/000");
    assert_string_equal(request->path, "/tile/0/x001/000");
    request_drop(request);
}

static void head_is_answered_by_get(void **state)
{
    struct opl_err err = {0};
    struct request *request = find("HEAD", "/healthz", &err);

    (void)state;
    assert_int_equal(err.code, OPL_OK);
    assert_string_equal(request->route->method, "GET");
    request_drop(request);
}

static void unknown_paths_and_methods_are_told_apart(void **state)
{
    static const char *const unknown[] = {
        "/", "/healthz/", "/v1/entries/", "/v1/entries/1/2", "/tile/", "/v1/changes/chg-1/gate/x"};
    struct opl_err err = {0};
    struct request *request;

    (void)state;
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        err = (struct opl_err){0};
        request = find("GET", unknown[i], &err);
        assert_int_equal(err.code, OPL_E_NOT_FOUND);
        assert_null(request->route);
        request_drop(request);
    }
    err = (struct opl_err){0};
    request = find("DELETE", "/v1/blobs/x", &err);
    assert_int_equal(err.code, OPL_E_METHOD);
    assert_string_equal(request->reply.headers[0].value, "PUT, GET");
    request_drop(request);
}

static void every_row_is_whole(void **state)
{
    (void)state;
    for (const struct route *route = routes; route->method != NULL; route++) {
        bool has_body = strcmp(route->method, "GET") != 0;

        assert_non_null(route->run);
        assert_non_null(route->summary);
        assert_int_equal(route->pattern[0], '/');
        assert_int_equal(route->body_max > 0, has_body);
        if (strcmp(route->method, "POST") == 0)
            assert_non_null(route->media);
        for (const struct route *other = routes; other < route; other++)
            assert_true(strcmp(other->method, route->method) != 0 ||
                        strcmp(other->pattern, route->pattern) != 0);
    }
}

static void roles_are_known_words(void **state)
{
    (void)state;
    for (const struct route *route = routes; route->method != NULL; route++) {
        char words[128], *rest = words, *word;

        snprintf(words, sizeof words, "%s", route->roles != NULL ? route->roles : "reader");
        while ((word = strsep(&rest, "|")) != NULL)
            assert_true(opl_is_role(word) || strcmp(word, "approver.*") == 0);
    }
}

static void the_document_lists_every_route(void **state)
{
    json_t *document = routes_openapi();
    size_t count = 0, wanted = 0;
    const char *path;
    json_t *methods;

    (void)state;
    json_object_foreach(json_object_get(document, "paths"), path, methods)
    {
        assert_null(strstr(path, "{}"));
        count += json_object_size(methods);
    }
    for (const struct route *route = routes; route->method != NULL; route++)
        wanted++;
    assert_int_equal(count, wanted);
    json_decref(document);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(params_are_the_segments),
    cmocka_unit_test(a_rest_keeps_its_slashes),
    cmocka_unit_test(head_is_answered_by_get),
    cmocka_unit_test(unknown_paths_and_methods_are_told_apart),
    cmocka_unit_test(every_row_is_whole),
    cmocka_unit_test(roles_are_known_words),
    cmocka_unit_test(the_document_lists_every_route),
};

UNIT_MAIN(tests)

/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include <opledger/encode.h>
#include <opledger/json.h>

#include "server/token_write.h"

static void the_log_learns_the_digest_alone(void **state)
{
    struct request *request = request_new(NULL, "/");
    struct auth_token *token = token_keep(request);
    struct write *write = write_new();
    json_t *body = json_pack("{s:s, s:[s], s:s}", "principal", "svc", "scope", "reader", "expires",
                             "2030-01-01T00:00:00Z");
    const char *text;
    char hex[OPL_HEX_SIZE];

    (void)state;
    assert_ok(token_write(write, body, token, err));
    text = write->lines[0].draft.body_text;
    opl_hash_hex(&token->sha256, hex);
    assert_non_null(strstr(text, hex));
    assert_non_null(strstr(text, token->id));
    assert_null(strstr(text, token->text + strlen(AUTH_TOKEN_PREFIX)));
    json_decref(body);
    write_free(write);
    request_drop(request);
}

static void no_two_tokens_are_alike(void **state)
{
    struct auth_token one, two;

    (void)state;
    auth_token_draw(&one);
    auth_token_draw(&two);
    assert_string_not_equal(one.text, two.text);
    assert_string_not_equal(one.id, two.id);
    assert_int_equal(strlen(one.text), strlen(AUTH_TOKEN_PREFIX) + 64);
    assert_int_equal(strlen(one.id), 16);
}

static void a_body_that_does_not_hold_is_refused(void **state)
{
    struct write *write = write_new();
    json_t *body = json_pack("{s:s, s:[s], s:s}", "principal", "Not A Name", "scope", "reader",
                             "expires", "2030-01-01T00:00:00Z");
    struct auth_token token;

    (void)state;
    auth_token_draw(&token);
    assert_fails(token_write(write, body, &token, err), OPL_E_INVALID);
    json_decref(body);
    write_free(write);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_log_learns_the_digest_alone),
    cmocka_unit_test(no_two_tokens_are_alike),
    cmocka_unit_test(a_body_that_does_not_hold_is_refused),
};

UNIT_MAIN(tests)

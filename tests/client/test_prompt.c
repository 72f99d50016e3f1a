/* SPDX-License-Identifier: Apache-2.0 */
#include "client/prompt.h"

#include "unit.h"

#include <opledger/json.h>

#include "desk.h"

/* A client as if `hypothesis record` had been given these words. */
static void parse(struct desk *desk, struct client *client, int count, const char *const words[])
{
    char *const name[] = {(char *)"hypothesis", (char *)"record"};
    int taken = 0;

    desk_client(desk, client);
    client->command = commands_find(name, 2, &taken);
    assert_ok(options_parse(client->command, count, (char *const *)words, &client->args, err));
}

static void the_digest_is_of_the_exact_bytes(void **state)
{
    struct desk *desk = *state;
    const char *const words[] = {"inc-1", "-p", desk_file(desk, "p", "abc")};
    OPL_CLEANUP(opl_json_freep) json_t *body = json_object();
    struct client client;

    parse(desk, &client, 3, words);
    assert_ok(prompt_add(&client, body, err));
    assert_string_equal(opl_json_str(body, "prompt_sha256"),
                        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    desk_client_close(&client);
}

static void a_missing_prompt_is_not_guessed(void **state)
{
    const char *const words[] = {"inc-1"};
    OPL_CLEANUP(opl_json_freep) json_t *body = json_object();
    struct client client;

    parse(*state, &client, 1, words);
    assert_fails(prompt_add(&client, body, err), OPL_E_USAGE);
    assert_fails(prompt_add_model(&client, body, err), OPL_E_USAGE);
    desk_client_close(&client);
}

static void a_model_that_is_none_is_refused(void **state)
{
    const char *const words[] = {"inc-1", "-m", "gpt-5"};
    OPL_CLEANUP(opl_json_freep) json_t *body = json_object();
    struct client client;
    struct opl_err err = {0};

    parse(*state, &client, 3, words);
    assert_false(prompt_add_model(&client, body, &err));
    assert_non_null(strstr(err.hint, "PROVIDER/NAME"));
    desk_client_close(&client);
}

static void where_it_was_asked_goes_along(void **state)
{
    const char *const words[] = {"inc-1", "-m", "openai/gpt-5@1", "--endpoint", "api.example.com"};
    OPL_CLEANUP(opl_json_freep) json_t *body = json_object();
    struct client client;

    parse(*state, &client, 5, words);
    assert_ok(prompt_add_model(&client, body, err));
    assert_string_equal(opl_json_str(json_object_get(body, "model"), "endpoint"),
                        "api.example.com");
    desk_client_close(&client);
}

#define AT_DESK(test) cmocka_unit_test_setup_teardown(test, desk_set_up, desk_tear_down)

static const struct CMUnitTest tests[] = {
    AT_DESK(the_digest_is_of_the_exact_bytes),
    AT_DESK(a_missing_prompt_is_not_guessed),
    AT_DESK(a_model_that_is_none_is_refused),
    AT_DESK(where_it_was_asked_goes_along),
};

UNIT_MAIN(tests)

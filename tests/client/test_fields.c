/* SPDX-License-Identifier: Apache-2.0 */
#include "client/fields.h"

#include "unit.h"

#include <opledger/json.h>
#include <opledger/time.h>

#include "client/client.h"

#define PARSE(client, ...) parse(client, (const char *const[]){__VA_ARGS__, NULL})

/* A client as if it had been given these words. */
static void parse(struct client *client, const char *const words[])
{
    int count = 0, taken = 0;

    while (words[count] != NULL)
        count++;
    memset(client, 0, sizeof(*client));
    client->command = commands_find((char *const *)words, count, &taken);
    assert_non_null(client->command);
    assert_ok(options_parse(client->command, count - taken, (char *const *)words + taken,
                            &client->args, err));
}

static json_t *body_of(struct client *client)
{
    json_t *body = json_object();

    assert_ok(fields_add(client, opl_kind_find(client->command->kind), body, err));
    return body;
}

static void assert_body(struct client *client, const char *expected)
{
    OPL_CLEANUP(opl_json_freep) json_t *body = body_of(client);
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};

    assert_ok(opl_json_canonical(body, &text, err));
    assert_string_equal(opl_buf_text(&text), expected);
}

static void options_become_fields(void **state)
{
    struct client client;

    (void)state;
    PARSE(&client, "incident", "open", "--title", "t", "--severity", "high");
    assert_body(&client, "{\"severity\":\"high\",\"title\":\"t\"}");
}

static void another_word_is_refused_by_the_name_of_its_option(void **state)
{
    OPL_CLEANUP(opl_json_freep) json_t *body = json_object();
    struct opl_err why = {0};
    struct client client;

    (void)state;
    PARSE(&client, "vendor", "update", "hyp-1", "--vendor", "v", "--state", "agrees");
    assert_false(fields_add(&client, opl_kind_find("vendor.updated"), body, &why));
    assert_int_equal(why.code, OPL_E_USAGE);
    assert_non_null(strstr(why.text, "--state agrees is none"));
    assert_non_null(strstr(why.hint, "asked, acknowledged, confirmed, rejected, withdrawn"));
}

static void a_list_is_gathered_and_empty_when_nothing_is_given(void **state)
{
    struct client client;

    (void)state;
    PARSE(&client, "principal", "add", "bob", "--class", "person", "--role", "recorder", "--role",
          "reader");
    assert_body(&client, "{\"class\":\"person\",\"roles\":[\"recorder\",\"reader\"]}");
    PARSE(&client, "principal", "add", "bob", "--class", "person");
    assert_body(&client, "{\"class\":\"person\",\"roles\":[]}");
}

static void a_model_is_taken_apart(void **state)
{
    struct client client;

    (void)state;
    PARSE(&client, "principal", "add", "a", "--class", "agent", "--model", "openai/gpt-5@1");
    assert_body(&client, "{\"class\":\"agent\",\"model\":{\"name\":\"gpt-5\",\"provider\":"
                         "\"openai\",\"version\":\"1\"},\"roles\":[]}");
}

static void what_the_body_already_has_stays(void **state)
{
    struct client client;
    OPL_CLEANUP(opl_json_freep) json_t *body = json_pack("{s:s}", "severity", "low");

    (void)state;
    PARSE(&client, "incident", "open", "--title", "t", "--severity", "high");
    assert_ok(fields_add(&client, opl_kind_find("incident.opened"), body, err));
    assert_string_equal(opl_json_str(body, "severity"), "low");
}

static void digests_are_taken_with_and_without_prefix(void **state)
{
    static const char hex[] = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    struct client client;
    json_t *body;

    (void)state;
    PARSE(&client, "evidence", "attach", "inc-1", "f", "--baseline-of", hex, "--command", "c");
    body = json_pack("{s:s}", "name", "n");
    assert_ok(fields_add(&client, opl_kind_find("evidence.attached"), body, err));
    assert_non_null(strstr(opl_json_str(body, "baseline_of"), "sha256:ba78"));
    json_decref(body);
}

static void a_duration_is_a_time_from_now(void **state)
{
    char text[OPL_TIME_SIZE];
    int64_t at;

    (void)state;
    assert_ok(fields_time("2h", text, sizeof(text), err));
    assert_ok(opl_time_parse(text, &at, err));
    assert_true(at > opl_time_now() + 7100 * OPL_SECOND && at < opl_time_now() + 7300 * OPL_SECOND);
    assert_ok(fields_time("2026-10-01T16:00:00+02:00", text, sizeof(text), err));
    assert_string_equal(text, "2026-10-01T14:00:00.000000Z");
    assert_false(fields_time("soon", text, sizeof(text), NULL));
}

static void only_plain_numbers_are_numbers(void **state)
{
    int64_t number;

    (void)state;
    assert_ok(fields_integer("41", "SEQ", &number, err));
    assert_int_equal(number, 41);
    assert_fails(fields_integer("-1", "SEQ", &number, err), OPL_E_USAGE);
    assert_fails(fields_integer("4x", "SEQ", &number, err), OPL_E_USAGE);
    assert_fails(fields_integer("", "SEQ", &number, err), OPL_E_USAGE);
    assert_fails(fields_integer("99999999999999999999", "SEQ", &number, err), OPL_E_USAGE);
}

static void an_id_of_the_wrong_sort_is_refused_with_the_right_one(void **state)
{
    struct client client;
    struct opl_err err = {0};
    const char *id;

    (void)state;
    PARSE(&client, "gate", "check", "hyp-1");
    assert_false(fields_id(&client, 0, OPL_ON(OPL_ID_CHG) | OPL_ON(OPL_ID_INC), &id, &err));
    assert_int_equal(err.code, OPL_E_USAGE);
    assert_string_equal(err.hint, "inc-N or chg-N");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(options_become_fields),
    cmocka_unit_test(another_word_is_refused_by_the_name_of_its_option),
    cmocka_unit_test(a_list_is_gathered_and_empty_when_nothing_is_given),
    cmocka_unit_test(a_model_is_taken_apart),
    cmocka_unit_test(what_the_body_already_has_stays),
    cmocka_unit_test(digests_are_taken_with_and_without_prefix),
    cmocka_unit_test(a_duration_is_a_time_from_now),
    cmocka_unit_test(only_plain_numbers_are_numbers),
    cmocka_unit_test(an_id_of_the_wrong_sort_is_refused_with_the_right_one),
};

UNIT_MAIN(tests)

/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include <opledger/egress.h>
#include <opledger/json.h>
#include <opledger/time.h>

static const char yaml[] =
    "v: 1\nname: models\nfamilies:\n  - { name: gpt, match: [\"openai/**\"] }\n"
    "destinations:\n  - name: api\n    models: [\"openai/*\"]\n"
    "    endpoints: [api.example.org]\n    hosting: hosted\n"
    "    owner: security@example.org\n    sources: [strace]\n"
    "    until: 2027-01-31\n    context: incident\n";

static const char good[] =
    "{\"format\":\"strace\",\"hits\":{\"secret\":{\"a\":1,\"b\":2}},\"output\":{\"sha256\":\"aa\","
    "\"size\":9},\"rules\":\"sha256:r\",\"source\":{\"sha256\":\"bb\",\"size\":1},\"type\":"
    "\"opledger/redaction\",\"unscannable\":[],\"v\":1,\"verify\":\"passed\"}";

static json_t *body(void)
{
    return json_pack("{s:s, s:{s:s, s:s}, s:s, s:s, s:i, s:{s:i}, s:i, s:s}", "destination", "api",
                     "model", "provider", "openai", "name", "gpt-5", "rules", "sha256:r",
                     "sent_sha256", "aa", "bytes", 9, "hits", "secret", 3, "unscannable", 0,
                     "outcome", "sent");
}

static bool holds_at(const char *when, json_t *claimed, const char *manifest, struct opl_err *why)
{
    OPL_CLEANUP(opl_models_freep)
    struct opl_models *models = opl_models_new(yaml, strlen(yaml), NULL);
    OPL_CLEANUP(opl_json_freep) json_t *value = claimed;
    struct opl_egress_claim claim = {
        .body = value, .manifest = manifest, .len = strlen(manifest), .stored = 9};

    assert_non_null(models);
    claim.destination = opl_models_destination(models, "api", NULL);
    assert_non_null(claim.destination);
    assert_ok(opl_time_parse(when, &claim.now, err));
    return opl_egress_check(&claim, why);
}

static bool holds(json_t *claimed, const char *manifest, struct opl_err *why)
{
    return holds_at("2026-12-01T00:00:00Z", claimed, manifest, why);
}

static json_t *with(const char *field, json_t *value)
{
    json_t *claimed = body();

    json_object_set_new(claimed, field, value);
    return claimed;
}

static void a_claim_that_is_its_manifest_holds(void **state)
{
    (void)state;
    assert_ok(holds(body(), good, err));
    assert_ok(holds(with("source_sha256", json_string("bb")), good, err));
}

static void each_field_that_is_not_true_is_named(void **state)
{
    static const struct {
        const char *field, *json;
    } rows[] = {
        {"bytes",         "8"             },
        {"bytes",         "\"9\""         },
        {"hits",          "{}"            },
        {"hits",          "{\"secret\":4}"},
        {"hits",          "{\"site\":3}"  },
        {"unscannable",   "1"             },
        {"rules",         "\"sha256:q\""  },
        {"source_sha256", "\"cc\""        },
    };

    char pointer[64];

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct opl_err why = {0};

        (void)snprintf(pointer, sizeof pointer, "/body/%s", rows[i].field);
        assert_false(holds(with(rows[i].field, json_loads(rows[i].json, JSON_DECODE_ANY, NULL)),
                           good, &why));
        assert_int_equal(why.code, OPL_E_INVALID);
        assert_string_equal(why.field, pointer);
        assert_true(why.hint[0] != '\0');
    }
}

/* Hits that are no counts, or whose sum would not be one. */
static void hits_that_cannot_be_added_are_refused(void **state)
{
    static const char *const hits[] = {
        "[]",
        "{\"secret\":3}",
        "{\"secret\":{\"a\":-1,\"b\":4}}",
        "{\"secret\":{\"a\":\"3\"}}",
        "{\"secret\":{\"a\":9007199254740991,\"b\":9007199254740991}}",
    };

    (void)state;
    for (size_t i = 0; i < sizeof hits / sizeof *hits; i++) {
        OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};
        struct opl_err why = {0};

        opl_buf_fmt(&text,
                    "{\"format\":\"strace\",\"hits\":%s,\"output\":{\"sha256\":\"aa\",\"size\":9},"
                    "\"rules\":\"sha256:r\",\"type\":\"opledger/redaction\",\"unscannable\":[],"
                    "\"v\":1,\"verify\":\"passed\"}",
                    hits[i]);
        assert_false(holds(body(), opl_buf_text(&text), &why));
        assert_string_equal(why.field, "/body/hits");
    }
}

static void what_is_no_manifest_is_refused(void **state)
{
    static const char *const texts[] = {"", "[]", "{}", "{ }", "null", "{\"v\":1,\"type\":\"x\"}"};

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct opl_err why = {0};

        assert_false(holds(body(), texts[i], &why));
        assert_int_equal(why.code, OPL_E_INVALID);
        assert_string_equal(why.field, "/body/manifest_sha256");
    }
}

static void a_destination_past_its_date_receives_nothing(void **state)
{
    struct opl_err why = {0};

    (void)state;
    assert_false(holds_at("2027-02-01T00:00:01Z", body(), good, &why));
    assert_int_equal(why.code, OPL_E_INVALID);
    assert_string_equal(why.field, "/body/destination");
}

static void a_model_that_the_destination_is_not_for_is_refused(void **state)
{
    struct opl_err why = {0};
    json_t *model = json_pack("{s:s, s:s}", "provider", "anthropic", "name", "claude");

    (void)state;
    assert_false(holds(with("model", model), good, &why));
    assert_string_equal(why.field, "/body/destination");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_claim_that_is_its_manifest_holds),
    cmocka_unit_test(each_field_that_is_not_true_is_named),
    cmocka_unit_test(hits_that_cannot_be_added_are_refused),
    cmocka_unit_test(what_is_no_manifest_is_refused),
    cmocka_unit_test(a_destination_past_its_date_receives_nothing),
    cmocka_unit_test(a_model_that_the_destination_is_not_for_is_refused),
};

UNIT_MAIN(tests)

/* SPDX-License-Identifier: Apache-2.0 */
#include "vectors.h"

#include <opledger/encode.h>
#include <opledger/json.h>
#include <opledger/statement.h>

#define MINUTE (60 * OPL_SECOND)

static bool parses(const char *text, struct opl_err *err)
{
    OPL_CLEANUP(opl_statement_close) struct opl_statement statement = {0};

    return opl_statement_parse(text, strlen(text), &statement, err);
}

static bool verifies(const char *text, const char *sshsig, struct opl_err *err)
{
    OPL_CLEANUP(opl_statement_close) struct opl_statement statement = {0};
    char fingerprint[64];

    return opl_statement_parse(text, strlen(text), &statement, err) &&
           opl_statement_verify(&statement, text, sshsig, fingerprint, err);
}

static void replace(const char *text, const char *part, const char *other, char *out, size_t size)
{
    const char *at = strstr(text, part);

    if (at == NULL)
        fail_msg("%s has no %s", text, part);
    (void)snprintf(out, size, "%.*s%s%s", (int)(at - text), text, other, at + strlen(part));
}

static void what_ssh_keygen_signed_verifies(void **state)
{
    OPL_CLEANUP(opl_json_freep) json_t *vectors = vectors_load("statements.json");

    (void)state;
    assert_int_equal(json_array_size(vectors), 7);
    for (size_t i = 0; i < json_array_size(vectors); i++) {
        const json_t *vector = json_array_get(vectors, i);
        const char *text = opl_json_str(vector, "statement");
        OPL_CLEANUP(opl_statement_close) struct opl_statement statement = {0};
        char fingerprint[64];

        assert_ok(opl_statement_parse(text, strlen(text), &statement, err));
        assert_string_equal(statement.type->type, opl_json_str(vector, "type"));
        assert_string_equal(statement.type->ssh_namespace, opl_json_str(vector, "namespace"));
        assert_ok(opl_statement_verify(&statement, text, opl_json_str(vector, "sshsig"),
                                       fingerprint, err));
        assert_string_equal(fingerprint, opl_json_str(vector, "fingerprint"));
    }
}

static void every_type_has_a_vector(void **state)
{
    OPL_CLEANUP(opl_json_freep) json_t *vectors = vectors_load("statements.json");

    (void)state;
    for (const struct opl_statement_type *type = opl_statement_types; type->type != NULL; type++) {
        bool found = false;

        for (size_t i = 0; i < json_array_size(vectors); i++)
            found =
                found || strcmp(opl_json_str(json_array_get(vectors, i), "type"), type->type) == 0;
        if (!found)
            fail_msg("%s has no vector", type->type);
    }
}

static void a_signature_over_another_statement_does_not_verify(void **state)
{
    OPL_CLEANUP(opl_json_freep) json_t *vectors = vectors_load("statements.json");
    char text[OPL_STATEMENT_MAX];

    (void)state;
    for (size_t i = 0; i < json_array_size(vectors); i++) {
        const json_t *vector = json_array_get(vectors, i);

        replace(opl_json_str(vector, "statement"), "\"signer\":\"alice\"", "\"signer\":\"alicf\"",
                text, sizeof text);
        assert_fails(verifies(text, opl_json_str(vector, "sshsig"), err), OPL_E_SIGNATURE);
    }
}

static void a_signature_of_another_namespace_does_not_verify(void **state)
{
    OPL_CLEANUP(opl_json_freep) json_t *vectors = vectors_load("statements.json");
    const char *text = opl_json_str(json_array_get(vectors, 0), "statement");

    (void)state;
    for (size_t i = 1; i < json_array_size(vectors); i++)
        assert_fails(verifies(text, opl_json_str(json_array_get(vectors, i), "sshsig"), err),
                     OPL_E_SIGNATURE);
}

static void every_changed_character_of_a_signature_is_found(void **state)
{
    OPL_CLEANUP(opl_json_freep) json_t *vectors = vectors_load("statements.json");
    const char *text = opl_json_str(json_array_get(vectors, 0), "statement");
    char sshsig[1024];

    (void)state;
    for (size_t i = 0; i < strlen(opl_json_str(json_array_get(vectors, 0), "sshsig")); i++) {
        (void)snprintf(sshsig, sizeof sshsig, "%s",
                       opl_json_str(json_array_get(vectors, 0), "sshsig"));
        sshsig[i] = sshsig[i] == 'B' ? 'C' : 'B';
        assert_fails(verifies(text, sshsig, err), OPL_E_SIGNATURE);
    }
}

static void what_is_no_signature_does_not_verify(void **state)
{
    static const char *const bad[] = {"", "U1NIU0lH", "not base64",
                                      "-----BEGIN SSH SIGNATURE-----"};
    OPL_CLEANUP(opl_json_freep) json_t *vectors = vectors_load("statements.json");

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_fails(verifies(opl_json_str(json_array_get(vectors, 0), "statement"), bad[i], err),
                     OPL_E_SIGNATURE);
}

static void a_part_that_is_not_as_it_should_be_is_found(void **state)
{
    static const struct {
        const char *part, *other, *field;
    } cases[] = {
        {"\"v\":1",                     "\"v\":2",                     "/v"           },
        {"\"v\":1",                     "\"v\":1,\"z\":1",             "/z"           },
        {"\"v\":1",                     "\"v\": 1",                    ""             },
        {"opledger/approval",           "opledger/override",           "/about/policy"},
        {"opledger/approval",           "opledger/praise",             "/type"        },
        {"\"role\":\"slurm\"",          "\"role\":\"Slurm\"",          "/about/role"  },
        {",\"role\":\"slurm\"",         "",                            "/about/role"  },
        {"\"change\":\"chg-1\"",        "\"change\":null",             "/about/change"},
        {"\"change\":\"chg-1\"",        "\"change\":\"hyp-1\"",        "/about/change"},
        {"\"size\":57",                 "\"size\":-57",                "/log/size"    },
        {"\"signer\":\"alice\"",        "\"signer\":\"\"",             "/signer"      },
        {"00000001\"",                  "0000001\"",                   "/nonce"       },
        {"2026-10-15T14:10:00.000000Z", "2026-10-15T14:10:00Z",        "/expires"     },
        {"2026-10-15T14:10:00.000000Z", "2026-10-01T14:10:00.000000Z", "/expires"     },
        {"2026-10-15T14:10:00.000000Z", "2027-10-01T14:10:00.000000Z", "/expires"     },
    };

    OPL_CLEANUP(opl_json_freep) json_t *vectors = vectors_load("statements.json");

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct opl_err err = {0};
        char text[OPL_STATEMENT_MAX];

        replace(opl_json_str(json_array_get(vectors, 0), "statement"), cases[i].part,
                cases[i].other, text, sizeof text);
        if (parses(text, &err))
            fail_msg("%s: accepted", text);
        assert_int_equal(err.code, OPL_E_INVALID);
        assert_string_equal(err.field, cases[i].field);
    }
}

static void the_line_feed_is_no_part_of_it(void **state)
{
    OPL_CLEANUP(opl_json_freep) json_t *vectors = vectors_load("statements.json");
    char text[OPL_STATEMENT_MAX];

    (void)state;
    (void)snprintf(text, sizeof text, "%s\n",
                   opl_json_str(json_array_get(vectors, 0), "statement"));
    assert_fails(parses(text, err), OPL_E_INVALID);
}

static void a_fact_must_be_in_the_log_that_was_seen(void **state)
{
    OPL_CLEANUP(opl_json_freep) json_t *vectors = vectors_load("statements.json");
    const char *confirmation = opl_json_str(json_array_get(vectors, 4), "statement");
    char text[OPL_STATEMENT_MAX];

    (void)state;
    replace(confirmation, "\"fact\":41", "\"fact\":56", text, sizeof text);
    assert_ok(parses(text, err));
    replace(confirmation, "\"fact\":41", "\"fact\":57", text, sizeof text);
    assert_fails(parses(text, err), OPL_E_INVALID);
}

/* Vector 2 is an override without a change. */
static void an_offline_override_lasts_four_hours_at_most(void **state)
{
    OPL_CLEANUP(opl_json_freep) json_t *vectors = vectors_load("statements.json");
    char text[OPL_STATEMENT_MAX];

    (void)state;
    for (size_t i = 1; i <= 2; i++) {
        struct opl_err err = {0};

        replace(opl_json_str(json_array_get(vectors, i), "statement"), "T18:10:00.000000Z",
                "T18:10:00.000001Z", text, sizeof text);
        assert_int_equal(parses(text, &err), i == 1);
    }
}

static json_t *approval_about(void)
{
    return json_pack(
        "{s:s,s:s,s:s,s:s,s:s}", "change", "chg-7", "manifest",
        "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", "base",
        "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", "policy",
        "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", "role", "slurm");
}

static void what_is_built_can_be_read(void **state)
{
    OPL_CLEANUP(opl_json_freep) json_t *about = approval_about();
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};
    OPL_CLEANUP(opl_statement_close) struct opl_statement read = {0};
    struct opl_head log = {.origin = "ledger.example.org", .size = 9};
    struct opl_statement_draft draft = {
        .type = "opledger/approval",
        .signer = "alice",
        .about = about,
        .log = &log,
        .issued = MINUTE,
        .expires = 2 * MINUTE,
        .nonce = NULL,
    };

    (void)state;
    assert_ok(opl_statement_build(&draft, &text, err));
    assert_ok(opl_statement_parse(opl_buf_text(&text), text.len, &read, err));
    assert_string_equal(read.signer, "alice");
    assert_int_equal(read.issued, MINUTE);
    assert_int_equal(read.expires, 2 * MINUTE);
    assert_int_equal(read.log.size, 9);
    assert_int_equal(strlen(read.nonce), 32);
    assert_true(json_equal(read.about, about));
}

static void what_could_not_be_read_is_not_built(void **state)
{
    OPL_CLEANUP(opl_json_freep) json_t *about = approval_about();
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};
    struct opl_head log = {.origin = "ledger.example.org", .size = 9};
    struct opl_statement_draft draft = {
        .type = "opledger/approval",
        .signer = "alice",
        .about = about,
        .log = &log,
        .issued = MINUTE,
        .expires = MINUTE,
        .nonce = NULL,
    };

    (void)state;
    assert_fails(opl_statement_build(&draft, &text, err), OPL_E_INVALID);
    assert_int_equal(text.len, 0);
}

static void two_nonces_differ(void **state)
{
    char first[OPL_NONCE_SIZE], second[OPL_NONCE_SIZE];

    (void)state;
    opl_nonce_draw(first);
    opl_nonce_draw(second);
    assert_string_not_equal(first, second);
}

static void a_head_is_read_back(void **state)
{
    struct opl_head head = {.origin = "a/b", .size = 3, .root = {{1}}}, read;
    OPL_CLEANUP(opl_json_freep) json_t *json = opl_head_json(&head);

    (void)state;
    assert_ok(opl_head_read(json, &read, err));
    assert_string_equal(read.origin, "a/b");
    assert_int_equal(read.size, 3);
    assert_true(opl_hash_equal(&read.root, &head.root));
    (void)json_object_set_new(json, "more", json_null());
    assert_fails(opl_head_read(json, &read, err), OPL_E_INVALID);
}

static void no_life_is_longer_than_its_type_allows(void **state)
{
    (void)state;
    for (const struct opl_statement_type *type = opl_statement_types; type->type != NULL; type++)
        assert_true(type->default_life <= type->max_life);
    assert_int_equal(opl_statement_type_find("opledger/login")->max_life, 300);
    assert_int_equal(opl_statement_type_find("opledger/approval")->default_life, 14 * 86400);
    assert_null(opl_statement_type_find("opledger"));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(what_ssh_keygen_signed_verifies),
    cmocka_unit_test(every_type_has_a_vector),
    cmocka_unit_test(a_signature_over_another_statement_does_not_verify),
    cmocka_unit_test(a_signature_of_another_namespace_does_not_verify),
    cmocka_unit_test(every_changed_character_of_a_signature_is_found),
    cmocka_unit_test(what_is_no_signature_does_not_verify),
    cmocka_unit_test(a_part_that_is_not_as_it_should_be_is_found),
    cmocka_unit_test(the_line_feed_is_no_part_of_it),
    cmocka_unit_test(a_fact_must_be_in_the_log_that_was_seen),
    cmocka_unit_test(an_offline_override_lasts_four_hours_at_most),
    cmocka_unit_test(what_is_built_can_be_read),
    cmocka_unit_test(what_could_not_be_read_is_not_built),
    cmocka_unit_test(two_nonces_differ),
    cmocka_unit_test(a_head_is_read_back),
    cmocka_unit_test(no_life_is_longer_than_its_type_allows),
};

UNIT_MAIN(tests)

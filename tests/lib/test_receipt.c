/* SPDX-License-Identifier: Apache-2.0 */
/* The vectors are a log of the first three entries of entries.json, signed by the zero seed. */
#include "drafts.h"

#include <opledger/encode.h>
#include <opledger/receipt.h>
#include <opledger/tile.h>

struct fixture {
    json_t *entries;
    json_t *root;
    struct opl_vkey key;
};

static int open_fixture(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);

    if (fixture == NULL)
        return -1;
    fixture->entries = vectors_load("entries.json");
    fixture->root = vectors_load("receipts.json");
    *state = fixture;
    return opl_vkey_parse(opl_json_str(fixture->root, "log_key"), &fixture->key, NULL) ? 0 : -1;
}

static int close_fixture(void **state)
{
    struct fixture *fixture = *state;

    json_decref(fixture->entries);
    json_decref(fixture->root);
    free(fixture);
    return 0;
}

static json_t *receipt_json(const struct fixture *fixture, size_t i)
{
    return json_array_get(json_object_get(fixture->root, "receipts"), i);
}

/* Whether a receipt, as JSON, proves that entry i of the vectors was recorded. */
static bool proves(const struct fixture *fixture, size_t i, const json_t *json, struct opl_err *err)
{
    OPL_CLEANUP(opl_draft_close) struct opl_draft draft = {0};
    OPL_CLEANUP(opl_receipt_close) struct opl_receipt receipt = {0};
    struct opl_place place;

    drafts_read(json_array_get(fixture->entries, i), &draft, &place);
    return opl_receipt_read(json, &receipt, err) &&
           opl_receipt_verify(&receipt, &draft, &fixture->key, err);
}

static void the_receipts_of_the_vectors_prove_their_entries(void **state)
{
    struct fixture *fixture = *state;

    for (size_t i = 0; i < 3; i++)
        assert_ok(proves(fixture, i, receipt_json(fixture, i), err));
}

static void a_receipt_of_another_entry_proves_nothing(void **state)
{
    struct fixture *fixture = *state;

    for (size_t i = 0; i < 3; i++)
        assert_fails(proves(fixture, i, receipt_json(fixture, (i + 1) % 3), err), OPL_E_VERIFY);
}

static void every_changed_part_is_found(void **state)
{
    static const struct {
        const char *key, *value;
    } cases[] = {
        {"seq",        "0"                                                                          },
        {"seq",        "2"                                                                          },
        {"seq",        "3"                                                                          },
        {"seq",        "-1"                                                                         },
        {"seq",        "null"                                                                       },
        {"id",         "\"hyp-2\""                                                                  },
        {"id",         "\"inc-1\""                                                                  },
        {"id",         "null"                                                                       },
        {"id",         "1"                                                                          },
        {"kind",       "\"incident.noted\""                                                         },
        {"kind",       "\"no.kind\""                                                                },
        {"actor",      "\"mallory\""                                                                },
        {"actor",      "\"A\\\",\\\"x\""                                                            },
        {"at",         "\"2026-10-01T14:03:23.000002Z\""                                            },
        {"at",         "\"2026-10-01T14:03:23Z\""                                                   },
        {"prev",       "null"                                                                       },
        {"prev",       "1"                                                                          },
        {"prev",       "\"0\""                                                                      },
        {"leaf",       "\"sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\""},
        {"leaf",       "1"                                                                          },
        {"proof",      "[]"                                                                         },
        {"proof",      "[\"sha256:00\"]"                                                            },
        {"proof",      "{}"                                                                         },
        {"checkpoint", "{}"                                                                         },
        {"note",       "\"\""                                                                       },
        {"note",       "null"                                                                       },
    };
    struct fixture *fixture = *state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OPL_CLEANUP(opl_json_freep) json_t *json = json_deep_copy(receipt_json(fixture, 1));

        (void)json_object_set_new(json, cases[i].key,
                                  json_loads(cases[i].value, JSON_DECODE_ANY, NULL));
        if (proves(fixture, 1, json, NULL))
            fail_msg("%s %s: accepted", cases[i].key, cases[i].value);
        assert_fails(proves(fixture, 1, json, err), OPL_E_VERIFY);
        (void)json_object_del(json, cases[i].key);
        assert_fails(proves(fixture, 1, json, err), OPL_E_VERIFY);
    }
}

static void a_text_that_was_not_sent_is_found(void **state)
{
    struct fixture *fixture = *state;
    OPL_CLEANUP(opl_draft_close) struct opl_draft draft = {0};
    OPL_CLEANUP(opl_receipt_close) struct opl_receipt receipt = {0};
    OPL_CLEANUP(opl_json_freep)
    json_t *request = json_deep_copy(opl_json_at(json_array_get(fixture->entries, 0), "/request"));

    (void)json_object_set_new(opl_json_at(request, "/body/title"), "text", json_string("other"));
    assert_ok(opl_draft_parse(request, DRAFTS_NOW, &draft, err));
    assert_ok(opl_receipt_read(receipt_json(fixture, 0), &receipt, err));
    assert_fails(opl_receipt_verify(&receipt, &draft, &fixture->key, err), OPL_E_VERIFY);
}

static void a_checkpoint_that_the_note_does_not_state_is_found(void **state)
{
    static const char *const parts[] = {"origin", "root", "size"};
    struct fixture *fixture = *state;

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        OPL_CLEANUP(opl_json_freep) json_t *json = json_deep_copy(receipt_json(fixture, 0));
        json_t *head = json_object_get(json, "checkpoint");

        if (strcmp(parts[i], "size") == 0)
            (void)json_object_set_new(head, "size", json_integer(4));
        else
            (void)json_object_set(head, parts[i],
                                  strcmp(parts[i], "root") == 0 ? json_object_get(json, "leaf")
                                                                : json_object_get(json, "actor"));
        assert_fails(proves(fixture, 0, json, err), OPL_E_VERIFY);
    }
}

static void every_changed_byte_of_the_note_is_found(void **state)
{
    struct fixture *fixture = *state;
    const char *note = opl_json_str(receipt_json(fixture, 0), "note");
    char changed[1024];

    for (size_t i = 0; i < strlen(note); i++) {
        OPL_CLEANUP(opl_json_freep) json_t *json = json_deep_copy(receipt_json(fixture, 0));

        (void)snprintf(changed, sizeof changed, "%s", note);
        changed[i] = (char)(changed[i] == 'Q' ? 'R' : 'Q');
        (void)json_object_set_new(json, "note", json_stringn_nocheck(changed, strlen(note)));
        assert_fails(proves(fixture, 0, json, err), OPL_E_VERIFY);
    }
}

static void another_logs_key_does_not_verify(void **state)
{
    struct fixture *fixture = *state;
    struct opl_vkey right = fixture->key;

    fixture->key.key.b[0] ^= 1;
    assert_fails(proves(fixture, 0, receipt_json(fixture, 0), err), OPL_E_VERIFY);
    fixture->key = right;
}

static void a_receipt_is_written_as_it_was_read(void **state)
{
    struct fixture *fixture = *state;

    for (size_t i = 0; i < 3; i++) {
        OPL_CLEANUP(opl_receipt_close) struct opl_receipt receipt = {0};
        OPL_CLEANUP(opl_json_freep) json_t *json = NULL;

        assert_ok(opl_receipt_read(receipt_json(fixture, i), &receipt, err));
        json = opl_receipt_json(&receipt);
        assert_true(json_equal(json, receipt_json(fixture, i)));
    }
}

static void bundle_and_tile_are_those_of_the_vectors(void **state)
{
    struct fixture *fixture = *state;
    OPL_CLEANUP(opl_buf_close) struct opl_buf bundle = {0};
    OPL_CLEANUP(opl_buf_close) struct opl_buf tile = {0};
    char hex[OPL_HEX_SIZE];
    struct opl_hash hash;

    for (size_t i = 0; i < 3; i++) {
        const char *bytes = opl_json_str(json_array_get(fixture->entries, i), "bytes");

        assert_ok(opl_bundle_add(&bundle, bytes, strlen(bytes), err));
        opl_leaf_hash(bytes, strlen(bytes), &hash);
        opl_buf_add(&tile, hash.b, sizeof hash.b);
    }
    opl_sha256(bundle.data, bundle.len, &hash);
    opl_hash_hex(&hash, hex);
    assert_string_equal(hex, opl_json_str(fixture->root, "bundle_sha256"));
    opl_sha256(tile.data, tile.len, &hash);
    opl_hash_hex(&hash, hex);
    assert_string_equal(hex, opl_json_str(fixture->root, "tile_sha256"));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_receipts_of_the_vectors_prove_their_entries),
    cmocka_unit_test(a_receipt_of_another_entry_proves_nothing),
    cmocka_unit_test(every_changed_part_is_found),
    cmocka_unit_test(a_text_that_was_not_sent_is_found),
    cmocka_unit_test(a_checkpoint_that_the_note_does_not_state_is_found),
    cmocka_unit_test(every_changed_byte_of_the_note_is_found),
    cmocka_unit_test(another_logs_key_does_not_verify),
    cmocka_unit_test(a_receipt_is_written_as_it_was_read),
    cmocka_unit_test(bundle_and_tile_are_those_of_the_vectors),
};

int main(void)
{
    if (!opl_crypto_init(NULL))
        return 1;
    return cmocka_run_group_tests(tests, open_fixture, close_fixture);
}

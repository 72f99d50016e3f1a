/* SPDX-License-Identifier: Apache-2.0 */
#include "drafts.h"

#include <opledger/encode.h>
#include <opledger/merkle.h>

#define SEQ 50

static const char note[] =
    "{\"actor\":\"alice\",\"at\":\"2026-10-01T14:03:22.123456Z\",\"body\":{\"text\":{\"sealed\":"
    "\"sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\"}},"
    "\"kind\":\"incident.noted\",\"on\":\"inc-3\",\"prev\":40,\"v\":1}";

static bool parses(const char *text, struct opl_err *err)
{
    OPL_CLEANUP(opl_entry_close) struct opl_entry entry = {0};

    return opl_entry_parse(text, strlen(text), SEQ, &entry, err);
}

/* The note with one part of it replaced. */
static void with(const char *part, const char *other, char out[static 1024])
{
    const char *at = strstr(note, part);

    assert_non_null(at);
    (void)snprintf(out, 1024, "%.*s%s%s", (int)(at - note), note, other, at + strlen(part));
}

static void finished_drafts_are_the_bytes_of_the_vectors(void **state)
{
    OPL_CLEANUP(opl_json_freep) json_t *vectors = vectors_load("entries.json");

    (void)state;
    assert_true(json_array_size(vectors) >= 5);
    for (size_t i = 0; i < json_array_size(vectors); i++) {
        const json_t *vector = json_array_get(vectors, i);
        OPL_CLEANUP(opl_draft_close) struct opl_draft draft = {0};
        OPL_CLEANUP(opl_buf_close) struct opl_buf bytes = {0};
        struct opl_place place;
        struct opl_hash leaf;
        char digest[OPL_DIGEST_SIZE];

        drafts_read(vector, &draft, &place);
        assert_ok(opl_draft_finish(&draft, &place, &bytes, err));
        assert_string_equal(opl_buf_text(&bytes), opl_json_str(vector, "bytes"));
        opl_leaf_hash(bytes.data, bytes.len, &leaf);
        opl_hash_digest(&leaf, digest);
        assert_string_equal(digest, opl_json_str(vector, "leaf"));
    }
}

static void every_example_is_read_back_from_the_log(void **state)
{
    OPL_CLEANUP(opl_json_freep) json_t *examples = vectors_load("kinds.json");

    (void)state;
    for (size_t i = 0; i < json_array_size(examples); i++) {
        OPL_CLEANUP(opl_draft_close) struct opl_draft draft = {0};
        OPL_CLEANUP(opl_buf_close) struct opl_buf bytes = {0};
        OPL_CLEANUP(opl_entry_close) struct opl_entry entry = {0};
        struct opl_place place = {"alice", NULL, -1, DRAFTS_NOW};
        char id[OPL_ID_SIZE];

        assert_ok(opl_draft_parse(json_array_get(examples, i), DRAFTS_NOW, &draft, err));
        opl_id_format(draft.kind->creates, 7, id);
        place.id = draft.kind->creates != OPL_ID_NONE ? id : NULL;
        assert_ok(opl_draft_finish(&draft, &place, &bytes, err));
        assert_ok(opl_entry_parse(bytes.data, bytes.len, SEQ, &entry, err));
        assert_ptr_equal(entry.kind, draft.kind);
        assert_true(json_equal(entry.body, draft.body));
    }
}

static void an_entry_says_who_when_and_about_what(void **state)
{
    OPL_CLEANUP(opl_entry_close) struct opl_entry entry = {0};

    (void)state;
    assert_ok(opl_entry_parse(note, strlen(note), SEQ, &entry, err));
    assert_int_equal(entry.seq, SEQ);
    assert_string_equal(entry.actor, "alice");
    assert_string_equal(entry.on, "inc-3");
    assert_null(entry.id);
    assert_int_equal(entry.prev, 40);
    assert_int_equal(entry.observed_at, -1);
    assert_int_equal(entry.at, 1790863402123456LL);
    assert_string_equal(entry.kind->name, "incident.noted");
}

static void a_part_that_is_not_as_it_should_be_is_found(void **state)
{
    static const struct {
        const char *part, *other, *field;
    } cases[] = {
        {"\"v\":1",                      "\"v\":2",                   "/v"            },
        {"\"v\":1",                      "\"v\":1,\"z\":0",           "/z"            },
        {"\"prev\":40",                  "\"prev\":50",               "/prev"         },
        {"\"prev\":40",                  "\"prev\":-1",               "/prev"         },
        {"\"alice\"",                    "\"Alice\"",                 "/actor"        },
        {"\"alice\"",                    "1",                         "/actor"        },
        {"22.123456Z",                   "22Z",                       "/at"           },
        {"inc-3",                        "#3",                        "/on"           },
        {"inc-3",                        "hyp-3",                     "/on"           },
        {",\"on\":\"inc-3\"",            "",                          "/on"           },
        {"\"kind\"",                     "\"id\":\"inc-9\",\"kind\"", "/id"           },
        {"sealed",                       "Sealed",                    "/body/text"    },
        {"{\"text\"",                    "{\"corrects\":-1,\"text\"", "/body/corrects"},
        {"{\"text\"",                    "{\"surplus\":1,\"text\"",   "/body/surplus" },
        {"\"kind\":\"incident.noted\",", "",                          "/kind"         },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct opl_err err = {0};
        char text[1024];

        with(cases[i].part, cases[i].other, text);
        if (parses(text, &err))
            fail_msg("%s: accepted", text);
        assert_int_equal(err.code, OPL_E_VERIFY);
        assert_string_equal(err.field, cases[i].field);
    }
}

static void bytes_that_are_not_canonical_are_refused(void **state)
{
    static const char *const others[][2] = {
        {"\"v\":1",                                                     "\"v\": 1"       },
        {"\"alice\"",                                                   "\"\\u0061lice\""},
        {"{\"actor\":\"alice\",\"at\":\"2026-10-01T14:03:22.123456Z\"",
         "{\"at\":\"2026-10-01T14:03:22.123456Z\",\"actor\":\"alice\""                   },
        {"\"v\":1}",                                                    "\"v\":1}\n"     },
        {"\"v\":1}",                                                    "\"v\":1}{}"     },
        {"\"v\":1",                                                     "\"v\":1.0"      },
        {"\"v\":1",                                                     "\"v\":1,\"v\":1"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        char text[1024];

        with(others[i][0], others[i][1], text);
        assert_fails(parses(text, err), OPL_E_VERIFY);
    }
}

static void an_unknown_kind_is_opaque(void **state)
{
    OPL_CLEANUP(opl_entry_close) struct opl_entry entry = {0};
    char text[1024];

    (void)state;
    with("incident.noted", "future.kind", text);
    assert_ok(opl_entry_parse(text, strlen(text), SEQ, &entry, err));
    assert_null(entry.kind);
    assert_string_equal(entry.kind_name, "future.kind");
    assert_string_equal(entry.on, "inc-3");
}

static void an_entry_that_creates_has_an_id_of_its_prefix(void **state)
{
    char text[1024];

    (void)state;
    with("\"kind\":\"incident.noted\"", "\"id\":\"hyp-1\",\"kind\":\"future.kind\"", text);
    assert_ok(parses(text, err));
    with("\"kind\":\"incident.noted\"", "\"id\":\"usr-1\",\"kind\":\"future.kind\"", text);
    assert_fails(parses(text, err), OPL_E_VERIFY);
}

static void every_truncation_is_refused(void **state)
{
    (void)state;
    for (size_t len = 0; len < strlen(note); len++) {
        OPL_CLEANUP(opl_entry_close) struct opl_entry entry = {0};

        assert_fails(opl_entry_parse(note, len, SEQ, &entry, err), OPL_E_VERIFY);
    }
}

static void a_place_must_fit_its_kind(void **state)
{
    OPL_CLEANUP(opl_json_freep) json_t *vectors = vectors_load("entries.json");
    OPL_CLEANUP(opl_draft_close) struct opl_draft draft = {0};
    OPL_CLEANUP(opl_buf_close) struct opl_buf bytes = {0};
    struct opl_place place;

    (void)state;
    drafts_read(json_array_get(vectors, 0), &draft, &place);
    place.id = NULL;
    assert_fails(opl_draft_finish(&draft, &place, &bytes, err), OPL_E_INTERNAL);
}

static void an_entry_over_65535_bytes_is_too_large(void **state)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf bytes = {0};
    struct opl_draft draft = {.kind = opl_kind_find("bootstrap.closed"), .observed_at = -1};
    struct opl_place place = {"admin", NULL, -1, DRAFTS_NOW};
    char *body = calloc(1, OPL_ENTRY_MAX + 1);

    (void)state;
    assert_non_null(body);
    memset(body, ' ', OPL_ENTRY_MAX - 100);
    draft.body_text = body;
    opl_buf_str(&bytes, "before");
    assert_ok(opl_draft_finish(&draft, &place, &bytes, err));
    opl_buf_reset(&bytes);
    opl_buf_str(&bytes, "before");
    memset(body, ' ', OPL_ENTRY_MAX - 1);
    assert_fails(opl_draft_finish(&draft, &place, &bytes, err), OPL_E_TOO_LARGE);
    assert_string_equal(opl_buf_text(&bytes), "before");
    opl_draft_close(&draft);
}

static void bytes_are_added_after_what_is_there(void **state)
{
    OPL_CLEANUP(opl_json_freep) json_t *vectors = vectors_load("entries.json");
    OPL_CLEANUP(opl_draft_close) struct opl_draft draft = {0};
    OPL_CLEANUP(opl_buf_close) struct opl_buf bytes = {0};
    struct opl_place place;

    (void)state;
    drafts_read(json_array_get(vectors, 3), &draft, &place);
    opl_buf_str(&bytes, "->");
    assert_ok(opl_draft_finish(&draft, &place, &bytes, err));
    assert_string_equal(opl_buf_text(&bytes) + 2,
                        opl_json_str(json_array_get(vectors, 3), "bytes"));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(finished_drafts_are_the_bytes_of_the_vectors),
    cmocka_unit_test(every_example_is_read_back_from_the_log),
    cmocka_unit_test(an_entry_says_who_when_and_about_what),
    cmocka_unit_test(a_part_that_is_not_as_it_should_be_is_found),
    cmocka_unit_test(bytes_that_are_not_canonical_are_refused),
    cmocka_unit_test(an_unknown_kind_is_opaque),
    cmocka_unit_test(an_entry_that_creates_has_an_id_of_its_prefix),
    cmocka_unit_test(every_truncation_is_refused),
    cmocka_unit_test(a_place_must_fit_its_kind),
    cmocka_unit_test(an_entry_over_65535_bytes_is_too_large),
    cmocka_unit_test(bytes_are_added_after_what_is_there),
};

UNIT_MAIN(tests)

/* SPDX-License-Identifier: Apache-2.0 */
#include "vectors.h"

#include <opledger/note.h>

#define DASH "\xe2\x80\x94"
#define GOOD_SIG "AAAAAAAA"

/* Text, blank line and lines, as one note. */
static void join(struct opl_buf *out, const char *text, const char *lines)
{
    opl_buf_reset(out);
    opl_buf_fmt(out, "%s\n%s", text, lines);
    assert_false(out->failed);
}

static struct opl_vkey key_of(const json_t *object, const char *name)
{
    struct opl_vkey vkey = {0};

    assert_ok(opl_vkey_parse(vectors_str(object, name), &vkey, err));
    return vkey;
}

static void the_reference_notes_verify(void **state)
{
    OPL_CLEANUP(opl_json_freep) json_t *vectors = vectors_load("notes.json");
    OPL_CLEANUP(opl_buf_close) struct opl_buf bytes = {0};
    const json_t *row;
    size_t i;

    (void)state;
    json_array_foreach(json_object_get(vectors, "signed"), i, row)
    {
        struct opl_vkey vkey = key_of(row, "vkey");
        struct opl_note note;
        uint64_t time_s = 1;

        join(&bytes, vectors_str(row, "text"), vectors_str(row, "line"));
        assert_ok(opl_note_parse(bytes.data, bytes.len, &note, err));
        assert_int_equal(note.text_len, strlen(vectors_str(row, "text")));
        assert_ok(opl_note_verify(&note, &vkey, &time_s, err));
        assert_int_equal(time_s, 0);
    }
}

static void signing_reproduces_go_s_note(void **state)
{
    OPL_CLEANUP(opl_json_freep) json_t *vectors = vectors_load("notes.json");
    OPL_CLEANUP(opl_buf_close) struct opl_buf want = {0};
    OPL_CLEANUP(opl_buf_close) struct opl_buf got = {0};
    const json_t *row = json_array_get(json_object_get(vectors, "signed"), 1);
    const char *text = vectors_str(row, "text");
    struct opl_sign_seed seed;

    (void)state;
    assert_ok(opl_hex_decode(vectors_str(row, "seed"), seed.b, sizeof seed.b, err));
    assert_ok(opl_note_sign(text, strlen(text), "PeterNeumann", &seed, &got, err));
    join(&want, text, vectors_str(row, "line"));
    assert_string_equal(opl_buf_text(&got), opl_buf_text(&want));
}

static void one_changed_byte_is_noticed(void **state)
{
    OPL_CLEANUP(opl_json_freep) json_t *vectors = vectors_load("notes.json");
    OPL_CLEANUP(opl_buf_close) struct opl_buf bytes = {0};
    const json_t *row = json_array_get(json_object_get(vectors, "signed"), 0);
    struct opl_vkey vkey = key_of(row, "vkey");

    (void)state;
    join(&bytes, vectors_str(row, "text"), vectors_str(row, "line"));
    for (size_t i = 0; i < bytes.len; i++) {
        struct opl_note note;

        bytes.data[i] ^= 1;
        if (opl_note_parse(bytes.data, bytes.len, &note, NULL))
            assert_fails(opl_note_verify(&note, &vkey, NULL, err), OPL_E_SIGNATURE);
        bytes.data[i] ^= 1;
    }
}

static void unknown_keys_are_skipped(void **state)
{
    OPL_CLEANUP(opl_json_freep) json_t *vectors = vectors_load("notes.json");
    OPL_CLEANUP(opl_buf_close) struct opl_buf bytes = {0};
    OPL_CLEANUP(opl_buf_close) struct opl_buf lines = {0};
    const json_t *row = json_array_get(json_object_get(vectors, "signed"), 0);
    struct opl_vkey vkey = key_of(row, "vkey");
    struct opl_note note;

    (void)state;
    /* another name, another id, a name of ours with another id, and only then the good line */
    opl_buf_fmt(&lines,
                DASH " other " GOOD_SIG "\n" DASH " example.com/foo " GOOD_SIG "\n" DASH
                     " other Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq\n%s",
                vectors_str(row, "line"));
    join(&bytes, vectors_str(row, "text"), opl_buf_text(&lines));
    assert_ok(opl_note_parse(bytes.data, bytes.len, &note, err));
    assert_ok(opl_note_verify(&note, &vkey, NULL, err));
}

static void a_bad_signature_of_a_known_key_spoils_a_good_one(void **state)
{
    OPL_CLEANUP(opl_json_freep) json_t *vectors = vectors_load("notes.json");
    OPL_CLEANUP(opl_buf_close) struct opl_buf bytes = {0};
    OPL_CLEANUP(opl_buf_close) struct opl_buf lines = {0};
    const json_t *row = json_array_get(json_object_get(vectors, "signed"), 0);
    struct opl_vkey vkey = key_of(row, "vkey");
    struct opl_note note;

    (void)state;
    opl_buf_fmt(&lines, "%s" DASH " example.com/foo Uw2QOgAAAAAA\n", vectors_str(row, "line"));
    join(&bytes, vectors_str(row, "text"), opl_buf_text(&lines));
    assert_ok(opl_note_parse(bytes.data, bytes.len, &note, err));
    assert_fails(opl_note_verify(&note, &vkey, NULL, err), OPL_E_SIGNATURE);
}

static void a_note_without_our_key_is_not_ours(void **state)
{
    OPL_CLEANUP(opl_json_freep) json_t *vectors = vectors_load("notes.json");
    const json_t *row = json_array_get(json_object_get(vectors, "keys"), 1);
    static const char bytes[] = "text\n\n" DASH " other " GOOD_SIG "\n";
    struct opl_vkey vkey = key_of(row, "vkey");
    struct opl_note note;

    (void)state;
    assert_ok(opl_note_parse(bytes, sizeof bytes - 1, &note, err));
    assert_fails(opl_note_verify(&note, &vkey, NULL, err), OPL_E_SIGNATURE);
}

static void a_cosignature_verifies_with_its_time(void **state)
{
    OPL_CLEANUP(opl_json_freep) json_t *vectors = vectors_load("notes.json");
    OPL_CLEANUP(opl_buf_close) struct opl_buf bytes = {0};
    OPL_CLEANUP(opl_buf_close) struct opl_buf lines = {0};
    const json_t *row = json_object_get(vectors, "checkpoint");
    struct opl_vkey cosigner = key_of(row, "cosigner");
    struct opl_note note;
    uint64_t time_s = 0;

    (void)state;
    assert_int_equal(cosigner.type, OPL_NOTE_COSIGNATURE);
    opl_buf_fmt(&lines, "%s%s", vectors_str(row, "line"), vectors_str(row, "cosignature"));
    join(&bytes, vectors_str(row, "body"), opl_buf_text(&lines));
    assert_ok(opl_note_parse(bytes.data, bytes.len, &note, err));
    assert_ok(opl_note_verify(&note, &cosigner, &time_s, err));
    assert_int_equal(time_s, opl_json_int(row, "time", 0));
    bytes.data[0] ^= 1;
    assert_fails(opl_note_verify(&note, &cosigner, &time_s, err), OPL_E_SIGNATURE);
}

static void the_text_ends_at_the_last_blank_line(void **state)
{
    static const char bytes[] = "a\n\nb\n\n" DASH " x " GOOD_SIG "\n";
    struct opl_note note;

    (void)state;
    assert_ok(opl_note_parse(bytes, sizeof bytes - 1, &note, err));
    assert_int_equal(note.text_len, 5);
}

static void malformed_notes_are_refused(void **state)
{
    static const char *const bad[] = {
        "",
        "\n",
        "text\n",
        "text\n\n",
        "text\n" DASH " x " GOOD_SIG "\n",
        "text\n\n" DASH " x " GOOD_SIG,
        "text\n\n- x " GOOD_SIG "\n",
        "text\n\n" DASH "x " GOOD_SIG "\n",
        "text\n\n" DASH " x\n",
        "text\n\n" DASH "  " GOOD_SIG "\n",
        "text\n\n" DASH " x AAAA\n",
        "text\n\n" DASH " x AAAAAAA=x\n",
        "text\n\n" DASH " x AAAAAAAA \n",
        "text\n\n" DASH " a+b " GOOD_SIG "\n",
        "text\n\n" DASH " a\xc2\xa0 " GOOD_SIG "\n",
        "text\r\n\r\n" DASH " x " GOOD_SIG "\n",
        "te\txt\n\n" DASH " x " GOOD_SIG "\n",
        "te\xfft\n\n" DASH " x " GOOD_SIG "\n",
        "text\n\n" DASH " x " GOOD_SIG "\nmore\n",
        "text\n\n" DASH " x " GOOD_SIG "\n\n",
    };
    struct opl_note note;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct opl_err err = {0};

        if (opl_note_parse(bad[i], strlen(bad[i]), &note, &err))
            fail_msg("row %zu is accepted", i);
        assert_int_equal(err.code, OPL_E_MALFORMED);
    }
}

static void too_many_signatures_are_refused(void **state)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf bytes = {0};
    struct opl_note note;

    (void)state;
    opl_buf_str(&bytes, "text\n\n");
    for (int i = 0; i < OPL_NOTE_SIGNATURES; i++)
        opl_buf_str(&bytes, DASH " x " GOOD_SIG "\n");
    assert_ok(opl_note_parse(bytes.data, bytes.len, &note, err));
    opl_buf_str(&bytes, DASH " x " GOOD_SIG "\n");
    assert_fails(opl_note_parse(bytes.data, bytes.len, &note, err), OPL_E_MALFORMED);
}

static void text_that_is_no_note_is_not_signed(void **state)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf out = {0};
    struct opl_sign_seed seed = {{0}};

    (void)state;
    assert_fails(opl_note_sign("", 0, "x", &seed, &out, err), OPL_E_INVALID);
    assert_fails(opl_note_sign("a", 1, "x", &seed, &out, err), OPL_E_INVALID);
    assert_fails(opl_note_sign("\x01\n", 2, "x", &seed, &out, err), OPL_E_INVALID);
    assert_fails(opl_note_sign("a\n", 2, "x y", &seed, &out, err), OPL_E_INVALID);
    assert_int_equal(out.len, 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_reference_notes_verify),
    cmocka_unit_test(signing_reproduces_go_s_note),
    cmocka_unit_test(one_changed_byte_is_noticed),
    cmocka_unit_test(unknown_keys_are_skipped),
    cmocka_unit_test(a_bad_signature_of_a_known_key_spoils_a_good_one),
    cmocka_unit_test(a_note_without_our_key_is_not_ours),
    cmocka_unit_test(a_cosignature_verifies_with_its_time),
    cmocka_unit_test(the_text_ends_at_the_last_blank_line),
    cmocka_unit_test(malformed_notes_are_refused),
    cmocka_unit_test(too_many_signatures_are_refused),
    cmocka_unit_test(text_that_is_no_note_is_not_signed),
};

UNIT_MAIN(tests)

/* SPDX-License-Identifier: Apache-2.0 */
#include "vectors.h"

#include <opledger/note.h>

static void keys_survive_the_round_trip(void **state)
{
    OPL_CLEANUP(opl_json_freep) json_t *vectors = vectors_load("notes.json");
    const json_t *row;
    size_t i;

    (void)state;
    json_array_foreach(json_object_get(vectors, "keys"), i, row)
    {
        const char *text = vectors_str(row, "vkey");
        char again[OPL_VKEY_SIZE];
        struct opl_sign_public key;
        struct opl_sign_seed seed;
        struct opl_vkey vkey;

        assert_ok(opl_vkey_parse(text, &vkey, err));
        opl_vkey_format(&vkey, again);
        assert_string_equal(again, text);
        assert_ok(opl_hex_decode(vectors_str(row, "seed"), seed.b, sizeof seed.b, err));
        opl_sign_public_from_seed(&seed, &key);
        assert_memory_equal(key.b, vkey.key.b, sizeof key.b);
    }
}

static void the_id_follows_from_name_type_and_key(void **state)
{
    struct opl_sign_public key = {{1}};
    struct opl_vkey a, b, c;

    (void)state;
    assert_ok(opl_vkey_make("a", OPL_NOTE_ED25519, &key, &a, err));
    assert_ok(opl_vkey_make("b", OPL_NOTE_ED25519, &key, &b, err));
    assert_ok(opl_vkey_make("a", OPL_NOTE_COSIGNATURE, &key, &c, err));
    assert_int_not_equal(a.id, b.id);
    assert_int_not_equal(a.id, c.id);
    assert_false(opl_vkey_equal(&a, &b));
    assert_false(opl_vkey_equal(&a, &c));
    assert_true(opl_vkey_equal(&a, &a));
}

static void malformed_keys_are_refused(void **state)
{
    static const char *const bad[] = {
        "",
        "EnochRoot",
        "EnochRoot+af0cfe78",
        "EnochRoot+af0cfe78+",
        "EnochRoot+af0cfe79+ATtqJ7zOtqQtYqOo0CpvDXNlMhV3HeJDpjrASKGLWdop",
        "EnochRoot+AF0CFE78+ATtqJ7zOtqQtYqOo0CpvDXNlMhV3HeJDpjrASKGLWdop",
        "EnochRoot+f0cfe78+ATtqJ7zOtqQtYqOo0CpvDXNlMhV3HeJDpjrASKGLWdop",
        "EnochRoot+af0cfe78+ATtqJ7zOtqQtYqOo0CpvDXNlMhV3HeJDpjrASKGLWdo",
        "EnochRoot+af0cfe78+AjtqJ7zOtqQtYqOo0CpvDXNlMhV3HeJDpjrASKGLWdop",
        "EnochRoot+af0cfe78+ATtqJ7zOtqQtYqOo0CpvDXNlMhV3HeJDpjrASKGLWdop\n",
        "Enoch Root+af0cfe78+ATtqJ7zOtqQtYqOo0CpvDXNlMhV3HeJDpjrASKGLWdop",
        "+af0cfe78+ATtqJ7zOtqQtYqOo0CpvDXNlMhV3HeJDpjrASKGLWdop",
    };
    struct opl_vkey vkey;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_fails(opl_vkey_parse(bad[i], &vkey, err), OPL_E_INVALID);
}

static void names_that_cannot_stand_in_a_line_are_refused(void **state)
{
    static const char *const bad[] = {"",          "a b",          "a+b",  "a\nb",     "a\tb",
                                      "a\xc2\xa0", "\xe3\x80\x80", "\xff", "a\x7f\x01"};
    struct opl_sign_public key = {{1}};
    struct opl_vkey vkey;
    char longest[OPL_NOTE_NAME_SIZE + 1];

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_fails(opl_vkey_make(bad[i], OPL_NOTE_ED25519, &key, &vkey, err), OPL_E_INVALID);
    memset(longest, 'a', sizeof longest);
    longest[OPL_NOTE_NAME_SIZE] = '\0';
    assert_fails(opl_vkey_make(longest, OPL_NOTE_ED25519, &key, &vkey, err), OPL_E_INVALID);
    longest[OPL_NOTE_NAME_SIZE - 1] = '\0';
    assert_ok(opl_vkey_make(longest, OPL_NOTE_ED25519, &key, &vkey, err));
}

static void the_longest_key_fits_its_text(void **state)
{
    char name[OPL_NOTE_NAME_SIZE], text[OPL_VKEY_SIZE];
    struct opl_sign_public key = {{1}};
    struct opl_vkey vkey, again;

    (void)state;
    memset(name, 'a', sizeof name);
    name[sizeof name - 1] = '\0';
    assert_ok(opl_vkey_make(name, OPL_NOTE_ED25519, &key, &vkey, err));
    opl_vkey_format(&vkey, text);
    assert_ok(opl_vkey_parse(text, &again, err));
    assert_true(opl_vkey_equal(&vkey, &again));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(keys_survive_the_round_trip),
    cmocka_unit_test(the_id_follows_from_name_type_and_key),
    cmocka_unit_test(malformed_keys_are_refused),
    cmocka_unit_test(names_that_cannot_stand_in_a_line_are_refused),
    cmocka_unit_test(the_longest_key_fits_its_text),
};

UNIT_MAIN(tests)

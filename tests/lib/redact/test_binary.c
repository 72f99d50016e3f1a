/* SPDX-License-Identifier: Apache-2.0 */
#include "filtered.h"

#include "lib/redact/binary.h"

#define REFUSED(text) assert_refused(text, sizeof(text) - 1)

static void assert_refused(const char *text, size_t len)
{
    OPL_CLEANUP(redacted_close) struct redacted done = redacted_run(text, len, NULL);

    assert_false(done.ok);
    assert_int_equal(done.err.code, OPL_E_WRONG_STATE);
    assert_int_equal(done.out.len, 0);
}

static void compressed_input_is_refused(void **state)
{
    (void)state;
    REFUSED("\x1f\x8b\x08\0\0\0\0\0\0\3text");
    REFUSED("\x28\xb5\x2f\xfd text");
    REFUSED("\xfd\x37zXZ\0text");
    REFUSED("BZh91AY&SYtext");
    REFUSED("PK\3\4text");
    REFUSED("\x7f"
            "ELFtext");
}

static void utf16_is_refused_with_the_way_to_convert_it(void **state)
{
    static const char text[] = "p\0a\0s\0s\0w\0o\0r\0d\0=\0h\0u\0n\0t\0e\0r\0\n";
    struct opl_err err = {0};

    (void)state;
    REFUSED("\xff\xfep\0a\0s\0s\0\n\0");
    REFUSED(text);
    assert_false(binary_refuse(text, sizeof(text) - 1, &err));
    assert_non_null(strstr(err.hint, "iconv"));
}

static void random_bytes_are_refused(void **state)
{
    char bytes[4096];

    (void)state;
    for (uint32_t i = 0, x = 7; i < sizeof(bytes); i++, x = x * 1664525u + 1013904223u)
        bytes[i] = (char)(x >> 24);
    assert_refused(bytes, sizeof(bytes));
}

static void lines_of_no_text_are_masked_whole_and_counted(void **state)
{
    static const char text[] = "one line of text, and one more word, and words, words, words\n"
                               "\x8b\x1f\x08\xff\x91zz\xfe\x03\x04 secret\n"
                               "another line of text, and one more word, and words, words\n";
    OPL_CLEANUP(redacted_close)
    struct redacted done = redacted_run(text, sizeof(text) - 1, NULL);

    (void)state;
    assert_true(done.ok);
    assert_false(has(&done, "zz"));
    assert_true(has(&done, "another line of text"));
    assert_int_equal(count(&done.out, "\n"), 3);
    assert_int_equal(done.result.unscannable, 1);
    assert_int_equal(json_array_size(json_object_get(done.manifest, "unscannable")), 1);
}

static void texts_of_other_languages_and_between_nuls_are_text(void **state)
{
    static const char environ[] = "HOME=/root\0LANG=C\0TERM=vt100\0";

    (void)state;
    assert_kept("\xe2\x97\x8f slurmctld.service \xe2\x94\x80 l\xc3\xa4uft nicht\n");
    assert_kept("ein Fehler: kein Ger\xe4t gefunden, und nichts l\xe4uft\n"); /* Latin-1 */
    assert_kept("\x1b[1;31merror\x1b[0m: \tno such file\r\n");
    assert_kept("BZh is no magic alone\n");
    assert_null(binary_kind(environ, sizeof(environ) - 1));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(compressed_input_is_refused),
    cmocka_unit_test(utf16_is_refused_with_the_way_to_convert_it),
    cmocka_unit_test(random_bytes_are_refused),
    cmocka_unit_test(lines_of_no_text_are_masked_whole_and_counted),
    cmocka_unit_test(texts_of_other_languages_and_between_nuls_are_text),
};

UNIT_MAIN(tests)

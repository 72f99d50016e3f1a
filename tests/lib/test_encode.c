/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include <opledger/encode.h>

static const struct {
    const char *plain;
    const char *text;
} rfc4648[] = {
    {"",       ""        },
    {"f",      "Zg=="    },
    {"fo",     "Zm8="    },
    {"foo",    "Zm9v"    },
    {"foob",   "Zm9vYg=="},
    {"fooba",  "Zm9vYmE="},
    {"foobar", "Zm9vYmFy"},
};

static void base64_agrees_with_rfc_4648(void **state)
{
    char text[16], plain[16];
    size_t len;

    (void)state;
    for (size_t i = 0; i < sizeof rfc4648 / sizeof *rfc4648; i++) {
        size_t plain_len = strlen(rfc4648[i].plain);

        opl_base64_encode(rfc4648[i].plain, plain_len, text);
        assert_string_equal(text, rfc4648[i].text);
        assert_int_equal(OPL_BASE64_SIZE(plain_len), strlen(text) + 1);
        assert_ok(opl_base64_decode(text, strlen(text), plain, plain_len, &len, err));
        assert_int_equal(len, plain_len);
        assert_memory_equal(plain, rfc4648[i].plain, len);
    }
}

static void base64_refuses_every_second_spelling(void **state)
{
    static const char *const bad[] = {
        "Zg",     "Zg=",  "Zg===", "Z",    "=",        "==",       "====", "Zh==", "Zm9=",
        "Zm8=\n", "Zm 8", "Zm8-",  "Zm_v", "Zg==Zg==", "Zm8=Zm9v", "Z===", "=g==", "Zm9v\n",
    };
    uint8_t out[16];
    size_t len;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_fails(opl_base64_decode(bad[i], strlen(bad[i]), out, sizeof out, &len, err),
                     OPL_E_MALFORMED);
}

static void base64_refuses_more_than_fits(void **state)
{
    uint8_t out[2];
    size_t len;

    (void)state;
    assert_fails(opl_base64_decode("Zm9v", 4, out, 2, &len, err), OPL_E_MALFORMED);
}

static void base64_appends_to_a_buffer(void **state)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf buf = {0};

    (void)state;
    opl_buf_chr(&buf, '<');
    opl_buf_base64(&buf, "fooba", 5);
    opl_buf_chr(&buf, '>');
    assert_string_equal(opl_buf_text(&buf), "<Zm9vYmE=>");
}

static void hexadecimal_is_lower_case_and_exact(void **state)
{
    uint8_t out[2] = {0};
    char text[5];

    (void)state;
    assert_ok(opl_hex_decode("0aff", out, 2, err));
    opl_hex_encode(out, 2, text);
    assert_string_equal(text, "0aff");
    assert_fails(opl_hex_decode("0AFF", out, 2, err), OPL_E_MALFORMED);
    assert_fails(opl_hex_decode("0aff0", out, 2, err), OPL_E_MALFORMED);
    assert_fails(opl_hex_decode("0af", out, 2, err), OPL_E_MALFORMED);
    assert_fails(opl_hex_decode("0afg", out, 2, err), OPL_E_MALFORMED);
}

static void digests_have_two_texts(void **state)
{
    struct opl_hash hash, again;
    char hex[OPL_HEX_SIZE], digest[OPL_DIGEST_SIZE];

    (void)state;
    opl_sha256("abc", 3, &hash);
    opl_hash_hex(&hash, hex);
    opl_hash_digest(&hash, digest);
    assert_int_equal(strlen(digest), OPL_DIGEST_SIZE - 1);
    assert_string_equal(digest + 7, hex);
    assert_ok(opl_hash_from_digest(digest, &again, err));
    assert_true(opl_hash_equal(&hash, &again));
    assert_ok(opl_hash_from_hex(hex, &again, err));
    assert_fails(opl_hash_from_hex(digest, &again, err), OPL_E_MALFORMED);
    assert_fails(opl_hash_from_digest(hex, &again, err), OPL_E_MALFORMED);
    digest[0] = 'S';
    assert_fails(opl_hash_from_digest(digest, &again, err), OPL_E_MALFORMED);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(base64_agrees_with_rfc_4648),
    cmocka_unit_test(base64_refuses_every_second_spelling),
    cmocka_unit_test(base64_refuses_more_than_fits),
    cmocka_unit_test(base64_appends_to_a_buffer),
    cmocka_unit_test(hexadecimal_is_lower_case_and_exact),
    cmocka_unit_test(digests_have_two_texts),
};

UNIT_MAIN(tests)

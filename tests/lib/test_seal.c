/* SPDX-License-Identifier: Apache-2.0 */
#include "vectors.h"

#include <opledger/encode.h>
#include <opledger/json.h>
#include <opledger/seal.h>

static void seals_are_those_of_the_vectors(void **state)
{
    OPL_CLEANUP(opl_json_freep) json_t *vectors = vectors_load("seals.json");

    (void)state;
    assert_int_equal(json_array_size(vectors), 4);
    for (size_t i = 0; i < json_array_size(vectors); i++) {
        const json_t *vector = json_array_get(vectors, i);
        const char *text = opl_json_str(vector, "text");
        char digest[OPL_DIGEST_SIZE];
        struct opl_salt salt;
        struct opl_hash hash;

        assert_ok(opl_hex_decode(opl_json_str(vector, "salt"), salt.b, sizeof salt.b, err));
        opl_seal_hash(&salt, text, strlen(text), &hash);
        opl_hash_digest(&hash, digest);
        assert_string_equal(digest, opl_json_str(vector, "sealed"));
    }
}

static void every_length_is_hashed_as_salt_and_text(void **state)
{
    char bytes[32 + 2100];
    struct opl_salt salt;

    (void)state;
    memset(bytes, 'x', sizeof bytes);
    memcpy(salt.b, bytes, sizeof salt.b);
    for (size_t len = 0; len <= 2100; len += 7) {
        struct opl_hash want, got;

        opl_sha256(bytes, 32 + len, &want);
        opl_seal_hash(&salt, bytes + 32, len, &got);
        assert_true(opl_hash_equal(&want, &got));
    }
}

static void a_seal_is_read_back(void **state)
{
    struct opl_hash hash, read;
    OPL_CLEANUP(opl_json_freep) json_t *value = NULL;

    (void)state;
    opl_sha256("x", 1, &hash);
    value = opl_seal_json(&hash);
    assert_true(opl_seal_read(value, &read));
    assert_true(opl_hash_equal(&hash, &read));
}

static void what_is_no_seal_is_not_read(void **state)
{
    static const char *const bad[] = {
        "{}",
        "[]",
        "{\"sealed\":1}",
        "{\"sealed\":\"sha256:00\"}",
        "{\"sealed\":\"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\"}",
        "{\"more\":1,\"sealed\":"
        "\"sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\"}",
        "{\"sealed\":\"sha256:0123456789ABCDEF0123456789abcdef0123456789abcdef0123456789abcdef\"}",
    };
    struct opl_hash hash;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        OPL_CLEANUP(opl_json_freep) json_t *value = json_loads(bad[i], 0, NULL);

        if (opl_seal_read(value, &hash))
            fail_msg("%s", bad[i]);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(seals_are_those_of_the_vectors),
    cmocka_unit_test(every_length_is_hashed_as_salt_and_text),
    cmocka_unit_test(a_seal_is_read_back),
    cmocka_unit_test(what_is_no_seal_is_not_read),
};

UNIT_MAIN(tests)

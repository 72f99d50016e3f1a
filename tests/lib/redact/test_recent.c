/* SPDX-License-Identifier: Apache-2.0 */
#include "filtered.h"

#include "lib/redact/recent.h"

static const struct opl_key key = {
    .b = {1, 2, 3}
};

static void same(struct recent *recent, enum token_kind kind, const char *space, const char *value)
{
    char wanted[TOKEN_MAX], got[TOKEN_MAX];

    token_make(&key, kind, space, value, strlen(value), wanted);
    recent_token(recent, kind, space, value, strlen(value), got);
    assert_string_equal(got, wanted);
}

static void it_makes_what_token_make_makes_also_the_second_time(void **state)
{
    struct recent *recent = recent_new(&key, &(struct opl_err){0});

    (void)state;
    assert_non_null(recent);
    for (int i = 0; i < 6000; i++) {
        char value[16];

        snprintf(value, sizeof(value), "node%d", i % 3000);
        same(recent, TOKEN_HOST, "host", value);
        same(recent, TOKEN_HOST, "host", value);
    }
    recent_free(recent);
}

static void kind_and_space_tell_equal_values_apart(void **state)
{
    struct recent *recent = recent_new(&key, &(struct opl_err){0});

    (void)state;
    assert_non_null(recent);
    for (int round = 0; round < 2; round++) {
        same(recent, TOKEN_USER, "user", "1234");
        same(recent, TOKEN_UID, "user", "1234");
        same(recent, TOKEN_UID, "uid", "1234");
        same(recent, TOKEN_UID, "uid", "123");
        same(recent, TOKEN_UID, "uid", "");
    }
    recent_free(recent);
}

static void long_values_are_made_anew(void **state)
{
    struct recent *recent = recent_new(&key, &(struct opl_err){0});

    (void)state;
    assert_non_null(recent);
    same(recent, TOKEN_SECRET, "secret", "0123456789012345678901234567890123456789");
    same(recent, TOKEN_SECRET, "secret", "01234567890123456789012345678901234567890");
    same(recent, TOKEN_SECRET, "a long name of a space", "x");
    recent_free(recent);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_makes_what_token_make_makes_also_the_second_time),
        cmocka_unit_test(kind_and_space_tell_equal_values_apart),
        cmocka_unit_test(long_values_are_made_anew),
    };

    return opl_crypto_init(NULL) ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "lib/redact/token.h"

static const struct opl_key key = {{7}};

static void make(enum token_kind kind, const char *space, const char *value,
                 char out[static TOKEN_MAX])
{
    token_make(&key, kind, space, value, strlen(value), out);
}

static void tokens_have_one_length_whatever_they_stand_for(void **state)
{
    char one[TOKEN_MAX], other[TOKEN_MAX];

    (void)state;
    make(TOKEN_USER, "user", "a", one);
    make(TOKEN_USER, "user", "a much longer name than that", other);
    assert_int_equal(strlen(one), strlen(other));
    assert_string_not_equal(one, other);
}

static void a_token_depends_on_key_space_and_value(void **state)
{
    const struct opl_key second = {{8}};
    char one[TOKEN_MAX], other[TOKEN_MAX];

    (void)state;
    make(TOKEN_USER, "user", "zed", one);
    make(TOKEN_USER, "group", "zed", other);
    assert_string_not_equal(one, other);
    token_make(&second, TOKEN_USER, "user", "zed", 3, other);
    assert_string_not_equal(one, other);
    make(TOKEN_UID, "user", "zed", other);
    assert_string_equal(one + 5, other + 4);
}

static void a_token_is_known_by_its_shape(void **state)
{
    char token[TOKEN_MAX], text[64];

    (void)state;
    for (int kind = 0; kind < TOKEN_KINDS; kind++) {
        make((enum token_kind)kind, "", "x", token);
        snprintf(text, sizeof text, "%s=%s", token, token);
        assert_int_equal(token_at(text, strlen(text)), strlen(token));
        assert_false(token_only(text, strlen(text)));
        snprintf(text, sizeof text, "%s[01-02].%s", token, token);
        assert_true(token_only(text, strlen(text)));
    }
}

static void one_wrong_letter_makes_it_none(void **state)
{
    char token[TOKEN_MAX];

    (void)state;
    make(TOKEN_SECRET, "secret", "x", token);
    token[9] = token[9] == 98 ? 99 : 98;
    assert_int_equal(token_at(token, strlen(token)), 0);
    assert_int_equal(token_at("secret_", 7), 0);
    assert_false(token_only("0123-45", 7));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(tokens_have_one_length_whatever_they_stand_for),
    cmocka_unit_test(a_token_depends_on_key_space_and_value),
    cmocka_unit_test(a_token_is_known_by_its_shape),
    cmocka_unit_test(one_wrong_letter_makes_it_none),
};

UNIT_MAIN(tests)

/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "lib/redact/vault.h"

static bool on_value(void *ctx, unsigned id, size_t end)
{
    (void)id;
    (void)end;
    *(bool *)ctx = true;
    return false;
}

static bool finds(const char *value, const char *text)
{
    OPL_CLEANUP(vault_close) struct vault vault = {0};
    struct names none = {0};
    struct anchor_scratch scratch = {0};
    struct anchors *anchors = NULL;
    bool found = false;

    assert_ok(vault_open(&vault, err));
    vault_add(&vault, value, strlen(value));
    vault_add(&vault, value, strlen(value));
    assert_true(vault.count <= 1);
    assert_ok(vault_compile(&vault, &none, &anchors, err));
    if (anchors) {
        assert_ok(anchors_scratch(&scratch, anchors, err));
        assert_ok(anchors_scan(anchors, &scratch, text, strlen(text), on_value, &found, err));
    }
    anchors_scratch_close(&scratch);
    anchors_free(anchors);
    return found;
}

static void a_value_is_found_in_every_encoding(void **state)
{
    (void)state;
    assert_true(finds("hunter22!safe", "x hunter22!safe y"));
    assert_true(finds("hunter22!safe", "68756E74657232322173616665"));
    assert_true(finds("hunter22!safe", "hunter22%21safe"));
    assert_true(finds("hunter22!safe", "aHVudGVyMjIhc2FmZQ=="));     /* alone */
    assert_true(finds("hunter22!safe", "eGh1bnRlcjIyIXNhZmV5"));     /* x before, y after */
    assert_true(finds("hunter22!safe", "eHlodW50ZXIyMiFzYWZlenpa")); /* xy before */
    assert_false(finds("hunter22!safe", "hunter23!safe"));
}

static void short_and_ordinary_values_are_not_kept(void **state)
{
    (void)state;
    assert_false(finds("abc123", "abc123"));
    assert_false(finds("aaaaaaaaaa", "aaaaaaaaaa"));
    assert_false(finds("accounting", "accounting"));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_value_is_found_in_every_encoding),
    cmocka_unit_test(short_and_ordinary_values_are_not_kept),
};

UNIT_MAIN(tests)

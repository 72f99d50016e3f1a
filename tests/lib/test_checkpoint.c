/* SPDX-License-Identifier: Apache-2.0 */
#include "vectors.h"

#include <opledger/checkpoint.h>
#include <opledger/merkle.h>

#define ROOT "CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n"

static struct opl_head head_of(const json_t *row)
{
    struct opl_head head = {.size = (uint64_t)opl_json_int(row, "size", 0)};

    (void)snprintf(head.origin, sizeof head.origin, "%s", vectors_str(row, "origin"));
    head.root = vectors_hash(json_object_get(row, "root"));
    return head;
}

static struct opl_vkey key_named(const char *name, const struct opl_sign_seed *seed)
{
    struct opl_sign_public key;
    struct opl_vkey vkey = {0};

    opl_sign_public_from_seed(seed, &key);
    assert_ok(opl_vkey_make(name, OPL_NOTE_ED25519, &key, &vkey, err));
    return vkey;
}

static void signing_reproduces_the_vector(void **state)
{
    OPL_CLEANUP(opl_json_freep) json_t *vectors = vectors_load("notes.json");
    OPL_CLEANUP(opl_buf_close) struct opl_buf note = {0};
    OPL_CLEANUP(opl_buf_close) struct opl_buf want = {0};
    const json_t *row = json_object_get(vectors, "checkpoint");
    struct opl_head head = head_of(row), again;
    struct opl_sign_seed seed = {{0}};
    struct opl_vkey vkey = key_named(head.origin, &seed);

    (void)state;
    assert_ok(opl_checkpoint_sign(&head, &seed, &note, err));
    opl_buf_fmt(&want, "%s\n%s", vectors_str(row, "body"), vectors_str(row, "line"));
    assert_string_equal(opl_buf_text(&note), opl_buf_text(&want));
    assert_ok(opl_checkpoint_open(note.data, note.len, &vkey, &again, err));
    assert_string_equal(again.origin, head.origin);
    assert_int_equal(again.size, head.size);
    assert_true(opl_hash_equal(&again.root, &head.root));
}

static void the_empty_log_has_a_checkpoint(void **state)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf body = {0};
    struct opl_head head = {.origin = "x"}, again;
    struct opl_edge none = {0};

    (void)state;
    opl_edge_root(&none, &head.root);
    assert_ok(opl_checkpoint_format(&head, &body, err));
    assert_string_equal(opl_buf_text(&body),
                        "x\n0\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n");
    assert_ok(opl_checkpoint_parse(body.data, body.len, &again, err));
    assert_int_equal(again.size, 0);
}

static void extension_lines_are_read_over(void **state)
{
    static const char body[] = "x\n7\n" ROOT "something else\nmore\n";
    struct opl_head head;

    (void)state;
    assert_ok(opl_checkpoint_parse(body, sizeof body - 1, &head, err));
    assert_int_equal(head.size, 7);
}

static void malformed_bodies_are_refused(void **state)
{
    static const char *const bad[] = {
        "",
        "x\n",
        "x\n7\n",
        "\n7\n" ROOT,
        "x\n\n" ROOT,
        "x\n07\n" ROOT,
        "x\n-7\n" ROOT,
        "x\n+7\n" ROOT,
        "x\n7 \n" ROOT,
        "x\n0x7\n" ROOT,
        "x\n18446744073709551616\n" ROOT,
        "x\n4611686018427387904\n" ROOT,
        "x\n99999999999999999999\n" ROOT,
        "x\n7\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=",
        "x\n7\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxqw==\n",
        "x\n7\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2J=\n",
        "x\n7\n" ROOT "\n",
        "x\n7\n" ROOT "unfinished",
    };
    struct opl_head head;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_fails(opl_checkpoint_parse(bad[i], strlen(bad[i]), &head, err), OPL_E_MALFORMED);
}

static void an_origin_too_long_is_refused(void **state)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf body = {0};
    struct opl_head head;

    (void)state;
    for (int i = 0; i < 256; i++)
        opl_buf_chr(&body, 'x');
    opl_buf_str(&body, "\n7\n" ROOT);
    assert_fails(opl_checkpoint_parse(body.data, body.len, &head, err), OPL_E_MALFORMED);
}

static void an_origin_that_cannot_be_written_is_refused(void **state)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf body = {0};
    struct opl_head empty = {.size = 1}, lines = {.origin = "a\nb"};
    struct opl_head large = {.origin = "a", .size = OPL_TREE_MAX};

    (void)state;
    assert_fails(opl_checkpoint_format(&empty, &body, err), OPL_E_INVALID);
    assert_fails(opl_checkpoint_format(&lines, &body, err), OPL_E_INVALID);
    assert_fails(opl_checkpoint_format(&large, &body, err), OPL_E_INVALID);
}

static void the_checkpoint_of_another_log_is_refused(void **state)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf note = {0};
    struct opl_head head;
    struct opl_sign_seed seed = {{3}};
    struct opl_vkey vkey = key_named("ours", &seed);
    static const char body[] = "theirs\n7\n" ROOT;

    (void)state;
    assert_ok(opl_note_sign(body, sizeof body - 1, "ours", &seed, &note, err));
    assert_fails(opl_checkpoint_open(note.data, note.len, &vkey, &head, err), OPL_E_VERIFY);
}

static void another_key_does_not_open(void **state)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf note = {0};
    struct opl_head head = {.origin = "ours", .size = 1}, again;
    struct opl_sign_seed seed = {{3}}, other = {{4}};
    struct opl_vkey vkey = key_named("ours", &other);

    (void)state;
    assert_ok(opl_checkpoint_sign(&head, &seed, &note, err));
    assert_fails(opl_checkpoint_open(note.data, note.len, &vkey, &again, err), OPL_E_SIGNATURE);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(signing_reproduces_the_vector),
    cmocka_unit_test(the_empty_log_has_a_checkpoint),
    cmocka_unit_test(extension_lines_are_read_over),
    cmocka_unit_test(malformed_bodies_are_refused),
    cmocka_unit_test(an_origin_too_long_is_refused),
    cmocka_unit_test(an_origin_that_cannot_be_written_is_refused),
    cmocka_unit_test(the_checkpoint_of_another_log_is_refused),
    cmocka_unit_test(another_key_does_not_open),
};

UNIT_MAIN(tests)

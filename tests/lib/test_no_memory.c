/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every allocation of our own code fails once, the first, the second and so on, until the call
 * needs no more: each time it must say so, and leak nothing (which the asan preset sees). The
 * linker sends malloc of lib/ and of this program through __wrap_malloc.
 */
#include "unit.h"

#include <opledger/checkpoint.h>
#include <opledger/json.h>
#include <opledger/merkle_group.h>
#include <opledger/sshsig.h>
#include <opledger/zstd.h>

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);

static size_t allowed = SIZE_MAX;

void *__wrap_malloc(size_t size)
{
    if (allowed == 0)
        return NULL;
    allowed--;
    return __real_malloc(size);
}

typedef bool call_fn(struct opl_err *err);

static void assert_says_so(call_fn *call)
{
    bool ok = false;

    for (size_t n = 0; !ok; n++) {
        struct opl_err err = {0};

        assert_true(n < 1000);
        allowed = n;
        ok = call(&err);
        allowed = SIZE_MAX;
        assert_int_equal(err.code, ok ? OPL_OK : OPL_E_NOMEM);
    }
}

static json_t *many_keys(void)
{
    json_t *object = json_object();
    char key[24];

    for (int i = 0; i < 100; i++) {
        (void)snprintf(key, sizeof key, "a long key %d", i);
        assert_int_equal(json_object_set_new(object, key, json_integer(i)), 0);
    }
    return object;
}

static bool write_json(struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *object = many_keys();
    OPL_CLEANUP(opl_buf_close) struct opl_buf form = {0};

    return opl_json_canonical(object, &form, err);
}

static bool sign_checkpoint(struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf note = {0};
    struct opl_head head = {.origin = "example.com/log", .size = 1};
    struct opl_sign_seed seed = {{0}};

    return opl_checkpoint_sign(&head, &seed, &note, err);
}

static bool wrap_signature(struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf armor = {0};
    OPL_CLEANUP(opl_buf_close) struct opl_buf blob = {0};
    static const char bytes[200];

    opl_sshsig_armor(bytes, sizeof bytes, &armor);
    return opl_buf_ok(&armor, err) && opl_sshsig_dearmor(armor.data, armor.len, &blob, err);
}

static bool write_key(struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf line = {0};
    struct opl_sshkey key = {.type = OPL_SSHKEY_SK_ED25519, .application = "ssh:"};

    opl_sshkey_line(&key, &line);
    return opl_buf_ok(&line, err);
}

static bool compress_chunk(struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf packed = {0};
    OPL_CLEANUP(opl_buf_close) struct opl_buf plain = {0};

    return opl_zstd_compress("hello", 5, 1, &packed, err) &&
           opl_zstd_decompress(packed.data, packed.len, 5, &plain, err);
}

static void writing_json_says_so(void **state)
{
    (void)state;
    assert_says_so(write_json);
}

static void signing_a_checkpoint_says_so(void **state)
{
    (void)state;
    assert_says_so(sign_checkpoint);
}

static void wrapping_a_signature_says_so(void **state)
{
    (void)state;
    assert_says_so(wrap_signature);
}

static void writing_a_key_says_so(void **state)
{
    (void)state;
    assert_says_so(write_key);
}

static void compressing_says_so(void **state)
{
    (void)state;
    assert_says_so(compress_chunk);
}

/* A signature that cannot be checked must not pass. */
static void verifying_never_succeeds_for_want_of_memory(void **state)
{
    struct opl_sshsig sig = {.ssh_namespace = "x", .hash_name = "sha512"};

    (void)state;
    for (size_t n = 0; n < 4; n++) {
        bool ok;

        allowed = n;
        ok = opl_sshsig_verify(&sig, "m", 1, "x", NULL);
        allowed = SIZE_MAX;
        assert_false(ok);
    }
}

static void objects_that_cannot_be_made_are_null(void **state)
{
    struct opl_edge none = {0};
    struct opl_hash leaf = {{0}};
    struct opl_merkle_group *group;
    struct opl_sha256_ctx *ctx;

    (void)state;
    allowed = 0;
    group = opl_group_new(&none, &leaf, 1);
    ctx = opl_sha256_new();
    allowed = SIZE_MAX;
    assert_null(group);
    assert_null(ctx);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(writing_json_says_so),
    cmocka_unit_test(signing_a_checkpoint_says_so),
    cmocka_unit_test(wrapping_a_signature_says_so),
    cmocka_unit_test(writing_a_key_says_so),
    cmocka_unit_test(compressing_says_so),
    cmocka_unit_test(verifying_never_succeeds_for_want_of_memory),
    cmocka_unit_test(objects_that_cannot_be_made_are_null),
};

UNIT_MAIN(tests)

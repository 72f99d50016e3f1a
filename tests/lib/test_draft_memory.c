/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every allocation of jansson, and of our own code, fails once while a draft is made, resolved and
 * finished: each time the call says so and leaks nothing (which the asan preset sees).
 */
#include "vectors.h"

#include <opledger/entry.h>
#include <opledger/json.h>
#include <opledger/manifest.h>

#define NOW 1790863402123456LL

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

static bool record(const json_t *request, struct opl_err *err)
{
    static const char ids[][OPL_ID_SIZE] = {"hyp-1", "hyp-2"};
    OPL_CLEANUP(opl_draft_close) struct opl_draft draft = {0};
    OPL_CLEANUP(opl_buf_close) struct opl_buf bytes = {0};
    struct opl_place place = {"alice", NULL, -1, NOW};
    char id[OPL_ID_SIZE];

    if (!opl_draft_parse(request, NOW, &draft, err) || !opl_draft_resolve(&draft, ids, 2, err))
        return false;
    opl_id_format(draft.kind->creates, 1, id);
    place.id = draft.kind->creates != OPL_ID_NONE ? id : NULL;
    return opl_draft_finish(&draft, &place, &bytes, err);
}

/* How many allocations were needed. */
static size_t fail_each(const json_t *request)
{
    bool ok = false;
    size_t n = 0;

    for (; !ok; n++) {
        struct opl_err err = {0};

        assert_true(n < 2000);
        allowed = n;
        ok = record(request, &err);
        allowed = SIZE_MAX;
        if (err.code != (ok ? OPL_OK : OPL_E_NOMEM))
            fail_msg("allocation %zu: %s: %s", n, opl_code_slug(err.code), err.text);
    }
    return n;
}

static void recording_every_kind_says_so(void **state)
{
    OPL_CLEANUP(opl_json_freep) json_t *examples = vectors_load("kinds.json");

    (void)state;
    for (size_t i = 0; i < json_array_size(examples); i++)
        assert_true(fail_each(json_array_get(examples, i)) > 1);
}

static void resolving_lines_says_so(void **state)
{
    static const char text[] =
        "{\"kind\":\"change.revised\",\"on\":\"chg-1\",\"body\":{\"files\":1,\"manifest\":"
        "\"sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\","
        "\"hypotheses\":[\"hyp-3\",\"#2\",\"#1\"]}}";
    OPL_CLEANUP(opl_json_freep) json_t *request = NULL;

    (void)state;
    assert_ok((request = opl_json_parse(text, sizeof text - 1, err)) != NULL);
    assert_true(fail_each(request) > 5);
}

static void a_base_is_never_wrong_for_want_of_memory(void **state)
{
    static char path[] = "/etc/motd";
    struct opl_manifest_file file = {
        .path = path, .base = {.present = true, .mode = "0644", .owner = "0:0"}
    };
    struct opl_manifest manifest = {.target = "lab", .files = &file, .file_count = 1};
    struct opl_hash want, got;
    bool ok = false;

    (void)state;
    assert_ok(opl_manifest_base(&manifest, &want, err));
    for (size_t n = 0; !ok; n++) {
        struct opl_err err = {0};

        allowed = n;
        ok = opl_manifest_base(&manifest, &got, &err);
        allowed = SIZE_MAX;
        assert_int_equal(err.code, ok ? OPL_OK : OPL_E_NOMEM);
    }
    assert_true(opl_hash_equal(&want, &got));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(recording_every_kind_says_so),
    cmocka_unit_test(resolving_lines_says_so),
    cmocka_unit_test(a_base_is_never_wrong_for_want_of_memory),
};

int main(void)
{
    if (!opl_crypto_init(NULL))
        return 1;
    json_set_alloc_funcs(__wrap_malloc, free);
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "client/egress.h"

#include "unit.h"

#include "desk.h"

#define RULES "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

/* Records "scrubbed" as egress under a manifest that says its output has this digest. */
static int record(struct desk *desk, const char *digest)
{
    char manifest[512];
    char path[256];

    (void)snprintf(manifest, sizeof(manifest),
                   "{\"rules\":\"" RULES "\",\"hits\":{\"secret\":{\"a\":2,\"b\":1}},"
                   "\"output\":{\"sha256\":\"%s\"},\"unscannable\":[]}\n",
                   digest);
    (void)snprintf(path, sizeof(path), "%s", desk_file(desk, "m.json", manifest));
    return RUN(desk, "egress", "record", desk_file(desk, "out", "scrubbed"), "--manifest", path,
               "--destination", "openai-api", "-m", "openai/gpt-5", "--for", "inc-1");
}

static const char *digest_of(const char *text)
{
    static char hex[OPL_HEX_SIZE];
    struct opl_hash sha256;

    opl_sha256(text, strlen(text), &sha256);
    opl_hash_hex(&sha256, hex);
    return hex;
}

static void output_and_manifest_that_belong_together_are_sent(void **state)
{
    struct desk *desk = *state;

    (void)record(desk, digest_of("scrubbed"));
    assert_int_equal(json_object_size(desk->ledger->blobs), 3 + 2);
    assert_non_null(json_object_get(desk->ledger->blobs, digest_of("scrubbed")));
}

static void a_manifest_of_another_output_is_refused(void **state)
{
    struct desk *desk = *state;

    assert_int_equal(record(desk, digest_of("something else")), 4);
    assert_true(desk_complained(desk, "another output"));
}

static void what_no_egress_accounts_for_is_listed_with_exit_1(void **state)
{
    struct desk *desk = *state;

    assert_int_equal(RUN(desk, "egress", "list", "--unaccounted"), 1);
    assert_true(desk_said(desk, "hyp-1\t"));
}

#define WITH_CHANGE(test) cmocka_unit_test_setup_teardown(test, desk_set_up_change, desk_tear_down)

static const struct CMUnitTest tests[] = {
    WITH_CHANGE(output_and_manifest_that_belong_together_are_sent),
    WITH_CHANGE(a_manifest_of_another_output_is_refused),
    WITH_CHANGE(what_no_egress_accounts_for_is_listed_with_exit_1),
};

UNIT_MAIN(tests)

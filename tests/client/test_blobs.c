/* SPDX-License-Identifier: Apache-2.0 */
#include "client/blobs.h"

#include "unit.h"

#include "desk.h"

#define ABC_HEX "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

struct bench {
    struct desk *desk;
    struct client client;
};

static int set_up(void **state)
{
    struct bench *bench = calloc(1, sizeof(*bench));

    bench->desk = desk_new(story_begin());
    desk_client(bench->desk, &bench->client);
    *state = bench;
    return 0;
}

static int tear_down(void **state)
{
    struct bench *bench = *state;

    desk_client_close(&bench->client);
    desk_free(bench->desk);
    free(bench);
    return 0;
}

static void a_file_is_stored_under_its_digest(void **state)
{
    struct bench *bench = *state;
    struct blob blob;

    assert_ok(blobs_put_file(&bench->client, desk_file(bench->desk, "f", "abc"), &blob, err));
    assert_int_equal(blob.size, 3);
    assert_true(blob.text);
    assert_non_null(json_object_get(bench->desk->ledger->blobs, ABC_HEX));
}

static void bytes_come_back_as_they_were_stored(void **state)
{
    struct bench *bench = *state;
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};
    struct opl_hash sha256;

    assert_ok(blobs_put_bytes(&bench->client, "abc", 3, &sha256, err));
    assert_ok(blobs_get(&bench->client, &sha256, &text, err));
    assert_string_equal(opl_buf_text(&text), "abc");
}

static void other_bytes_are_refused(void **state)
{
    struct bench *bench = *state;
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};
    struct opl_hash sha256;

    assert_ok(blobs_put_bytes(&bench->client, "abc", 3, &sha256, err));
    json_object_set_new(bench->desk->ledger->blobs, ABC_HEX, json_string("abd"));
    assert_fails(blobs_get(&bench->client, &sha256, &text, err), OPL_E_DIGEST);
    assert_int_equal(text.len, 0);
}

static void nothing_is_uploaded_to_another_ledger(void **state)
{
    struct bench *bench = *state;
    struct opl_hash sha256;

    assert_ok(blobs_put_bytes(&bench->client, "abc", 3, &sha256, err));
    desk_client_close(&bench->client);
    desk_client(bench->desk, &bench->client);
    bench->desk->ledger->fault = FAULT_KEY;
    assert_fails(blobs_put_bytes(&bench->client, "def", 3, &sha256, err), OPL_E_VERIFY);
    assert_int_equal(json_object_size(bench->desk->ledger->blobs), 1);
}

static void binary_is_told_from_text(void **state)
{
    struct bench *bench = *state;
    struct blob blob;

    assert_ok(blobs_put_file(&bench->client, desk_file(bench->desk, "f", "a\xff\xfe"), &blob, err));
    assert_false(blob.text);
}

static void a_blob_past_the_maximum_is_too_large(void **state)
{
    struct bench *bench = *state;
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = OPL_BUF_INIT(2);
    struct opl_hash sha256;

    assert_ok(blobs_put_bytes(&bench->client, "abc", 3, &sha256, err));
    assert_fails(blobs_get(&bench->client, &sha256, &text, err), OPL_E_TOO_LARGE);
}

static void what_is_no_file_is_refused(void **state)
{
    struct bench *bench = *state;
    struct blob blob;

    assert_fails(blobs_put_file(&bench->client, bench->desk->home, &blob, err), OPL_E_USAGE);
    assert_fails(blobs_put_file(&bench->client, "/nonexistent", &blob, err), OPL_E_USAGE);
}

#define WITH_LEDGER(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

static const struct CMUnitTest tests[] = {
    WITH_LEDGER(a_file_is_stored_under_its_digest),
    WITH_LEDGER(bytes_come_back_as_they_were_stored),
    WITH_LEDGER(other_bytes_are_refused),
    WITH_LEDGER(nothing_is_uploaded_to_another_ledger),
    WITH_LEDGER(binary_is_told_from_text),
    WITH_LEDGER(a_blob_past_the_maximum_is_too_large),
    WITH_LEDGER(what_is_no_file_is_refused),
};

UNIT_MAIN(tests)

/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include <opledger/zstd.h>

static char *chunk(void)
{
    char *bytes = malloc(OPL_CHUNK_SIZE);

    for (size_t i = 0; i < OPL_CHUNK_SIZE; i++)
        bytes[i] = (char)(i * i >> 7);
    return bytes;
}

static void chunks_survive_the_round_trip(void **state)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf packed = {0};
    OPL_CLEANUP(opl_buf_close) struct opl_buf plain = {0};
    char *bytes = chunk();

    (void)state;
    assert_ok(opl_zstd_compress(bytes, OPL_CHUNK_SIZE, 1, &packed, err));
    assert_true(packed.len < OPL_CHUNK_SIZE);
    assert_ok(opl_zstd_decompress(packed.data, packed.len, OPL_CHUNK_SIZE, &plain, err));
    assert_int_equal(plain.len, OPL_CHUNK_SIZE);
    assert_memory_equal(plain.data, bytes, OPL_CHUNK_SIZE);
    free(bytes);
}

static void nothing_is_a_chunk_too(void **state)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf packed = {0};
    OPL_CLEANUP(opl_buf_close) struct opl_buf plain = {0};

    (void)state;
    assert_ok(opl_zstd_compress("", 0, 3, &packed, err));
    assert_ok(opl_zstd_decompress(packed.data, packed.len, 0, &plain, err));
    assert_int_equal(plain.len, 0);
}

static void what_unpacks_too_large_is_refused_before_it_is_made(void **state)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf packed = {0};
    OPL_CLEANUP(opl_buf_close) struct opl_buf plain = {0};
    char *bytes = chunk();

    (void)state;
    assert_ok(opl_zstd_compress(bytes, OPL_CHUNK_SIZE, 1, &packed, err));
    free(bytes);
    assert_fails(opl_zstd_decompress(packed.data, packed.len, OPL_CHUNK_SIZE - 1, &plain, err),
                 OPL_E_TOO_LARGE);
    assert_int_equal(plain.size, 0);
}

static void damaged_cut_or_lengthened_frames_are_malformed(void **state)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf packed = {0};
    OPL_CLEANUP(opl_buf_close) struct opl_buf plain = {0};

    (void)state;
    assert_ok(opl_zstd_compress("hello hello hello hello", 23, 3, &packed, err));
    assert_fails(opl_zstd_decompress(packed.data, packed.len - 1, 99, &plain, err),
                 OPL_E_MALFORMED);
    opl_buf_chr(&packed, 0);
    assert_fails(opl_zstd_decompress(packed.data, packed.len, 99, &plain, err), OPL_E_MALFORMED);
    assert_fails(opl_zstd_decompress("nonsense", 8, 99, &plain, err), OPL_E_MALFORMED);
    assert_fails(opl_zstd_decompress("", 0, 99, &plain, err), OPL_E_MALFORMED);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(chunks_survive_the_round_trip),
    cmocka_unit_test(nothing_is_a_chunk_too),
    cmocka_unit_test(what_unpacks_too_large_is_refused_before_it_is_made),
    cmocka_unit_test(damaged_cut_or_lengthened_frames_are_malformed),
};

UNIT_MAIN(tests)

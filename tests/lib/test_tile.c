/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include <opledger/tile.h>

static const struct {
    const char *path;
    struct opl_tile tile;
} good[] = {
    {"tile/0/000",                                {false, 0, 0, 256}                  },
    {"tile/1/000.p/1",                            {false, 1, 0, 1}                    },
    {"tile/0/x001/000",                           {false, 0, 1000, 256}               },
    {"tile/0/x001/x234/067",                      {false, 0, 1234067, 256}            },
    {"tile/0/x001/x234/067.p/8",                  {false, 0, 1234067, 8}              },
    {"tile/63/999.p/255",                         {false, 63, 999, 255}               },
    {"tile/entries/273.p/112",                    {true, 0, 273, 112}                 },
    {"tile/entries/x018/x014/x398/x509/x481/984", {true, 0, 18014398509481984ULL, 256}},
};

static void paths_survive_the_round_trip(void **state)
{
    char path[OPL_TILE_PATH_SIZE];

    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct opl_tile tile = {0};

        assert_ok(opl_tile_parse(good[i].path, &tile, err));
        assert_int_equal(tile.entries, good[i].tile.entries);
        assert_int_equal(tile.level, good[i].tile.level);
        assert_int_equal(tile.index, good[i].tile.index);
        assert_int_equal(tile.width, good[i].tile.width);
        opl_tile_format(&tile, path);
        assert_string_equal(path, good[i].path);
    }
}

static void the_longest_path_fits(void **state)
{
    struct opl_tile tile = {true, 0, UINT64_MAX, 255};
    char path[OPL_TILE_PATH_SIZE];

    (void)state;
    opl_tile_format(&tile, path);
    assert_string_equal(path, "tile/entries/x018/x446/x744/x073/x709/x551/615.p/255");
}

static void other_paths_name_no_tile(void **state)
{
    static const char *const bad[] = {
        "",
        "tile/",
        "/tile/0/000",
        "tile/0/",
        "tile/0/0",
        "tile/0/0000",
        "tile/0/00a",
        "tile/00/000",
        "tile/01/000",
        "tile/64/000",
        "tile/-1/000",
        "tile/0/x000/001",
        "tile/0/x001",
        "tile/0/x001/",
        "tile/0/001/000",
        "tile/0/x001/x000",
        "tile/0/000.p/0",
        "tile/0/000.p/256",
        "tile/0/000.p/01",
        "tile/0/000.p/",
        "tile/0/000.p",
        "tile/0/000/",
        "tile/0/000.p/8/",
        "tile/8/0/x001/000x",
        "tile/entries/0/000",
        "tile/entries/",
        "tile/data/000",
        "tile/0/x999/x999/x999/x999/x999/x999/999",
        "tile/0/x018/x446/x744/x073/x709/x551/616",
    };
    struct opl_tile tile;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_fails(opl_tile_parse(bad[i], &tile, err), OPL_E_NOT_FOUND);
}

/* the example of the reference: 70,000 entries */
static void widths_follow_from_the_size(void **state)
{
    (void)state;
    assert_int_equal(opl_tile_width(0, 272, 70000), 256);
    assert_int_equal(opl_tile_width(0, 273, 70000), 112);
    assert_int_equal(opl_tile_width(0, 274, 70000), 0);
    assert_int_equal(opl_tile_width(1, 0, 70000), 256);
    assert_int_equal(opl_tile_width(1, 1, 70000), 17);
    assert_int_equal(opl_tile_width(2, 0, 70000), 1);
    assert_int_equal(opl_tile_width(3, 0, 70000), 0);
    assert_int_equal(opl_tile_width(0, 0, 256), 256);
    assert_int_equal(opl_tile_width(0, 1, 256), 0);
    assert_int_equal(opl_tile_width(1, 0, 256), 1);
    assert_int_equal(opl_tile_width(0, 0, 0), 0);
    assert_int_equal(opl_tile_width(63, 0, UINT64_MAX), 0);
}

static void bundles_survive_the_round_trip(void **state)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf buf = {0};
    static const char longest[OPL_BUNDLE_ENTRY_MAX] = {'x'};
    struct opl_bundle walk;

    (void)state;
    assert_ok(opl_bundle_add(&buf, "one", 3, err));
    assert_ok(opl_bundle_add(&buf, "", 0, err));
    assert_ok(opl_bundle_add(&buf, longest, sizeof longest, err));
    walk = (struct opl_bundle){.bytes = buf.data, .left = buf.len};
    assert_ok(opl_bundle_next(&walk, err));
    assert_int_equal(walk.len, 3);
    assert_memory_equal(walk.entry, "one", 3);
    assert_ok(opl_bundle_next(&walk, err));
    assert_int_equal(walk.len, 0);
    assert_ok(opl_bundle_next(&walk, err));
    assert_int_equal(walk.len, sizeof longest);
    assert_fails(opl_bundle_next(&walk, err), OPL_OK);
}

static void an_entry_too_long_for_a_bundle_is_refused(void **state)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf buf = {0};
    static const char longer[OPL_BUNDLE_ENTRY_MAX + 1] = {'x'};

    (void)state;
    assert_fails(opl_bundle_add(&buf, longer, sizeof longer, err), OPL_E_TOO_LARGE);
    assert_int_equal(buf.len, 0);
}

static void a_bundle_cut_short_is_malformed(void **state)
{
    static const char bytes[] = "\0\2ab\0\3x";
    struct opl_bundle cut_entry = {.bytes = bytes, .left = 7};
    struct opl_bundle cut_length = {.bytes = bytes, .left = 5};

    (void)state;
    assert_ok(opl_bundle_next(&cut_entry, err));
    assert_fails(opl_bundle_next(&cut_entry, err), OPL_E_MALFORMED);
    assert_ok(opl_bundle_next(&cut_length, err));
    assert_fails(opl_bundle_next(&cut_length, err), OPL_E_MALFORMED);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(paths_survive_the_round_trip),
    cmocka_unit_test(the_longest_path_fits),
    cmocka_unit_test(other_paths_name_no_tile),
    cmocka_unit_test(widths_follow_from_the_size),
    cmocka_unit_test(bundles_survive_the_round_trip),
    cmocka_unit_test(an_entry_too_long_for_a_bundle_is_refused),
    cmocka_unit_test(a_bundle_cut_short_is_malformed),
};

UNIT_MAIN(tests)

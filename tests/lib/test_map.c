/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "lib/map.h"

static size_t count_of(const struct opl_map *map, uint64_t hash)
{
    struct opl_map_walk walk = {hash, 0};
    size_t position, count = 0;

    while (opl_map_next(map, &walk, &position))
        count++;
    return count;
}

static void an_empty_map_holds_nothing(void **state)
{
    const struct opl_map map = {0};

    (void)state;
    assert_int_equal(count_of(&map, 0), 0);
}

static void each_key_finds_its_position(void **state)
{
    OPL_CLEANUP(opl_map_close) struct opl_map map = {0};
    size_t position;

    (void)state;
    for (size_t i = 0; i < 1000; i++)
        assert_ok(opl_map_add(&map, opl_map_hash(&i, sizeof i), i, err));
    for (size_t i = 0; i < 1000; i++) {
        struct opl_map_walk walk = {opl_map_hash(&i, sizeof i), 0};

        assert_true(opl_map_next(&map, &walk, &position));
        assert_int_equal(position, i);
    }
}

static void keys_of_one_hash_are_all_given(void **state)
{
    OPL_CLEANUP(opl_map_close) struct opl_map map = {0};

    (void)state;
    for (size_t i = 0; i < 40; i++)
        assert_ok(opl_map_add(&map, i % 2, i, err));
    assert_int_equal(count_of(&map, 0), 20);
    assert_int_equal(count_of(&map, 1), 20);
    assert_int_equal(count_of(&map, 2), 0);
}

static void a_copy_lives_on_its_own(void **state)
{
    OPL_CLEANUP(opl_map_close) struct opl_map map = {0}, copy = {0};

    (void)state;
    assert_ok(opl_map_add(&map, 7, 1, err));
    assert_ok(opl_map_copy(&copy, &map, err));
    assert_ok(opl_map_add(&map, 7, 2, err));
    assert_int_equal(count_of(&copy, 7), 1);
    assert_int_equal(count_of(&map, 7), 2);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(an_empty_map_holds_nothing),
    cmocka_unit_test(each_key_finds_its_position),
    cmocka_unit_test(keys_of_one_hash_are_all_given),
    cmocka_unit_test(a_copy_lives_on_its_own),
};

UNIT_MAIN(tests)

/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "lib/array.h"

static void items_survive_each_growth(void **state)
{
    int *items = NULL;
    size_t size = 0;

    (void)state;
    for (int i = 0; i < 1000; i++) {
        items = opl_array_room(items, (size_t)i, &size, sizeof *items, NULL);
        assert_non_null(items);
        assert_true(size > (size_t)i);
        items[i] = i;
    }
    for (int i = 0; i < 1000; i++)
        assert_int_equal(items[i], i);
    free(items);
}

static void an_array_past_the_address_space_is_refused_and_untouched(void **state)
{
    char item = 'x';
    size_t size = SIZE_MAX / 4;

    (void)state;
    assert_fails(opl_array_room(&item, size, &size, 64, err) != NULL, OPL_E_NOMEM);
    assert_int_equal(size, SIZE_MAX / 4);
    assert_int_equal(item, 'x');
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(items_survive_each_growth),
    cmocka_unit_test(an_array_past_the_address_space_is_refused_and_untouched),
};

UNIT_MAIN(tests)

/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "server/published.h"

static struct signed_head *head_of(uint64_t size)
{
    const struct opl_head head = {.origin = "x", .size = size};
    struct signed_head *made = signed_head_new(&head, 7, "note\n");

    assert_non_null(made);
    return made;
}

static void nothing_is_there_at_first(void **state)
{
    struct published published;

    (void)state;
    published_init(&published);
    assert_null(published_head(&published));
    assert_null(published_registry(&published));
    published_close(&published);
}

static void a_reader_keeps_what_it_took(void **state)
{
    struct published published;
    struct signed_head *taken;
    struct opl_registry *registry;

    (void)state;
    published_init(&published);
    published_set(&published, head_of(1), opl_registry_new());
    taken = published_head(&published);
    registry = published_registry(&published);
    published_set(&published, head_of(2), opl_registry_new());
    assert_int_equal(taken->head.size, 1);
    assert_false(opl_registry_bootstrap_closed(registry));
    signed_head_drop(taken);
    opl_registry_free(registry);
    published_close(&published);
}

static void a_new_head_leaves_the_registry(void **state)
{
    struct published published;
    struct opl_registry *registry, *again;

    (void)state;
    published_init(&published);
    published_set(&published, head_of(1), opl_registry_new());
    registry = published_registry(&published);
    published_set(&published, head_of(2), NULL);
    again = published_registry(&published);
    assert_ptr_equal(registry, again);
    opl_registry_free(registry);
    opl_registry_free(again);
    published_close(&published);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(nothing_is_there_at_first),
    cmocka_unit_test(a_reader_keeps_what_it_took),
    cmocka_unit_test(a_new_head_leaves_the_registry),
};

UNIT_MAIN(tests)

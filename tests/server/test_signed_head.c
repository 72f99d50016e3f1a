/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "server/signed_head.h"

static void it_copies_and_the_last_holder_frees(void **state)
{
    const struct opl_head head = {.origin = "ledger.example.org", .size = 9};
    char note[] = "text\n\nsignature\n";
    struct signed_head *made = signed_head_new(&head, 5, note);

    (void)state;
    assert_non_null(made);
    note[0] = 'T';
    assert_string_equal(made->note, "text\n\nsignature\n");
    assert_int_equal(made->note_len, strlen(note));
    assert_ptr_equal(signed_head_hold(made), made);
    signed_head_drop(made);
    assert_int_equal(made->head.size, 9);
    signed_head_drop(made);
    signed_head_drop(NULL);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(it_copies_and_the_last_holder_frees),
};

UNIT_MAIN(tests)

/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "lib/ssh_wire.h"

static struct ssh_wire wire_of(const char *bytes, size_t len)
{
    return (struct ssh_wire){(const uint8_t *)bytes, len};
}

static void reads_numbers_and_strings(void **state)
{
    struct ssh_wire wire = wire_of("\x09\0\0\1\2\0\0\0\2ab\0\0\0\0", 15), string;
    uint32_t number = 0;
    uint8_t byte = 0;

    (void)state;
    assert_true(ssh_wire_u8(&wire, &byte));
    assert_int_equal(byte, 9);
    assert_true(ssh_wire_u32(&wire, &number));
    assert_int_equal(number, 258);
    assert_true(ssh_wire_string(&wire, &string));
    assert_true(ssh_wire_is(&string, "ab"));
    assert_true(ssh_wire_string(&wire, &string));
    assert_int_equal(string.left, 0);
    assert_int_equal(wire.left, 0);
    assert_false(ssh_wire_u8(&wire, &byte));
}

static void lengths_beyond_the_bytes_are_refused(void **state)
{
    struct ssh_wire cut = wire_of("\0\0\0", 3), string;
    struct ssh_wire longer = wire_of("\0\0\0\2a", 5);
    struct ssh_wire huge = wire_of("\xff\xff\xff\xff"
                                   "a",
                                   5);

    (void)state;
    assert_false(ssh_wire_string(&cut, &string));
    assert_false(ssh_wire_string(&longer, &string));
    assert_false(ssh_wire_string(&huge, &string));
}

static void fixed_strings_have_exactly_their_length(void **state)
{
    struct ssh_wire wire = wire_of("\0\0\0\3abc", 7), again = wire;
    char out[4];

    (void)state;
    assert_false(ssh_wire_fixed(&again, out, 2));
    again = wire;
    assert_true(ssh_wire_fixed(&again, out, 3));
}

static void text_is_bounded_and_without_nul(void **state)
{
    struct ssh_wire wire = wire_of("\0\0\0\3abc", 7), nul = wire_of("\0\0\0\3a\0c", 7);
    char out[4], small[3];

    (void)state;
    assert_false(ssh_wire_text(&nul, out, sizeof out));
    assert_false(ssh_wire_text(&(struct ssh_wire){wire.at, wire.left}, small, sizeof small));
    assert_true(ssh_wire_text(&wire, out, sizeof out));
    assert_string_equal(out, "abc");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(reads_numbers_and_strings),
    cmocka_unit_test(lengths_beyond_the_bytes_are_refused),
    cmocka_unit_test(fixed_strings_have_exactly_their_length),
    cmocka_unit_test(text_is_bounded_and_without_nul),
};

UNIT_MAIN(tests)

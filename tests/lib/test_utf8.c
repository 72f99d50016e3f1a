/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include <opledger/utf8.h>

static void reads_characters_of_every_length(void **state)
{
    static const struct {
        const char *text;
        uint32_t point;
    } good[] = {
        {"a",                0x61    },
        {"\x7f",             0x7f    },
        {"\xc2\x80",         0x80    },
        {"\xdf\xbf",         0x7ff   },
        {"\xe0\xa0\x80",     0x800   },
        {"\xed\x9f\xbf",     0xd7ff  },
        {"\xee\x80\x80",     0xe000  },
        {"\xf0\x90\x80\x80", 0x10000 },
        {"\xf4\x8f\xbf\xbf", 0x10ffff},
    };

    uint32_t point = 0;

    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        size_t len = strlen(good[i].text);

        assert_int_equal(opl_utf8_next(good[i].text, len, &point), len);
        assert_int_equal(point, good[i].point);
        assert_int_equal(opl_utf8_next(good[i].text, len - 1, &point), 0);
    }
}

static void refuses_overlong_surrogate_and_stray_bytes(void **state)
{
    static const char *const bad[] = {
        "\x80",
        "\xbf",
        "\xc0\x80",
        "\xc1\xbf",
        "\xe0\x80\x80",
        "\xed\xa0\x80",
        "\xed\xbf\xbf",
        "\xf0\x80\x80\x80",
        "\xf4\x90\x80\x80",
        "\xf8\x88\x80\x80\x80",
        "\xff",
        "\xc2"
        "a",
        "\xe2\x82"
        "a",
    };
    uint32_t point;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(opl_utf8_next(bad[i], strlen(bad[i]), &point), 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(reads_characters_of_every_length),
    cmocka_unit_test(refuses_overlong_surrogate_and_stray_bytes),
};

UNIT_MAIN(tests)

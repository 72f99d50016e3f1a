/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "lib/redact/names.h"

static void words_accounts_and_calls_are_known_in_any_case(void **state)
{
    static const char *const words[] = {"write", "Node", "www-data", "slurm", "accept", "zero"};

    (void)state;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        assert_true(word_is_ordinary(words[i], strlen(words[i])));
}

static void names_of_people_are_no_words_and_short_ones_are(void **state)
{
    (void)state;
    assert_false(word_is_ordinary("alice", 5));
    assert_false(word_is_ordinary("a-very-long-name-indeed", 23));
    assert_true(word_is_ordinary("ab", 2));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(words_accounts_and_calls_are_known_in_any_case),
    cmocka_unit_test(names_of_people_are_no_words_and_short_ones_are),
};

UNIT_MAIN(tests)

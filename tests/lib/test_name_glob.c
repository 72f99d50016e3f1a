/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include <opledger/name.h>

struct pair {
    const char *glob, *text;
};

static void matches_within_and_across_parts(void **state)
{
    static const struct pair good[] = {
        {"",                  ""                   },
        {"*",                 ""                   },
        {"*/slurm",           "engaging/slurm"     },
        {"/etc/slurm/**",     "/etc/slurm/a/b.conf"},
        {"/etc/slurm/*.conf", "/etc/slurm/x.conf"  },
        {"**/x",              "a/b/x"              },
        {"a**z",              "a/b/z"              },
        {"?/b",               "\xc3\xa9/b"         },
        {"*a*b",              "xaxxab"             },
        {"**a*c/**d",         "a/ab/abc/x/d"       },
        {"a***b",             "a/b"                },
    };

    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        if (!opl_glob_match(good[i].glob, good[i].text))
            fail_msg("%s does not match %s", good[i].glob, good[i].text);
    }
}

static void refuses_the_rest(void **state)
{
    static const struct pair bad[] = {
        {"",        "a"        },
        {"a",       ""         },
        {"*",       "a/b"      },
        {"*/slurm", "a/b/slurm"},
        {"?",       "/"        },
        {"?",       ""         },
        {"a*b",     "a/b"      },
        {"**x",     "a/b"      },
        {"*a/*b",   "xa/c/b"   },
        {"/etc/**", "/etcetera"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        if (opl_glob_match(bad[i].glob, bad[i].text))
            fail_msg("%s matches %s", bad[i].glob, bad[i].text);
    }
}

/* A plain recursive matcher says what the fast one must answer, on all short words. */
static bool slow_match(const char *glob, const char *text)
{
    if (*glob == '\0')
        return *text == '\0';
    if (glob[0] == '*') {
        bool any = glob[1] == '*';

        return slow_match(glob + 1 + any, text) ||
               (*text != '\0' && (any || *text != '/') && slow_match(glob, text + 1));
    }
    return *glob == *text && slow_match(glob + 1, text + 1);
}

static void word(unsigned number, const char *letters, char out[8])
{
    unsigned base = (unsigned)strlen(letters);

    for (; number > 0; number = (number - 1) / base)
        *out++ = letters[(number - 1) % base];
    *out = '\0';
}

static void agrees_with_the_plain_matcher(void **state)
{
    (void)state;
    for (unsigned g = 0; g < 1500; g++) {
        char glob[8], text[8];

        word(g, "*a/", glob);
        if (strstr(glob, "***") != NULL)
            continue;
        for (unsigned t = 0; t < 127; t++) {
            word(t, "a/", text);
            if (opl_glob_match(glob, text) != slow_match(glob, text))
                fail_msg("%s over %s", glob, text);
        }
    }
}

static void hostile_globs_stay_cheap(void **state)
{
    char text[2001];

    (void)state;
    memset(text, 'a', 2000);
    text[2000] = '\0';
    assert_false(opl_glob_match("**a*a*a**a*a*a**a*a*a**a*a*ab", text));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(matches_within_and_across_parts),
    cmocka_unit_test(refuses_the_rest),
    cmocka_unit_test(agrees_with_the_plain_matcher),
    cmocka_unit_test(hostile_globs_stay_cheap),
};

UNIT_MAIN(tests)

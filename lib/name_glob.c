/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two places to return to are enough, and keep the work polynomial: the last ** may swallow
 * anything, so nothing before it needs another try; the last * since then may swallow the rest of
 * its part, so no earlier * does either.
 */
#include <opledger/name.h>

struct retry {
    const char *glob; /* what follows the star; NULL: no star yet */
    const char *text; /* where its match ended last */
};

static const char *next_char(const char *text)
{
    do
        text++;
    while (((unsigned char)*text & 0xc0) == 0x80);
    return text;
}

/* Lets the inner star swallow one more character of its part, or else the outer one of anything. */
static bool try_again(struct retry *part, struct retry *any, const char **glob, const char **text)
{
    struct retry *star = part->glob != NULL && *part->text != '/' ? part : any;

    if (star->glob == NULL || *star->text == '\0')
        return false;
    if (star == any)
        part->glob = NULL;
    star->text++;
    *glob = star->glob;
    *text = star->text;
    return true;
}

static void take_star(struct retry *part, struct retry *any, const char **glob, const char *text)
{
    if ((*glob)[1] != '*') {
        *part = (struct retry){++*glob, text};
        return;
    }
    *glob += strspn(*glob, "*");
    *any = (struct retry){*glob, text};
    part->glob = NULL;
}

bool opl_glob_match(const char *glob, const char *text)
{
    struct retry part = {0}, any = {0};

    while (*glob != '\0' || *text != '\0') {
        if (*glob == '*') {
            take_star(&part, &any, &glob, text);
        } else if (*glob == '?' && *text != '\0' && *text != '/') {
            glob++;
            text = next_char(text);
        } else if (*glob != '\0' && *glob != '?' && *glob == *text) {
            glob++;
            text++;
        } else if (!try_again(&part, &any, &glob, &text)) {
            return false;
        }
    }
    return true;
}

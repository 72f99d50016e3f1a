/* SPDX-License-Identifier: Apache-2.0 */
/* Versions as vendors write them: their order, and ranges of them. */
#include <opledger/name.h>

#define DIGITS "0123456789"
#define VERSION_MAX 64

static int sign(long value)
{
    return (value > 0) - (value < 0);
}

/* Compares the digits at *a and *b as numbers of any length, and moves both past them. */
static int compare_numbers(const char **a, const char **b)
{
    const char *x = *a + strspn(*a, "0"), *y = *b + strspn(*b, "0");
    size_t x_len = strspn(x, DIGITS), y_len = strspn(y, DIGITS);

    *a = x + x_len;
    *b = y + y_len;
    if (x_len != y_len)
        return x_len < y_len ? -1 : 1;
    return sign(memcmp(x, y, x_len));
}

static bool is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

int opl_version_compare(const char *a, const char *b)
{
    while (*a != '\0' || *b != '\0') {
        if (is_digit(*a) && is_digit(*b)) {
            int order = compare_numbers(&a, &b);

            if (order != 0)
                return order;
        } else if (*a != *b) {
            return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
        } else {
            a++;
            b++;
        }
    }
    return 0;
}

/* One item of a range: a single version has low equal to high, an open end is "". */
struct span {
    char low[VERSION_MAX + 1];
    char high[VERSION_MAX + 1];
};

static bool put_version(char out[static VERSION_MAX + 1], const char *from, size_t len)
{
    if (len > VERSION_MAX)
        return false;
    memcpy(out, from, len);
    out[len] = '\0';
    return len == 0 || opl_is_version(out);
}

/* Reads the item at *range and moves past it and the comma; false when it is none. */
static bool next_span(const char **range, struct span *out)
{
    const char *text = *range, *dots = strstr(text, "..");
    size_t len = strcspn(text, ",");

    *range = text + len;
    if (**range == ',') {
        (*range)++;
        if (**range == '\0')
            return false;
    }
    if (dots == NULL || dots + 2 > text + len)
        return len > 0 && put_version(out->low, text, len) && put_version(out->high, text, len);
    return put_version(out->low, text, (size_t)(dots - text)) &&
           put_version(out->high, dots + 2, (size_t)(text + len - dots) - 2) &&
           (out->low[0] != '\0' || out->high[0] != '\0');
}

bool opl_is_version_range(const char *text)
{
    struct span span;

    if (*text == '\0')
        return false;
    while (*text != '\0') {
        if (!next_span(&text, &span))
            return false;
    }
    return true;
}

bool opl_version_in_range(const char *version, const char *range)
{
    struct span span;

    if (!opl_is_version_range(range))
        return false;
    while (*range != '\0' && next_span(&range, &span)) {
        bool above = span.low[0] == '\0' || opl_version_compare(version, span.low) >= 0;
        bool below = span.high[0] == '\0' || opl_version_compare(version, span.high) <= 0;

        if (above && below)
            return true;
    }
    return false;
}

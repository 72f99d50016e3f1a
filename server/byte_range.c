/* SPDX-License-Identifier: Apache-2.0 */
#include "byte_range.h"

#include "request.h"

/* Copies the text up to `end`; false when it is longer than a number. */
static bool cut(const char *text, const char *end, char out[static 24])
{
    if (end - text >= 24)
        return false;
    memcpy(out, text, (size_t)(end - text));
    out[end - text] = '\0';
    return true;
}

static struct byte_range part(uint64_t from, uint64_t to, uint64_t size)
{
    uint64_t end = to < size ? to + 1 : size;

    return (struct byte_range){from, from < end ? end - from : 0, true};
}

bool byte_range_read(const char *text, uint64_t size, struct byte_range *out)
{
    static const char unit[] = "bytes=";
    const char *first = text + sizeof unit - 1, *dash;
    char from_text[24];
    uint64_t from, to;

    *out = (struct byte_range){0, size, false};
    if (strncmp(text, unit, sizeof unit - 1) != 0 || (dash = strchr(first, '-')) == NULL ||
        !cut(first, dash, from_text))
        return true;
    if (request_number(from_text, &from)) {
        if (dash[1] == '\0')
            *out = part(from, size, size);
        else if (request_number(dash + 1, &to) && from <= to)
            *out = part(from, to, size);
    } else if (from_text[0] == '\0' && request_number(dash + 1, &to)) {
        *out = to == 0 ? (struct byte_range){size, 0, true}
                       : part(to < size ? size - to : 0, size, size);
    }
    return !out->is_part || (out->from < size && out->len > 0);
}

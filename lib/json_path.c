/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A stack of open containers is kept while the prefix is read again: per level the number of the
 * item, or the bytes of the last key. Deeper levels than the stack holds belong to its last one.
 */
#include "json_path.h"

#include <opledger/json.h>

struct level {
    bool is_object;
    bool has_value; /* past the colon, or in an array: the next string is no key */
    size_t item;
    const char *key;
    size_t key_len;
};

struct scan {
    struct level levels[OPL_JSON_DEPTH];
    size_t depth;
};

static struct level *top(struct scan *scan)
{
    if (scan->depth == 0)
        return NULL;
    return &scan->levels[scan->depth <= OPL_JSON_DEPTH ? scan->depth - 1 : OPL_JSON_DEPTH - 1];
}

static void open_level(struct scan *scan, bool is_object)
{
    scan->depth++;
    if (scan->depth <= OPL_JSON_DEPTH)
        *top(scan) = (struct level){.is_object = is_object, .has_value = !is_object};
}

/* Position after the string that starts at `from`; `at` when it does not end before. */
static size_t read_string(struct scan *scan, const char *text, size_t from, size_t at)
{
    struct level *level = top(scan);
    size_t end = from + 1;

    while (end < at && text[end] != '"')
        end += text[end] == '\\' ? 2 : 1;
    if (end > at)
        end = at;
    if (level != NULL && !level->has_value) {
        level->key = text + from + 1;
        level->key_len = end - from - 1;
    }
    return end < at ? end + 1 : at;
}

static void read_mark(struct scan *scan, char mark)
{
    struct level *level = top(scan);

    if (mark == '{' || mark == '[') {
        open_level(scan, mark == '{');
    } else if ((mark == '}' || mark == ']') && scan->depth > 0) {
        scan->depth--;
    } else if (mark == ':' && level != NULL) {
        level->has_value = true;
    } else if (mark == ',' && level != NULL && scan->depth <= OPL_JSON_DEPTH) {
        level->item++;
        level->has_value = !level->is_object;
    }
}

static void write_level(const struct level *level, struct opl_buf *pointer)
{
    char key[64];

    if (!level->is_object)
        (void)snprintf(key, sizeof key, "%zu", level->item);
    else
        (void)snprintf(key, sizeof key, "%.*s",
                       level->key_len < sizeof key ? (int)level->key_len : (int)sizeof key - 1,
                       level->key != NULL ? level->key : "");
    if (!level->is_object || level->key != NULL)
        opl_json_pointer_add(pointer, key);
}

void opl_json_path_at(const char *text, size_t at, struct opl_buf *pointer)
{
    struct scan scan = {0};
    size_t i = 0;

    while (i < at) {
        if (text[i] == '"') {
            i = read_string(&scan, text, i, at);
        } else {
            read_mark(&scan, text[i]);
            i++;
        }
    }
    for (size_t k = 0; k < scan.depth && k < OPL_JSON_DEPTH; k++)
        write_level(&scan.levels[k], pointer);
}

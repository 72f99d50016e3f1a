/* SPDX-License-Identifier: Apache-2.0 */
/* JSON pointers, RFC 6901. */
#include <opledger/json.h>

void opl_json_pointer_add(struct opl_buf *pointer, const char *key)
{
    opl_buf_chr(pointer, '/');
    for (; *key != '\0'; key++) {
        if (*key == '~')
            opl_buf_str(pointer, "~0");
        else if (*key == '/')
            opl_buf_str(pointer, "~1");
        else
            opl_buf_chr(pointer, *key);
    }
}

/* The next part, decoded; moves *pointer past it. False: not a pointer. */
static bool next_part(const char **pointer, struct opl_buf *part)
{
    const char *at = *pointer;

    opl_buf_reset(part);
    if (*at++ != '/')
        return false;
    for (; *at != '\0' && *at != '/'; at++) {
        if (*at != '~') {
            opl_buf_chr(part, *at);
            continue;
        }
        at++;
        if (*at != '0' && *at != '1')
            return false;
        opl_buf_chr(part, *at == '0' ? '~' : '/');
    }
    *pointer = at;
    return !part->failed;
}

static json_t *item_at(const json_t *array, const char *part)
{
    size_t digits = strspn(part, "0123456789");

    if (digits == 0 || digits > 9 || part[digits] != '\0' || (part[0] == '0' && digits > 1))
        return NULL;
    return json_array_get(array, strtoul(part, NULL, 10));
}

json_t *opl_json_at(const json_t *root, const char *pointer)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf part = {0};
    const json_t *value = root;

    while (value != NULL && *pointer != '\0') {
        if (!next_part(&pointer, &part))
            return NULL;
        value = json_is_array(value) ? item_at(value, opl_buf_text(&part))
                                     : json_object_get(value, opl_buf_text(&part));
    }
    return (json_t *)value;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "write.h"

#include <opledger/json.h>

struct write *write_new(void)
{
    return calloc(1, sizeof(struct write));
}

void write_free(struct write *write)
{
    if (write == NULL)
        return;
    for (size_t i = 0; i < write->count; i++)
        opl_draft_close(&write->lines[i].draft);
    free(write->lines);
    free(write->clean);
    json_decref(write->errors);
    signed_head_drop(write->head);
    opl_buf_close(&write->bytes);
    free(write);
}

void write_freep(struct write **write)
{
    write_free(*write);
}

struct write_line *write_add(struct write *write)
{
    if (write->count == write->size) {
        size_t size = write->size == 0 ? 1 : write->size * 2;
        struct write_line *lines = realloc(write->lines, size * sizeof *lines);

        if (lines == NULL)
            return NULL;
        write->lines = lines;
        write->size = size;
    }
    write->lines[write->count] = (struct write_line){.prev = -1};
    return &write->lines[write->count++];
}

bool write_add_json(struct write *write, json_t *request, int64_t now, struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *owned = request;
    struct write_line *line = write_add(write);

    if (owned == NULL || line == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for an entry");
    return opl_draft_parse(owned, now, &line->draft, err);
}

void write_add_error(struct write *write, size_t line, const struct opl_err *err)
{
    json_t *item = json_pack("{s:I, s:s}", "line", (json_int_t)line, "detail", err->text);

    if (write->errors == NULL)
        write->errors = json_array();
    if (err->field[0] != '\0')
        json_object_set_new(item, "field", json_string(err->field));
    if (err->hint[0] != '\0')
        json_object_set_new(item, "hint", json_string(err->hint));
    json_array_append_new(write->errors, item);
}

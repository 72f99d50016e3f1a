/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A draft gets its place in the log: references within a batch become ids, and the canonical parts
 * are put together. Nothing is serialised a second time unless an id in the body changed.
 */
#include <opledger/entry.h>

#include <inttypes.h>

#include <opledger/json.h>
#include <opledger/time.h>

#include "draft.h"
#include "field.h"
#include "kinds_rules.h"

#define FRAME_MAX 512 /* bytes of an entry around its body, at most */

/* The ids that the lines of the batch before this one created. */
struct lines {
    const char (*ids)[OPL_ID_SIZE];
    size_t count;
    struct opl_check check;
};

/* What a "#n" stands for; NULL, after an error, when that is nothing. */
static const char *line_id(struct lines *lines, const char *text, const struct opl_spot *at)
{
    size_t line = opl_line_ref(text);

    if (line > lines->count)
        opl_refuse(&lines->check, at, "names line %zu, which is not before this one", line);
    else if (lines->ids[line - 1][0] == '\0')
        opl_refuse(&lines->check, at, "names line %zu, which creates nothing", line);
    else
        return lines->ids[line - 1];
    return NULL;
}

/* New reference to the value with its "#n" replaced; NULL after an error. */
static json_t *resolved(struct lines *lines, const struct opl_field *field, json_t *value,
                        const struct opl_spot *at)
{
    const char *id = json_string_value(value);
    enum opl_prefix prefix;
    uint64_t number;

    if (opl_line_ref(id) == 0)
        return json_incref(value);
    id = line_id(lines, id, at);
    if (id == NULL)
        return NULL;
    if (!opl_id_parse(id, &prefix, &number) ||
        (field->prefix != OPL_ID_NONE && prefix != field->prefix)) {
        opl_refuse(&lines->check, at, "names %s; a %s is wanted", id,
                   opl_prefix_name(field->prefix));
        return NULL;
    }
    return json_string(id);
}

/* A list of its own: the items are still shared with the request. */
static json_t *resolved_list(struct lines *lines, const struct opl_field *field, json_t *list,
                             const struct opl_spot *at)
{
    json_t *out = json_array();

    for (size_t i = 0; out != NULL && i < json_array_size(list); i++) {
        struct opl_spot item = {at, NULL, i};

        if (json_array_append_new(out, resolved(lines, field, json_array_get(list, i), &item))) {
            json_decref(out);
            out = NULL;
        }
    }
    return out;
}

static bool resolve_field(struct lines *lines, struct opl_draft *draft,
                          const struct opl_field *field)
{
    static const struct opl_spot body = {NULL, "body", 0};
    struct opl_spot at = {&body, field->name, 0};
    json_t *value = json_object_get(draft->body, field->name);

    if (field->type != OPL_F_ID || value == NULL)
        return true;
    value = (field->flags & OPL_FIELD_LIST) ? resolved_list(lines, field, value, &at)
                                            : resolved(lines, field, value, &at);
    /* no value and no error before: memory ran out, and this error is the one that stays */
    return json_object_set_new_nocheck(draft->body, field->name, value) == 0 ||
           opl_fail(lines->check.err, OPL_E_NOMEM, "no memory for an id");
}

static bool resolve_on(struct lines *lines, struct opl_draft *draft)
{
    static const struct opl_spot at = {NULL, "on", 0};
    const char *id;

    if (opl_line_ref(draft->on) == 0)
        return true;
    id = line_id(lines, draft->on, &at);
    if (id == NULL || !opl_rules_on(draft->kind, id, lines->check.err))
        return false;
    memcpy(draft->on, id, sizeof draft->on);
    return true;
}

bool opl_draft_resolve(struct opl_draft *draft, const char (*ids)[OPL_ID_SIZE], size_t count,
                       struct opl_err *err)
{
    struct opl_err why = {0}; /* errors decide what is done here, so there must be one */
    struct lines lines = {
        ids, count, {draft, err != NULL ? err : &why}
    };

    if (!draft->has_line_refs)
        return true;
    if (!resolve_on(&lines, draft))
        return false;
    for (const struct opl_field *field = draft->kind->fields; field->name != NULL; field++)
        if (!resolve_field(&lines, draft, field))
            return false;
    if (!opl_draft_write_body(draft, err))
        return false;
    draft->has_line_refs = false;
    return true;
}

/* Values of grammars that need no escape. */
static void put(struct opl_buf *bytes, const char *name, const char *value)
{
    opl_buf_str(bytes, name);
    opl_buf_str(bytes, value);
    opl_buf_chr(bytes, '"');
}

static void put_time(struct opl_buf *bytes, const char *name, int64_t at)
{
    char text[OPL_TIME_SIZE];

    opl_time_format(at, text);
    put(bytes, name, text);
}

static void write_entry(const struct opl_draft *draft, const struct opl_place *place,
                        struct opl_buf *bytes)
{
    put(bytes, "{\"actor\":\"", place->actor);
    put_time(bytes, ",\"at\":\"", place->at);
    opl_buf_str(bytes, ",\"body\":");
    opl_buf_str(bytes, draft->body_text);
    if (place->id != NULL)
        put(bytes, ",\"id\":\"", place->id);
    put(bytes, ",\"kind\":\"", draft->kind->name);
    if (draft->observed_at >= 0)
        put_time(bytes, ",\"observed_at\":\"", draft->observed_at);
    if (draft->on[0] != '\0')
        put(bytes, ",\"on\":\"", draft->on);
    if (place->prev >= 0)
        opl_buf_fmt(bytes, ",\"prev\":%" PRId64, place->prev);
    opl_buf_str(bytes, ",\"v\":1}");
}

bool opl_draft_finish(const struct opl_draft *draft, const struct opl_place *place,
                      struct opl_buf *bytes, struct opl_err *err)
{
    size_t start = bytes->len;

    if (draft->has_line_refs)
        return opl_fail(err, OPL_E_INTERNAL, "an entry still names lines of its batch");
    if ((draft->kind->creates != OPL_ID_NONE) != (place->id != NULL))
        return opl_fail(err, OPL_E_INTERNAL, "%s with an id it does not have", draft->kind->name);
    if (opl_buf_reserve(bytes, strlen(draft->body_text) + FRAME_MAX) == NULL)
        return opl_buf_ok(bytes, err);
    write_entry(draft, place, bytes);
    if (!opl_buf_ok(bytes, err))
        return false;
    if (bytes->len - start <= OPL_ENTRY_MAX)
        return true;
    bytes->data[bytes->len = start] = '\0';
    return opl_fail(err, OPL_E_TOO_LARGE, "an entry is at most %d bytes", OPL_ENTRY_MAX);
}

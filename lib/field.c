/* SPDX-License-Identifier: Apache-2.0 */
#include "field.h"

#include <opledger/json.h>

#include "field_value.h"

static void write_spot(const struct opl_spot *at, struct opl_buf *pointer)
{
    char index[24];

    if (at == NULL)
        return;
    write_spot(at->up, pointer);
    (void)snprintf(index, sizeof index, "%zu", at->index);
    opl_json_pointer_add(pointer, at->key != NULL ? at->key : index);
}

bool opl_refuse(struct opl_check *check, const struct opl_spot *at, const char *fmt, ...)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf pointer = {0};
    char text[512];
    va_list args;

    write_spot(at, &pointer);
    va_start(args, fmt);
    if (vsnprintf(text, sizeof text, fmt, args) < 0)
        text[0] = '\0';
    va_end(args);
    return opl_fail_at(check->err, OPL_E_INVALID, opl_buf_text(&pointer), "%s", text);
}

static bool check_items(struct opl_value *list)
{
    size_t max = list->field->max != 0 && list->field->type == OPL_F_OBJECT ? list->field->max
                                                                            : OPL_LIST_MAX;
    size_t count = json_array_size(list->json);

    if (!json_is_array(list->json))
        return opl_refuse(list->check, list->at, "must be a list");
    if (count > max)
        return opl_refuse(list->check, list->at, "has %zu items; at most %zu are allowed", count,
                          max);
    for (size_t i = 0; i < count; i++) {
        struct opl_spot at = {list->at, NULL, i};
        struct opl_value item = {list->check, list->field, json_array_get(list->json, i), &at,
                                 NULL};

        if (!opl_value_check(&item))
            return false;
    }
    return true;
}

static bool check_member(struct opl_value *member)
{
    if (json_is_null(member->json) && (member->field->flags & OPL_FIELD_NULLABLE))
        return true;
    if (member->field->flags & OPL_FIELD_LIST)
        return check_items(member);
    return opl_value_check(member);
}

/* Puts what the draft will say: the checked value, or what stands in its place. */
static bool put_member(json_t *copy, const char *key, struct opl_value *member)
{
    int failed = member->instead != NULL
                     ? json_object_set_new_nocheck(copy, key, member->instead)
                     : json_object_set_nocheck(copy, key, (json_t *)member->json);

    if (failed)
        return opl_fail(member->check->err, OPL_E_NOMEM, "no memory for field %.64s", key);
    return true;
}

static bool unknown_field(struct opl_check *check, const struct opl_field *fields,
                          const struct opl_spot *at)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf names = {0};

    opl_refuse(check, at, "unknown field");
    for (const struct opl_field *field = fields; field->name != NULL; field++)
        opl_buf_fmt(&names, "%s%s", field == fields ? "" : ", ", field->name);
    return opl_hint(check->err, "known are: %s", names.len > 0 ? opl_buf_text(&names) : "none");
}

static bool check_missing(struct opl_check *check, const struct opl_field *fields, uint64_t seen,
                          const struct opl_spot *at)
{
    for (size_t i = 0; fields[i].name != NULL; i++) {
        struct opl_spot missing = {at, fields[i].name, 0};

        if ((seen >> i & 1) || (fields[i].flags & OPL_FIELD_OPTIONAL))
            continue;
        opl_refuse(check, &missing, "is missing");
        return opl_hint(check->err, "%s", fields[i].help != NULL ? fields[i].help : "");
    }
    return true;
}

bool opl_fields_check(struct opl_check *check, const struct opl_field *fields, const json_t *object,
                      const struct opl_spot *at, json_t *copy)
{
    uint64_t seen = 0;
    const char *key;
    json_t *json;

    if (!json_is_object(object))
        return opl_refuse(check, at, "must be an object");
    json_object_foreach((json_t *)object, key, json)
    {
        struct opl_spot spot = {at, key, 0};
        struct opl_value member = {check, opl_field_find(fields, key), json, &spot, NULL};

        if (member.field == NULL)
            return unknown_field(check, fields, &spot);
        if (!check_member(&member) || (copy != NULL && !put_member(copy, key, &member)))
            return false;
        seen |= 1ULL << (member.field - fields);
    }
    return check_missing(check, fields, seen, at);
}
